#include "amazons_board.hpp"

#include <algorithm>
#include <stdexcept>

namespace setrograde {

AmazonsGrid::AmazonsGrid(int width, int height) : width_(width), height_(height) {
    if (width < 1 || height < 1 || width > MAX_AMAZONS_SQUARES || height > MAX_AMAZONS_SQUARES ||
        width * height > MAX_AMAZONS_SQUARES)
        throw std::invalid_argument("an Amazons board has 1 to 30 squares");
    const int squares = width * height;
    all_ = (Squares{1} << squares) - 1;
    const auto bit = [&](int column, int row) { return Squares{1} << (row * width + column); };
    for (int row = 0; row < height; ++row) {
        first_column_ |= bit(0, row);
        last_column_ |= bit(width - 1, row);
    }
    constexpr std::array<std::array<int, 2>, 4> STEPS{{{1, 0}, {-1, 1}, {0, 1}, {1, 1}}};
    for (int row = 0; row < height; ++row)
        for (int column = 0; column < width; ++column)
            for (std::size_t i = 0; i < 8; ++i) {
                const int sign = i < 4 ? 1 : -1;
                const int right = sign * STEPS[i % 4][0], down = sign * STEPS[i % 4][1];
                for (int x = column + right, y = row + down; x >= 0 && x < width && y >= 0 && y < height;
                     x += right, y += down)
                    rays_[static_cast<std::size_t>(row * width + column)][i] |= bit(x, y);
            }

    const auto make_image = [&](auto place) {
        Image image{};
        for (int square = 0; square < squares; ++square) {
            const Squares moved = place(square % width, square / width);
            for (std::size_t byte = 0; byte < 256; ++byte)
                if (byte >> (square % 8) & 1) image[static_cast<std::size_t>(square / 8)][byte] |= moved;
        }
        return image;
    };
    images_.push_back(make_image([&](int x, int y) { return bit(x, height - 1 - y); }));
    images_.push_back(make_image([&](int x, int y) { return bit(width - 1 - x, y); }));
    images_.push_back(make_image([&](int x, int y) { return bit(width - 1 - x, height - 1 - y); }));
    const int side = std::min(width, height);
    for (int row = 0; row < side; ++row)
        for (int column = 0; column < side; ++column) turnable_ |= bit(column, row);
    turned_ = make_image([&](int x, int y) { return x < side && y < side ? bit(y, x) : 0; });
}

int AmazonsGrid::slack(Squares squares) const {
    int by = index_of(squares) / width_ * width_;
    squares >>= by;
    for (Squares column = first_column_; !(squares & column); squares >>= 1) ++by;
    return by;
}

AmazonsBoard AmazonsGrid::least_image(const AmazonsBoard& board) const {
    const Squares open = board.own | board.other | board.empty;
    if (!open) return board;
    AmazonsBoard best{};
    Squares best_open = 0;
    const auto consider = [&](const AmazonsBoard& image, Squares image_open) {
        if (!best_open || image_open < best_open ||
            (image_open == best_open &&
             (image.own < best.own || (image.own == best.own && image.other < best.other)))) {
            best = image;
            best_open = image_open;
        }
    };
    const auto consider_both = [&](const AmazonsBoard& image, Squares image_open) {
        consider(image, image_open);
        if (image_open & ~turnable_) return;
        const Squares turned = apply(turned_, image_open);
        if (!best_open || turned <= best_open)
            consider({apply(turned_, image.own), apply(turned_, image.other), apply(turned_, image.empty)}, turned);
    };
    const int by = slack(open);
    consider_both({board.own >> by, board.other >> by, board.empty >> by}, open >> by);
    for (const Image& image : images_) {
        const Squares mirrored = apply(image, open);
        const int shift = slack(mirrored);
        consider_both({apply(image, board.own) >> shift, apply(image, board.other) >> shift,
                       apply(image, board.empty) >> shift},
                      mirrored >> shift);
    }
    return best;
}

}  // namespace setrograde

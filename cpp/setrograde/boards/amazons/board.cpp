#include "setrograde/boards/amazons/board.hpp"

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
    Squares best_open = ~Squares{0}, best_own = 0, best_other = 0;
    // Images of the amazons are made only where those of all squares are not larger.
    const auto consider = [&](Squares image_open, auto image_of) {
        if (image_open > best_open) return;
        const Squares own = image_of(board.own), other = image_of(board.other);
        if (image_open == best_open && (own > best_own || (own == best_own && other >= best_other))) return;
        best_open = image_open;
        best_own = own;
        best_other = other;
    };
    const auto consider_both = [&](Squares image_open, auto image_of) {
        consider(image_open, image_of);
        if (!(image_open & ~turnable_))
            consider(apply(turned_, image_open), [&](Squares squares) { return apply(turned_, image_of(squares)); });
    };
    const int by = slack(open);
    consider_both(open >> by, [&](Squares squares) { return squares >> by; });
    for (const Image& image : images_) {
        const Squares mirrored = apply(image, open);
        const int shift = slack(mirrored);
        consider_both(mirrored >> shift, [&](Squares squares) { return apply(image, squares) >> shift; });
    }
    return {best_own, best_other, best_open & ~best_own & ~best_other};
}

}  // namespace setrograde

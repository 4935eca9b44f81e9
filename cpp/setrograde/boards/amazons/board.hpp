// Amazons boards: masks, queen moves, floods, mirror images
//
// A board has at most 30 squares, numbered row by row, so that a set of squares is one word. Squares that
// are neither empty nor taken by an amazon are arrows; an arrow is no different from the edge of the
// board. "Own" are the amazons of the player to move, "other" those of the opponent.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace setrograde {

using Squares = std::uint32_t;  // bit i is square i

inline constexpr int MAX_AMAZONS_SQUARES = 30;

struct AmazonsBoard {
    Squares own = 0, other = 0, empty = 0;  // disjoint
    bool operator==(const AmazonsBoard&) const = default;
};

inline Squares lowest(Squares squares) { return squares & (0U - squares); }
inline int index_of(Squares square) { return std::countr_zero(square); }

class AmazonsGrid {
public:
    // Throws std::invalid_argument unless both sides are 1 or more and there are at most 30 squares.
    AmazonsGrid(int width, int height);

    int width() const { return width_; }
    int height() const { return height_; }
    Squares all() const { return all_; }

    // The squares and all next to them, also by a corner.
    Squares spread(Squares squares) const {
        const Squares row = squares | (squares & ~last_column_) << 1 | (squares & ~first_column_) >> 1;
        return (row | row << width_ | row >> width_) & all_;
    }

    // What a king gets to from `from` over `over`; with `from` itself.
    Squares flood(Squares from, Squares over) const {
        for (;;) {
            const Squares more = from | (spread(from) & over);
            if (more == from) return from;
            from = more;
        }
    }

    // Empty squares that a king gets to in fewer steps from `own` than from `other`, less the opposite.
    int nearer_squares(const AmazonsBoard& board) const {
        Squares own = board.own, other = board.other, left = board.empty;
        int squares = 0;
        for (;;) {
            own |= spread(own) & board.empty;
            other |= spread(other) & board.empty;
            const Squares reached = (own | other) & left;
            if (!reached) return squares;
            squares += std::popcount(reached & ~other) - std::popcount(reached & ~own);
            left &= ~reached;
        }
    }

    // Where a queen on `square` can go in one move.
    Squares queen(int square, Squares empty) const {
        Squares reached = 0;
        const auto& rays = rays_[static_cast<std::size_t>(square)];
        for (std::size_t i = 0; i < 4; ++i) {
            const Squares up = (rays[i] & ~empty) | Squares{1} << 31;
            reached |= rays[i] & (lowest(up) - 1);
            const Squares down = rays[i + 4] & ~empty;
            reached |= rays[i + 4] & ~static_cast<Squares>(0xFFFFFFFFULL >> std::countl_zero(down));
        }
        return reached;
    }

    // Calls `visit` with each board after a move of `own`, which is `other` then; the board of the player
    // who has the move next. Stops if it returns true.
    template <typename Visit>
    bool visit_moves(const AmazonsBoard& board, Visit visit) const {
        for (Squares movers = board.own; movers; movers &= movers - 1) {
            const Squares from = lowest(movers);
            for (Squares ends = queen(index_of(from), board.empty); ends; ends &= ends - 1) {
                const Squares end = lowest(ends);
                const Squares empty = (board.empty | from) & ~end;
                for (Squares shots = queen(index_of(end), empty); shots; shots &= shots - 1)
                    if (visit(AmazonsBoard{board.other, (board.own & ~from) | end, empty & ~lowest(shots)}))
                        return true;
            }
        }
        return false;
    }

    bool has_moves(const AmazonsBoard& board) const { return spread(board.own) & board.empty; }

    // The same board for the rules, and the same for all its mirror images and for it moved elsewhere
    // among arrows: all that is not an arrow is moved to the first corner. Turned over the diagonal only
    // where that fits on the grid.
    AmazonsBoard least_image(const AmazonsBoard& board) const;

private:
    using Image = std::array<std::array<Squares, 256>, 4>;  // by byte of the mask
    static Squares apply(const Image& image, Squares squares) {
        return image[0][squares & 255] | image[1][squares >> 8 & 255] | image[2][squares >> 16 & 255] |
               image[3][squares >> 24];
    }
    // How far up and left squares can be moved together.
    int slack(Squares squares) const;

    int width_, height_;
    Squares all_ = 0, first_column_ = 0, last_column_ = 0;
    std::array<std::array<Squares, 8>, MAX_AMAZONS_SQUARES> rays_{};  // four with rising numbers, then four falling
    std::vector<Image> images_;                                       // upside down, left to right, both
    Image turned_{};        // over the diagonal; only for what is in the square at the first corner
    Squares turnable_ = 0;  // that square
};

}  // namespace setrograde

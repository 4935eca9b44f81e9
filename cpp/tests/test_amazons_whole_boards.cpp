// Who wins whole boards of Amazons, by a program that shares nothing with the core: masks of squares, rays one
// square at a time, a table of boards that were seen, up to their mirror image. It has no bounds, no territory
// and no reduced boards; the order of moves is its only guess, and no answer depends on it.
#include "check.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <tuple>
#include <vector>

namespace {

using Mask = std::uint32_t;

struct Board {
    Mask own = 0, other = 0, arrows = 0;  // `own` are to move
    friend auto operator<=>(const Board&, const Board&) = default;
};

class PlainSearch {
public:
    PlainSearch(int width, int height) : width_(width), height_(height), seen_(std::size_t{1} << 24) {
        for (int square = 0; square < width * height; ++square)
            for (int way = 0; way < 8; ++way) {
                const int number = way < 4 ? way : way + 1;  // of the 9 squares around, without the middle
                const int x = square % width + number % 3 - 1, y = square / width + number / 3 - 1;
                const bool is_outside = x < 0 || x >= width || y < 0 || y >= height;
                next_[static_cast<std::size_t>(square)][static_cast<std::size_t>(way)] =
                    is_outside ? -1 : y * width + x;
            }
    }

    bool is_won(const Board& asked) {
        const Board board = std::min(asked, Board{mirrored(asked.own), mirrored(asked.other), mirrored(asked.arrows)});
        if (const Seen& seen = seen_at(board); seen.is_used && seen.board == board) return seen.is_won;
        ++nodes_;
        std::vector<std::pair<int, Board>> moves;
        visit_moves(board, [&](const Board& after) {
            const Mask occupied = after.own | after.other | after.arrows;
            moves.emplace_back(2 * queen_steps(after.own, occupied) - queen_steps(after.other, occupied), after);
        });
        std::sort(moves.begin(), moves.end());
        const bool is_won_here =
            std::any_of(moves.begin(), moves.end(), [&](const auto& move) { return !is_won(move.second); });
        seen_at(board) = {board, true, is_won_here};
        return is_won_here;
    }

    long long nodes() const { return nodes_; }

private:
    struct Seen {
        Board board;
        bool is_used = false, is_won = false;
    };

    Seen& seen_at(const Board& board) {
        std::uint64_t hash = 0;
        for (const Mask mask : {board.own, board.other, board.arrows}) {
            hash = (hash ^ mask) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 29;
        }
        return seen_[hash % seen_.size()];
    }

    Mask mirrored(Mask mask) const {
        Mask made = 0;
        for (int square = 0; square < width_ * height_; ++square)
            if (mask >> square & 1) made |= Mask{1} << (square - square % width_ + width_ - 1 - square % width_);
        return made;
    }

    template <typename Visit>
    void visit_steps(int start, Mask occupied, Visit visit) const {
        for (std::size_t way = 0; way < 8; ++way)
            for (int at = next_[static_cast<std::size_t>(start)][way]; at >= 0 && !(occupied >> at & 1);
                 at = next_[static_cast<std::size_t>(at)][way])
                visit(at);
    }

    template <typename Visit>
    void visit_moves(const Board& board, Visit visit) const {
        const Mask occupied = board.own | board.other | board.arrows;
        for (int from = 0; from < width_ * height_; ++from) {
            if (!(board.own >> from & 1)) continue;
            const Mask lifted = occupied ^ Mask{1} << from;
            visit_steps(from, lifted, [&](int end) {
                const Mask own = (board.own ^ Mask{1} << from) | Mask{1} << end;
                visit_steps(end, lifted | Mask{1} << end,
                            [&](int shot) { visit(Board{board.other, own, board.arrows | Mask{1} << shot}); });
            });
        }
    }

    int queen_steps(Mask amazons, Mask occupied) const {
        int steps = 0;
        for (int square = 0; square < width_ * height_; ++square)
            if (amazons >> square & 1) visit_steps(square, occupied, [&](int) { ++steps; });
        return steps;
    }

    int width_, height_;
    std::array<std::array<int, 8>, 32> next_{};
    std::vector<Seen> seen_;
    long long nodes_ = 0;
};

// Rows from the top; x moves first.
bool is_won_by_x(int width, const std::string& rows) {
    Board board;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (rows[i] == 'x') board.own |= Mask{1} << i;
        if (rows[i] == 'o') board.other |= Mask{1} << i;
    }
    PlainSearch search(width, static_cast<int>(rows.size()) / width);
    const bool is_won = search.is_won(board);
    std::printf("%s %s: %lld nodes\n", rows.c_str(), is_won ? "x wins" : "o wins", search.nodes());
    return is_won;
}

}  // namespace

int main() {
    CHECK(!is_won_by_x(4,
                       ".oo."
                       "o..o"
                       "x..x"
                       ".xx."));
    CHECK(is_won_by_x(5,
                      ".o.o."
                      "o...o"
                      "x...x"
                      ".x.x."));
    CHECK(!is_won_by_x(4,
                       ".oo."
                       "o..o"
                       "...."
                       "x..x"
                       ".xx."));
    CHECK(is_won_by_x(4,
                      "oooo"
                      "...."
                      "...."
                      "...."
                      "xxxx"));
    CHECK(is_won_by_x(4,
                      "o..o"
                      "o..o"
                      "...."
                      "x..x"
                      "x..x"));
}

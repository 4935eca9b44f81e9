// Amazons territory: what one player alone can make of squares, and boards reduced to what is contested
//
// Parts of a board that are not joined by squares other than arrows never meet again, because arrows stay.
// A part without an amazon or without an empty square has no moves. A part with amazons of one colour is
// worth as many spare moves as that player can make there if left alone, which he is: it is the number n
// of the theory of games, and numbers of both players cancel. So a board is told by its contested parts
// and by the spare moves of the player to move less those of the opponent. Boards that differ elsewhere
// are one board for the search.
//
// Bounds for contested parts, also in spare moves. Let one player keep all his amazons where they are,
// but for moves into squares that the opponent cannot get to while they stay. An amazon that keeps the
// opponent out must shoot back to the square it left (a queen can always do so), the others shoot as
// they like; so the opponent gets to no more squares than before. The player has so many moves, the
// opponent at most as many as there are empty squares he can get to, since each arrow takes one and the
// square an amazon leaves makes up for the one it takes. The part is worth at least the difference:
// the player answers every move of the opponent with one of his, elsewhere or here. Such bounds of
// different parts add up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "setrograde/boards/amazons/board.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

// A board as the search sees it.
struct ReducedBoard {
    AmazonsBoard board;  // contested parts only
    int spare = 0;       // moves of the player to move elsewhere, less those of the opponent
    int least = 0;       // bounds of what the contested parts are worth to the player to move
    int most = 0;

    // Whether the player to move wins, if the bounds say so.
    std::optional<bool> is_won() const {
        if (spare + least >= 1) return true;
        if (spare + most <= 0) return false;
        return std::nullopt;
    }
};

class AmazonsTerritory {
public:
    static constexpr std::size_t TABLE_BYTES = std::size_t{1} << 19;

    // The grid must outlive it.
    explicit AmazonsTerritory(const AmazonsGrid& grid);

    // What is asked now and then; Stopped is thrown if it says true.
    void watch(StopCheck should_stop) { should_stop_ = std::move(should_stop); }

    // The most moves that amazons can make on `empty` alone. Those of `doors` must shoot back to where
    // they were if they move.
    int most_moves(Squares empty, Squares amazons, Squares doors = 0);

    // Contested parts and spare moves, without bounds.
    ReducedBoard reduce(const AmazonsBoard& board, int spare = 0);

    // The least that contested parts are worth to `own`, as above.
    int least_worth(const AmazonsBoard& board);

    // Both bounds, for a board that is reduced.
    void set_bounds(ReducedBoard& reduced);

    // True if the player to move wins by a step of one amazon that shoots back to where it was, by the
    // bounds after it. Needs the bounds before; steps are tried only where few moves are missing.
    bool wins_by_a_step(const ReducedBoard& reduced);

private:
    int most_moves_of_part(Squares empty, Squares amazons, Squares doors);

    const AmazonsGrid& grid_;
    StopCheck should_stop_;
    std::vector<std::uint64_t> table_;  // a part, and how many of its empty squares are of no use
    std::uint64_t searched_ = 0;        // parts not found in the table
};

}  // namespace setrograde

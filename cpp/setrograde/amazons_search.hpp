// Amazons search: who wins a board, by proof-number search over reduced boards
//
// Depth-first proof-number search (df-pn: Nagai, 2002) in a table of fixed size. A board in the table
// stands for all that reduce to it (amazons_territory.hpp), in every mirror image and place; and because
// spare moves never hurt, a win is one for all with more of them, a loss for all with fewer. Every move
// adds an arrow, so no board comes back and the numbers need no care for cycles.
//
// The table forgets boards on which least work was spent. What is forgotten is searched again, so that
// answers never depend on the size of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "amazons_board.hpp"
#include "amazons_territory.hpp"
#include "growing_array.hpp"
#include "search.hpp"

namespace setrograde {

class AmazonsSearch {
public:
    // All it allocates is about `limit_bytes`, at least MIN_LIMIT_BYTES. Throws std::invalid_argument
    // for sides that make no board.
    AmazonsSearch(int width, int height, std::size_t limit_bytes, StopCheck should_stop = {});

    // Whether the player to move wins. Throws std::invalid_argument if squares overlap or are not on the
    // board, Stopped if told to stop.
    bool is_won(const AmazonsBoard& board);

    const AmazonsGrid& grid() const { return grid_; }
    std::uint64_t territory_searched() const { return territory_.searched(); }
    std::uint64_t nodes() const { return nodes_; }     // boards whose moves were made, so far
    std::uint64_t stored() const;                      // boards in the table
    std::size_t table_bytes() const { return table_.bytes(); }

    // Numbers of the board last asked, while it is searched: how far a proof of a win and of a loss are.
    std::uint64_t proof() const { return proof_; }

private:
    // Numbers of a board for the player to move: how many more boards, at least, it takes to prove a win
    // and a loss. Won: {0, MANY}; lost: {MANY, 0}.
    struct Numbers {
        std::uint32_t win = 1, loss = 1;
    };
    static constexpr std::uint32_t MANY = (1U << 26) - 1;

    struct Entry {
        std::uint64_t board = 0;  // 0 is free: no contested board has it
        std::uint64_t win : 26 = 0, loss : 26 = 0, spare : 6 = 0, work : 6 = 0;
    };
    static_assert(sizeof(Entry) == 16);
    static constexpr std::size_t ENTRIES_OF_BUCKET = 4;
    static constexpr int SPARE_OFFSET = 32;

    struct Child {
        std::uint64_t board;
        Numbers numbers;
        std::int8_t spare;
    };

    static std::uint64_t key_of(const AmazonsBoard& board) {
        return std::uint64_t{board.own | board.other} << 30 | (board.own | board.empty);
    }
    static AmazonsBoard board_of(std::uint64_t key);

    Entry* bucket_of(std::uint64_t board);
    bool look_up(std::uint64_t board, int spare, Numbers& numbers);
    void store(std::uint64_t board, int spare, Numbers numbers, std::uint64_t work);

    // Adds the moves of a board to children_; true if one of them wins at once.
    Numbers first_numbers(const ReducedBoard& reduced) const;
    bool add_children(std::uint64_t board, int spare);
    Numbers search(std::uint64_t board, int spare, Numbers limits);
    void note_work();

    AmazonsGrid grid_;
    AmazonsTerritory territory_;
    StopCheck should_stop_;
    GrowingArray<Entry> table_;
    Entry* aligned_;  // the first bucket, at the start of a cache line
    std::size_t buckets_;
    std::vector<Child> children_;  // of all boards on the way, as a stack
    std::uint64_t nodes_ = 0;
    std::uint64_t proof_ = 0;
};

}  // namespace setrograde

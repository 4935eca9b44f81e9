// Amazons search: who wins a board, by proof-number search over reduced boards
//
// Depth-first proof-number search (df-pn: Nagai, 2002) in a table of fixed size. A board in the table
// stands for all that reduce to it (boards/amazons/territory.hpp), in every mirror image and place; and because
// spare moves never hurt, a win is one for all with more of them, a loss for all with fewer. Every move
// adds an arrow, so no board comes back and the numbers need no care for cycles.
//
// The table forgets boards on which least work was spent. What is forgotten is searched again, so that
// answers never depend on the size of the table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "setrograde/boards/amazons/board.hpp"
#include "setrograde/boards/amazons/territory.hpp"
#include "setrograde/common/growing_array.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

class AmazonsSearch {
public:
    static constexpr std::size_t MIN_LIMIT_BYTES = 2 << 20;

    // Its tables grow to `limit_bytes` together, MIN_LIMIT_BYTES if that is more. Throws
    // std::invalid_argument for sides that make no board.
    AmazonsSearch(int width, int height, std::size_t limit_bytes);

    // Whether the player to move wins. Throws std::invalid_argument if squares overlap or are not on the
    // board, Stopped if told to stop; then what was found so far is kept.
    bool is_won(const AmazonsBoard& board, const StopCheck& should_stop = {});

    // The same without a search, if the bounds or the table tell.
    std::optional<bool> is_known_won(const AmazonsBoard& board, const StopCheck& should_stop = {});

    const AmazonsGrid& grid() const { return grid_; }
    std::uint64_t nodes() const { return nodes_; }    // boards whose moves were made, so far
    std::uint64_t stored() const { return stored_; }  // boards in the table
    std::size_t table_bytes() const { return table_.bytes(); }

private:
    // Numbers of a board for the player to move: how much work a proof of a win and of a loss may be.
    // Won: {0, MANY}; lost: {MANY, 0}; nothing else has a 0.
    struct Numbers {
        std::uint32_t win, loss;
    };
    static constexpr std::uint32_t MANY = (1U << 26) - 1;
    static constexpr int SPARE_OFFSET = 32;  // spare moves are fewer than squares

    struct Entry {
        std::uint64_t board;    // 0 is free: no contested board has it
        std::uint64_t numbers;  // from the low end: 26 bits for a win, 26 for a loss, 6 spare moves, 6 work
        Numbers get() const {
            return {static_cast<std::uint32_t>(numbers & MANY), static_cast<std::uint32_t>(numbers >> 26 & MANY)};
        }
        int spare() const { return static_cast<int>(numbers >> 52 & 63) - SPARE_OFFSET; }
        unsigned work() const { return static_cast<unsigned>(numbers >> 58); }  // its number of bits
    };
    static_assert(sizeof(Entry) == 16);
    static constexpr std::size_t ENTRIES_OF_BUCKET = 4;
    static constexpr std::size_t BUCKET_BYTES = ENTRIES_OF_BUCKET * sizeof(Entry);
    static constexpr std::size_t FIRST_BUCKETS = std::size_t{1} << 14;

    struct Child {
        std::uint64_t board;
        Numbers numbers;
        std::int8_t spare;
    };

    static std::uint64_t key_of(const AmazonsBoard& board) {
        return std::uint64_t{board.own | board.other} << 30 | (board.own | board.empty);
    }
    static AmazonsBoard board_of(std::uint64_t key);

    Numbers first_numbers(const ReducedBoard& reduced) const;

    // With bounds; throws as is_won does.
    ReducedBoard reduce(const AmazonsBoard& board);
    // Whether the player to move wins, if the bounds or the table tell.
    std::optional<bool> known_winner(const ReducedBoard& reduced, std::uint64_t key);

    void poll() const {
        if (should_stop_ && should_stop_()) throw Stopped{};
    }
    // Calls work() while `should_stop` is asked now and then.
    template <class Work>
    auto watched(const StopCheck& should_stop, Work work);

    void grow_table(std::size_t buckets);
    Entry* bucket_of(std::uint64_t board);
    // Changes the numbers if the table has others.
    void look_up(std::uint64_t board, int spare, Numbers& numbers);
    void store(std::uint64_t board, int spare, Numbers numbers, std::uint64_t work);

    // Puts the boards after each move on the stack, but for those the opponent wins; true if one of them
    // is lost for him.
    bool add_children(std::uint64_t board, int spare);
    // Searches until a number reaches its limit.
    Numbers search(std::uint64_t board, int spare, Numbers limits);

    AmazonsGrid grid_;
    AmazonsTerritory territory_;
    StopCheck should_stop_;  // of the question under way
    GrowingArray<Entry> table_;
    Entry* first_bucket_ = nullptr;  // at the start of a cache line
    std::size_t buckets_ = 0, most_buckets_ = 0;
    std::uint64_t stored_ = 0;
    std::vector<Child> children_;  // of all boards on the way, as a stack
    std::uint64_t nodes_ = 0;
};

}  // namespace setrograde

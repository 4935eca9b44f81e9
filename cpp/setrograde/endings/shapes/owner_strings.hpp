// Owner strings: who holds the cards of a suit, highest first
//
// A string is a code of two bits a card, the highest card in the lowest bits. The strings of a
// split are numbered in dictionary order, the highest card first, as in `setrograde.db.endings.states` in
// Python.
//
// A number is found by two look-ups. The lowest seven cards are a string of their own, with a
// number among those of its split; the cards above them, given the split of the whole, tell how
// many strings come before all that begin like this one. Tables exist for strings seen by each
// player, so that a code need not be rewritten when another player comes on lead.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

using OwnerCode = std::uint32_t;

constexpr int owner_of(OwnerCode code, int place) { return static_cast<int>(code >> (2 * place) & 3); }

// All strings of a split in order.
std::vector<OwnerCode> list_strings(Split split);

// The number of a string of the split, by counting; slow.
std::uint32_t rank_string(OwnerCode code, Split split);

// Finds the numbers of the strings of one split, as one player sees them.
struct StringRanks {
    const std::uint32_t* tops;
    const std::uint16_t* bottoms;
    int shift;  // two for each card above the lowest seven

    std::uint32_t operator()(OwnerCode code) const {
        return tops[code & ((OwnerCode{1} << shift) - 1)] + bottoms[code >> shift];
    }
};

class OwnerStrings {
public:
    // For splits with at most `most` cards of each player, and 13 in all.
    explicit OwnerStrings(int most);

    std::uint32_t count(Split split) const { return counts_[split]; }

    // For codes whose owners are numbered from another player than `split`: owner `first` of the
    // code is player 0 of the split.
    StringRanks ranks(Split split, int first) const;

private:
    static constexpr int BOTTOM = 7;  // cards; 4^7 entries

    std::vector<std::uint32_t> counts_;                     // by split
    std::array<std::vector<std::uint16_t>, 4> bottoms_;     // [first]: by length, then code
    std::array<std::vector<std::uint32_t>, 4> top_starts_;  // [first][split]: place in tops_
    std::vector<std::uint32_t> tops_;                       // entry 0 is for short strings
};

}  // namespace setrograde

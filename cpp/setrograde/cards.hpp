// Cards: sets of cards as 64-bit words
//
// Sixteen bits a suit, clubs lowest; within a suit the two is bit 0 and the ace
// bit 12. The same layout as `Hand.bits` in Python, so hands cross unchanged.
#pragma once

#include <bit>
#include <cstdint>

namespace setrograde {

using CardSet = std::uint64_t;

enum Seat : int { NORTH, EAST, SOUTH, WEST };

inline constexpr int SUITS = 4;
inline constexpr int NOTRUMP = 4;
inline constexpr CardSet SUIT_MASK = 0x1FFF;
inline constexpr CardSet ALL_CARDS = 0x1FFF'1FFF'1FFF'1FFF;

// A card as its place in a CardSet: 16 * suit + rank.
using Place = int;

constexpr int suit_of(Place place) { return place >> 4; }
constexpr CardSet bit_of(Place place) { return CardSet{1} << place; }
constexpr CardSet cards_of(CardSet cards, int suit) { return cards & (SUIT_MASK << (16 * suit)); }
constexpr int count(CardSet cards) { return std::popcount(cards); }
constexpr Place highest(CardSet cards) { return 63 - std::countl_zero(cards); }

constexpr int partner(int seat) { return seat ^ 2; }
constexpr int next_seat(int seat) { return (seat + 1) & 3; }
constexpr bool is_north_south(int seat) { return (seat & 1) == 0; }

}  // namespace setrograde

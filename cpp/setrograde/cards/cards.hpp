// Cards: sets of cards as 64-bit words
//
// Sixteen bits for each suit, clubs lowest; within a suit the two is bit 0 and the ace bit 12. These are
// the bits of `Hand.bits` in Python, so hands cross unchanged.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace setrograde {

using CardSet = std::uint64_t;

enum Seat : int { NORTH, EAST, SOUTH, WEST };

inline constexpr int SEATS = 4;
inline constexpr int SUITS = 4;
inline constexpr int NOTRUMP = 4;
inline constexpr int STRAINS = 5;
inline constexpr CardSet SUIT_MASK = 0x1FFF;
inline constexpr CardSet ALL_CARDS = 0x1FFF'1FFF'1FFF'1FFF;

// One value for each of a few things that plain ints number: seats, players, suits, strains. An array
// that takes ints as they come, without casts.
template <class T, int SIZE>
struct Per : std::array<T, SIZE> {
    using Base = std::array<T, SIZE>;
    constexpr T& operator[](int i) { return Base::operator[](static_cast<std::size_t>(i)); }
    constexpr const T& operator[](int i) const { return Base::operator[](static_cast<std::size_t>(i)); }
    constexpr T& operator[](std::size_t i) { return Base::operator[](i); }
    constexpr const T& operator[](std::size_t i) const { return Base::operator[](i); }
    friend constexpr bool operator==(const Per&, const Per&) = default;
};
template <class T>
using PerSeat = Per<T, SEATS>;  // North first, or from the leader on where seats are players
template <class T>
using PerSuit = Per<T, SUITS>;
template <class T>
using PerStrain = Per<T, STRAINS>;

// A card as its place in a CardSet: 16 * suit + rank.
using Place = int;

constexpr int suit_of(Place place) { return place >> 4; }
constexpr CardSet bit_of(Place place) { return CardSet{1} << place; }
constexpr CardSet cards_of(CardSet cards, int suit) { return cards & (SUIT_MASK << (16 * suit)); }
constexpr int count(CardSet cards) { return std::popcount(cards); }
constexpr Place highest(CardSet cards) { return 63 - std::countl_zero(cards); }
constexpr Place lowest(CardSet cards) { return std::countr_zero(cards); }
constexpr CardSet suit_mask(int suit) { return SUIT_MASK << (16 * suit); }

// The `wanted` highest cards of a set of one suit, or all.
constexpr CardSet top_cards(CardSet cards, int wanted) {
    for (int extra = count(cards) - wanted; extra > 0; --extra) cards &= cards - 1;
    return cards;
}

// Cards that stand above `place` in its suit or in a higher one.
constexpr CardSet above(Place place) { return ~((bit_of(place) << 1) - 1); }

// Every card at or above the lowest marked card of its suit. One subtraction does it for all suits: a
// borrow runs from bit 0 of a suit to its lowest marked bit, and stops at the guard bit 15.
constexpr CardSet close_up(CardSet marked) {
    constexpr CardSet GUARD = 0x8000'8000'8000'8000, ONES = 0x0001'0001'0001'0001;
    const CardSet below = (marked ^ ((marked | GUARD) - ONES)) >> 1;
    return ~below & ALL_CARDS;
}

// Every card at or below the highest marked card of its suit.
constexpr CardSet close_down(CardSet marked) {
    marked |= marked >> 1 & 0x0FFF'0FFF'0FFF'0FFF;
    marked |= marked >> 2 & 0x07FF'07FF'07FF'07FF;
    marked |= marked >> 4 & 0x01FF'01FF'01FF'01FF;
    return marked | (marked >> 8 & 0x001F'001F'001F'001F);
}

// For each card of `cards` the next higher one among those `present`, or the place above the suit if there
// is none: a carry runs through the cards that are not present.
constexpr CardSet next_up(CardSet cards, CardSet present) {
    const CardSet holes = ~present & ALL_CARDS;
    const CardSet up = cards << 1;
    return (up & ~holes) | (((up & holes) + holes) & ~holes);
}

constexpr int partner(int seat) { return seat ^ 2; }
constexpr int next_seat(int seat) { return (seat + 1) & 3; }
constexpr bool is_north_south(int seat) { return (seat & 1) == 0; }

}  // namespace setrograde

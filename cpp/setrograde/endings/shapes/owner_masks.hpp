// Owner masks: sets of endings of one shape, with four bits a card
//
// Cards are numbered suit by suit, the highest of a suit first; bit p of a card's mask is set if
// player p may have it. The set is every layout in which each card has one of its owners and each
// player as many cards of each suit as the shape says. Stone, Sturtevant and Schaeffer, "Set-Based
// Retrograde Analysis" (IJCAI 2025), section 5; the Python counterpart is `setrograde.papers.arrangements`.
//
// Suits are independent, so most questions are about one suit: can its cards be shared out? By
// Hall's theorem they can if for no group of players there are more cards that nobody else may have
// than the group has places. All sixteen groups are looked at together, four bits each.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

using Masks = std::uint64_t;

inline constexpr int MAX_SET_TRICKS = 4;  // 16 cards fill a word
inline constexpr Masks ANYONE = 15;

// Sixteen numbers of four bits, by group of players.
using ByGroup = std::uint64_t;

// One more place for each group that player p belongs to.
inline constexpr PerSeat<ByGroup> PLACE_OF = {0x1010101010101010, 0x1100110011001100, 0x1111000011110000,
                                              0x1111111100000000};

// One card with that mask.
constexpr ByGroup one_with(Masks mask) { return ByGroup{1} << (4 * mask); }

constexpr ByGroup places(Split split) {
    ByGroup sum = 0;
    for (int player = 0; player < PLAYERS; ++player)
        sum += PLACE_OF[player] * static_cast<ByGroup>(held(split, player));
    return sum;
}

// True if the player has a place left.
constexpr bool has_place(ByGroup room, int player) { return (room >> (4 << player) & 15) != 0; }

// How many of the lowest `cards` masks have each value.
constexpr ByGroup tally(Masks masks, int cards) {
    ByGroup sum = 0;
    for (; cards > 0; --cards, masks >>= 4) sum += one_with(masks & 15);
    return sum;
}

// True if cards with these masks can be shared out; there are as many cards as places.
constexpr bool can_share(ByGroup cards, ByGroup room) {
    constexpr ByGroup LOW = 0x0F0F0F0F0F0F0F0F, CARRY = 0x1010101010101010;
    // Cards that nobody outside the group may have: sums over subsets.
    cards += (cards & LOW) << 4;
    cards += (cards & 0x00FF00FF00FF00FF) << 8;
    cards += (cards & 0x0000FFFF0000FFFF) << 16;
    cards += cards << 32;
    const ByGroup even = ((room & LOW) | CARRY) - (cards & LOW);
    const ByGroup odd = ((room >> 4 & LOW) | CARRY) - (cards >> 4 & LOW);
    return (even & odd & CARRY) == CARRY;
}

// Where the suits of a shape lie in a word of masks.
struct SuitField {
    int first = 0;  // number of its highest card, 0 if it has none
    int cards = 0;
    Masks bits = 0;  // all bits of its cards
    Split split = 0;
    ByGroup room = 0;
};

class MaskFields {
public:
    MaskFields() = default;
    explicit MaskFields(const Shape& shape);

    const SuitField& operator[](std::size_t suit) const { return suits_[suit]; }
    int cards() const { return cards_; }
    Masks everything() const { return everything_; }

    Masks suit(Masks masks, std::size_t suit) const { return (masks & suits_[suit].bits) >> (4 * suits_[suit].first); }
    bool can_share(Masks masks, std::size_t suit) const {
        const SuitField& field = suits_[suit];
        return setrograde::can_share(tally(masks >> (4 * field.first), field.cards), field.room);
    }
    bool is_empty(Masks masks) const;

    // True if some layout is in both; neither may be empty.
    bool overlaps(Masks a, Masks b) const;

    // The same set without owners that no layout of it uses.
    Masks tightened(Masks masks) const;

    // True if `outer` holds all of `inner`, which must be tightened.
    static bool holds(Masks outer, Masks inner) { return (outer & inner) == inner; }

    // The layout that comes first: high cards to the lowest players. The set may not be empty.
    Masks first(Masks masks) const { return extreme(masks, {0, 1, 2, 3}); }

    // High cards to the players in that order, as far as the set allows.
    Masks extreme(Masks masks, const std::array<int, 4>& order) const;

    // Adds disjoint sets that hold what is in `a` and not in `b`: they agree with b on the first
    // cards, not on the next.
    void subtract(Masks a, Masks b, std::vector<Masks>& parts) const;

    // How many layouts the set holds.
    std::uint64_t count(Masks masks) const;

private:
    std::array<SuitField, 4> suits_;
    int cards_ = 0;
    Masks everything_ = 0;
};

}  // namespace setrograde

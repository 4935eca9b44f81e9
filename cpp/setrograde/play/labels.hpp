// Labels: what the chooser is taken to see of a hidden player's card
//
// If every card is told apart, a few small cards leave one world of forty, and the rest of the tree is
// double dummy again. So the chooser branches on a label:
//   a card that takes the lead in the trick: its suit, and how many seen cards of the suit are higher;
//   a card that does not: the same, or just "small" if at least `small` cards of the suit are higher.
// All worlds behind a label agree on who wins the trick, since seen cards are above or below it in all of
// them, and whether it beats the cards before it is part of the label.
//
// A hand may have several cards for one label, with a card of the other hidden hand between them. Then the
// lowest and the highest are tried in a branch each, and the worlds that have no choice are in both: which
// branch it is must not tell the chooser that there was one.
#pragma once

#include <cstdint>

#include "setrograde/cards/position.hpp"

namespace setrograde {

inline constexpr int NO_SMALL_CARDS = 15;  // for `small`: no card is small

// Lowest card of each group of touching cards.
constexpr CardSet lowest_of_equals(CardSet held, CardSet present) { return held & ~next_up(held, present); }

using Label = int;
inline constexpr Label SMALL_LABEL = 126;

constexpr bool is_small(Label label) { return (label & 127) == SMALL_LABEL; }

// The label of a card. `seen`: hands that are seen; `present`: all cards of this world, those on the table
// included; `takes_lead`: it beats the cards before it in the trick.
constexpr Label label_of(Place card, CardSet seen, CardSet present, bool takes_lead, int small) {
    const int suit = suit_of(card);
    const CardSet higher = suit_mask(suit) & above(card);
    if (!takes_lead && count(present & higher) >= small) return suit << 7 | SMALL_LABEL;
    return suit << 7 | count(seen & higher) << 1 | (takes_lead ? 1 : 0);
}

}  // namespace setrograde

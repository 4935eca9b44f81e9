// Positions: the cards still held and the trick in progress
//
// The rules of play and nothing else: who is on turn, which cards are legal, who wins the trick.
// Outside input is checked once, by `check`, before anything is searched.
#pragma once

#include "setrograde/cards/cards.hpp"

namespace setrograde {

struct Position {
    PerSeat<CardSet> hands{};
    int strain = NOTRUMP;   // 0..3 trump suit, 4 notrump
    int leader = NORTH;     // who led, or leads, the current trick
    Per<Place, 3> trick{};  // cards on the table, in the order played
    int trick_size = 0;     // 0..3

    int turn() const { return (leader + trick_size) & 3; }
};

enum class PositionError {
    NONE,
    BAD_VALUE,      // strain, leader or trick size out of range, or bits that are no card
    CARD_TWICE,     // a card in two places
    UNEQUAL_HANDS,  // hands that cannot have come from equal ones in this trick
};

// What is wrong with a position, if anything. Later code relies on it.
PositionError check(const Position& position);

// The cards the player on turn may play.
CardSet legal_cards(const Position& position);

// True if card `a` beats card `b`, led or winning so far, when `a` comes later.
constexpr bool beats(Place a, Place b, int strain) { return suit_of(a) == suit_of(b) ? a > b : suit_of(a) == strain; }

// Plays a legal card. Returns the winner's seat if it completes the trick, else -1.
int play(Position& position, Place card);

}  // namespace setrograde

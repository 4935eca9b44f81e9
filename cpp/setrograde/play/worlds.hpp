// Worlds: what one side sees of a position, and the layouts of what it does not see
//
// Two hands are seen and two are hidden. Our side is North-South, whoever it is at the table: seats are
// turned before they come here. Declarer chooses the cards of both hands he sees. A defender chooses his own
// cards; his partner, who is hidden, helps; declarer and dummy play against us. Every hidden player is taken
// to see all the cards.
#pragma once

#include <cstdint>
#include <vector>

#include "setrograde/cards/position.hpp"

namespace setrograde {

enum class Role : std::uint8_t {
    CHOOSER,   // ours and seen: plays the same card in all worlds that look alike
    OPPONENT,  // plays against us in every world; seen or hidden
    FRIEND,    // our hidden partner: in every world a card that is best double dummy
};

// One layout of the hidden cards as it stands at a node of the search.
struct World {
    Per<CardSet, 2> hands{};         // of the two hidden seats
    Per<std::int8_t, 2> on_table{};  // the card each has played to the current trick, if any
};

struct PlayProblem {
    PerSeat<CardSet> seen{};  // hands by seat; empty for the hidden ones
    Per<int, 2> hidden_seats{EAST, WEST};
    PerSeat<Role> roles{Role::CHOOSER, Role::OPPONENT, Role::CHOOSER, Role::OPPONENT};
    int strain = NOTRUMP;
    int leader = NORTH;
    std::vector<Place> trick;     // cards on the table, in the order played
    CardSet hidden = 0;           // cards not seen
    std::vector<CardSet> worlds;  // the cards of the first hidden seat in each world
};

// The position of one world. What it shares with the others is seen.
struct PlayNode {
    PerSeat<CardSet> seen{};
    Per<std::int8_t, 4> table{};  // cards of seen seats in the current trick, in the order played
    int leader = NORTH;
    int trick_size = 0;
    int led = -1;  // suit led; none between tricks
    int left = 0;  // tricks to play, the current one included
    int won = 0;   // tricks our side took since the search began
    const World* worlds = nullptr;

    int turn() const { return (leader + trick_size) & 3; }
};

// What is wrong with a problem, in words, or nothing. Later code relies on it.
const char* check(const PlayProblem& problem);

}  // namespace setrograde

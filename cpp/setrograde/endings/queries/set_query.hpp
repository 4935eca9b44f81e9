// Set query: what a whole set of deals is worth, in one walk
//
// A set says for each card who may hold it. The walk goes through the diagrams of all shapes the set
// touches and carries numbers of layouts instead of one layout, so its cost depends on the diagrams
// and not on how many deals the set has.
#pragma once

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/levels/diagram_level.hpp"
#include "setrograde/endings/levels/sharded_level.hpp"

namespace setrograde {

// Deals with the leader as player 0.
struct DealSet {
    // By suit, clubs first, the highest card first: players who may hold it, a bit each.
    std::array<std::vector<std::uint8_t>, 4> masks;
    int strain = NOTRUMP;
    // Lengths by player and suit.
    PerSeat<PerSuit<std::uint8_t>> least{}, most{};
};

struct SetAnswer {
    std::array<std::uint64_t, 14> deals{};  // by tricks of the leader's side
    std::size_t shapes = 0;
};

// True if the set has 4 * tricks cards, no suit above 13, and masks of four bits.
bool is_set_of(const DealSet& set, int tricks);

// The set must be one of the level's. Throws Stopped, LevelFileError.
SetAnswer query(const DiagramLevel& level, const DealSet& set, const StopCheck& should_stop);
SetAnswer query(const ShardedLevel& level, const DealSet& set, const StopCheck& should_stop);

}  // namespace setrograde

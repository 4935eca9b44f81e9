// Card values: what each legal card is worth, by the database one trick below
#pragma once

#include <utility>
#include <vector>

#include "setrograde/cards/position.hpp"
#include "setrograde/endings/levels/diagram_level.hpp"

namespace setrograde {

// Tricks of the side on turn after each legal card, the trick in progress included. `below` is the
// level that the end of this trick leads to; none if no cards are left then. The position is sound
// and fits it.
std::vector<std::pair<Place, int>> card_values(const Position& position, const DiagramLevel* below);

}  // namespace setrograde

// Property check: tricks at stake by plain enumeration
//
// What endings/mining/properties.hpp finds by walking diagrams together, found again by the definitions: every
// ending, every card of every player, the value after the trick looked up. For checks; at 12 cards a
// hundred times slower.
#pragma once

#include "setrograde/endings/levels/diagram_level.hpp"
#include "setrograde/endings/mining/mining.hpp"

namespace setrograde {

// Endings by tricks at stake, for each property.
using PlainCounts = std::array<LayoutHistogram, PROPERTIES>;

// Over all endings of canonical shapes. `below` may be null where one trick is left. Throws Stopped.
PlainCounts count_plainly(const std::vector<Shape>& shapes, const DiagramLevel& level, const DiagramLevel* below,
                          std::size_t threads, const ShareCheck& should_stop);

}  // namespace setrograde

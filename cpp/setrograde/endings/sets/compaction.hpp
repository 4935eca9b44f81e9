// Compaction: fewer sets that say the same
//
// Sets of one shape and one value are united where four bits a card can write the union (compactEDB
// of Algorithm 2). A wider set is allowed if it meets no set of another value: the sets cover the
// shape, so everything it adds has the right value. This is two-level minimisation of logic, steps
// "expand" and "irredundant" of Espresso (Brayton and others, 1984), for cards with four owners.
#pragma once

#include <vector>

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/sets/set_tree.hpp"

namespace setrograde {

// `sets` must cover the shape. Throws Stopped if `should_stop` says so.
std::vector<EndingSet> compacted(const MaskFields& fields, std::vector<EndingSet> sets, const StopCheck& should_stop);

// Only the unions that need no question: sets that differ in the owners of one card.
std::vector<EndingSet> united(const MaskFields& fields, std::vector<EndingSet> sets);

}  // namespace setrograde

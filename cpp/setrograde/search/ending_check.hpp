// Ending check: is every answer the search took from the database true of its whole set?
//
// A deal is solved, and each answer the database gave on the way is tried on random members of the
// set it was given for: the named cards stay, the others of each suit are dealt anew with the same
// lengths, and the diagrams of values, which know nothing of named cards, tell what is right.
#pragma once

#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/search/solver.hpp"

namespace setrograde {

struct EndingCheck {
    std::uint64_t answers = 0;  // of the database
    std::uint64_t members = 0;  // tried
    std::uint64_t wrong = 0;    // members with another answer
};

// `values` and `endings` have the same tricks. Throws Stopped, LevelFileError.
EndingCheck check_endings(const Position& position, const Endings& endings, const DiagramLevel& values, int members,
                          std::uint64_t seed, const StopCheck& should_stop);

}  // namespace setrograde

// Suit play: declarer's best lines in one suit against defenders who see everything
//
// A line is a strategy that depends only on the cards seen. Its outcome is a vector: for every layout the
// tricks it wins when the defenders, who know the layout and the line, play as well as they can. A
// position is answered by its front: the outcomes that no other outcome matches in every layout. Fronts
// are passed up the tree:
// - where declarer chooses, the union of the fronts of his cards;
// - where a defender chooses, he picks the worst for each layout, so that outcomes of his cards combine
//   to their minimum, each counting only in the layouts where he can play that card. Every combination of
//   one outcome for each card is a line of its own, because declarer sees the card before he goes on.
// (Frank and Basin, "Search in games with incomplete information", 1998; the goals come afterwards.)
//
// A card whose double-dummy bound is matched by a line already found is not searched. Fronts of a few
// suits have millions of outcomes: then each goal is searched for itself (suit/goal_search.hpp).
#pragma once

#include <cstddef>
#include <unordered_map>

#include "setrograde/suit/fronts.hpp"
#include "setrograde/suit/game.hpp"

namespace setrograde {

class SuitSolver {
public:
    // The game must outlive it.
    explicit SuitSolver(SuitGame& game) : game_(game), width_(game.width()) {}

    // The undominated outcomes from a state on; layouts that contradict the state win nothing. Throws
    // std::invalid_argument for cards that are not there, WorkLimit, Stopped. What was found before
    // that is kept.
    const OutcomeFront& front(const SuitState& state, WorkMeter& meter);

    std::size_t states() const { return fronts_.size(); }

private:
    const OutcomeFront& front_of(const SuitState& state, const LayoutWords& layouts, WorkMeter& meter);
    OutcomeFront front_of_lead(const SuitState& state, const LayoutWords& layouts, const SuitLead& lead,
                               const OutcomeFront& known, WorkMeter& meter);
    OutcomeFront front_of_card(const SuitReply& first, const SuitLead& lead, int followed, WorkMeter& meter);
    OutcomeFront combined(const OutcomeFront& front, const OutcomeFront& other, const LayoutWords& layouts, bool won,
                          WorkMeter& meter) const;

    SuitGame& game_;
    std::size_t width_;
    std::unordered_map<SuitKey, OutcomeFront, SuitKeyHash> fronts_;
};

}  // namespace setrograde

#include "setrograde/suit/play.hpp"

#include <utility>

namespace setrograde {

SuitSolver::SuitSolver(SuitGame& game, StopCheck should_stop)
    : game_(game), width_(game.width()), meter_(std::move(should_stop)) {}

const OutcomeFront& SuitSolver::front(const SuitState& state, std::uint64_t work) {
    meter_.allow(work);
    const SuitState start = game_.checked(state);
    return front_of(start, game_.consistent(start));
}

const OutcomeFront& SuitSolver::front_of(const SuitState& state, const LieWords& lies) {
    const SuitKey place = game_.key(state);
    if (const auto known = fronts_.find(place); known != fronts_.end()) return known->second;
    meter_.spend(WORK_OF_STATE);
    OutcomeFront found;
    if (game_.tricks_left(state) > 0) {
        const LieWords best = game_.bound(state, lies);
        for (const SuitLead& lead : game_.leads(state)) {
            append(found, front_of_lead(state, lies, lead, found));
            thin(found, width_, meter_);
            if (is_covered(best.data(), found, width_)) break;
        }
    }
    if (found.size == 0) found = {LieWords(width_), 1};
    return fronts_.emplace(place, std::move(found)).first->second;
}

// Leaves out what `known` outcomes match.
OutcomeFront SuitSolver::front_of_lead(const SuitState& state, const LieWords& lies, const SuitLead& lead,
                                       const OutcomeFront& known) {
    OutcomeFront outcomes{game_.everything(lies), 1};
    CoverTest test(known, width_, meter_);
    for (const SuitReply& first : game_.replies(state, SuitGame::defender_after(lead.hand), lies)) {
        OutcomeFront answers;
        for (const int followed : game_.followers(state, lead)) {
            if (is_covered(game_.bound_of_card(first, lead, followed).data(), answers, width_)) continue;
            append(answers, front_of_card(first, lead, followed));
            thin(answers, width_, meter_);
        }
        outcomes = test.rest(combined(outcomes, answers, first.lies, false));
        if (outcomes.size == 0) break;
    }
    return outcomes;
}

OutcomeFront SuitSolver::front_of_card(const SuitReply& first, const SuitLead& lead, int followed) {
    OutcomeFront outcomes{game_.everything(first.lies), 1};
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    for (const SuitReply& last : game_.replies(first.state, defender, first.lies)) {
        const bool won = game_.wins(lead.card, followed, first.card_class, last.card_class);
        const OutcomeFront& later = front_of(game_.after_trick(last, lead, followed, won), last.lies);
        outcomes = combined(outcomes, later, last.lies, won);
    }
    return outcomes;
}

OutcomeFront SuitSolver::combined(const OutcomeFront& front, const OutcomeFront& other, const LieWords& lies,
                                  bool won) {
    OutcomeFront counted;
    for (std::size_t i = 0; i < other.size; ++i)
        append(counted, game_.with_trick(other.bits.data() + i * width_, lies, won).data(), width_);
    return minima(front, counted, width_, meter_);
}

}  // namespace setrograde

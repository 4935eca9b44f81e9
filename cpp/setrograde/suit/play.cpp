#include "setrograde/suit/play.hpp"

#include <utility>

namespace setrograde {

const OutcomeFront& SuitSolver::front(const SuitState& state, WorkMeter& meter) {
    const SuitState start = game_.checked(state);
    return front_of(start, game_.consistent(start), meter);
}

const OutcomeFront& SuitSolver::front_of(const SuitState& state, const LayoutWords& layouts, WorkMeter& meter) {
    const SuitKey place = game_.key(state);
    if (const auto known = fronts_.find(place); known != fronts_.end()) return known->second;
    meter.spend(WORK_OF_STATE);
    OutcomeFront found;
    if (game_.tricks_left(state) > 0) {
        const LayoutWords best = game_.bound(state, layouts, meter);
        for (const SuitLead& lead : game_.leads(state)) {
            append(found, front_of_lead(state, layouts, lead, found, meter));
            thin(found, width_, meter);
            if (is_covered(best.data(), found, width_)) break;
        }
    }
    if (found.size == 0) found = {.bits = LayoutWords(width_), .size = 1};
    return fronts_.emplace(place, std::move(found)).first->second;
}

// Leaves out outcomes that `known` ones match.
OutcomeFront SuitSolver::front_of_lead(const SuitState& state, const LayoutWords& layouts, const SuitLead& lead,
                                       const OutcomeFront& known, WorkMeter& meter) {
    OutcomeFront outcomes{.bits = game_.everything(layouts), .size = 1};
    CoverTest test(known, width_, meter);
    for (const SuitReply& first : game_.replies(state, SuitGame::defender_after(lead.hand), layouts)) {
        OutcomeFront answers;
        for (const int followed : game_.followers(state, lead)) {
            if (is_covered(game_.bound_of_card(first, lead, followed, meter).data(), answers, width_)) continue;
            append(answers, front_of_card(first, lead, followed, meter));
            thin(answers, width_, meter);
        }
        outcomes = test.rest(combined(outcomes, answers, first.layouts, false, meter));
        if (outcomes.size == 0) break;
    }
    return outcomes;
}

OutcomeFront SuitSolver::front_of_card(const SuitReply& first, const SuitLead& lead, int followed, WorkMeter& meter) {
    OutcomeFront outcomes{.bits = game_.everything(first.layouts), .size = 1};
    const int defender = 1 - SuitGame::defender_after(lead.hand);
    for (const SuitReply& last : game_.replies(first.state, defender, first.layouts)) {
        const bool won = game_.wins(lead.card, followed, first.run, last.run);
        const OutcomeFront& later = front_of(game_.after_trick(last, lead, followed, won), last.layouts, meter);
        outcomes = combined(outcomes, later, last.layouts, won, meter);
    }
    return outcomes;
}

OutcomeFront SuitSolver::combined(const OutcomeFront& front, const OutcomeFront& other, const LayoutWords& layouts,
                                  bool won, WorkMeter& meter) const {
    OutcomeFront counted;
    for (std::size_t i = 0; i < other.size; ++i) {
        meter.pass(1);
        append(counted, game_.with_trick(other.at(i, width_), layouts, won).data(), width_);
    }
    return minima(front, counted, width_, meter);
}

}  // namespace setrograde

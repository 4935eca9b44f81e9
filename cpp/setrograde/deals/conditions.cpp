#include "setrograde/deals/conditions.hpp"

#include <algorithm>

namespace setrograde {

bool allows(const Condition& condition, const std::vector<Measure>& measures, CardSet cards) {
    for (const MeasureBound& bound : condition.bounds) {
        const int worth = measures[bound.measure].of(cards);
        if (worth < bound.low || worth > bound.high) return false;
    }
    if (condition.shapes) {
        PerSuit<int> lengths{};
        for (int suit = 0; suit < SUITS; ++suit) lengths[suit] = count(cards_of(cards, suit));
        if (std::ranges::find(*condition.shapes, lengths) == condition.shapes->end()) return false;
    }
    return std::ranges::all_of(condition.clauses, [&](const std::vector<Condition>& clause) {
        return std::ranges::any_of(clause, [&](const Condition& part) { return allows(part, measures, cards); });
    });
}

}  // namespace setrograde

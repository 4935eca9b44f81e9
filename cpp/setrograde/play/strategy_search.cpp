#include "setrograde/play/strategy_search.hpp"

#include "setrograde/play/strategy_tree.hpp"

namespace setrograde {

namespace {

std::size_t words_of(const StrategyProblem& problem) {
    return problem.steps.size() * ((problem.play.worlds.size() + 63) / 64);
}

}  // namespace

const char* check(const StrategyProblem& problem) {
    if (const char* wrong = check(problem.play)) return wrong;
    const std::size_t facts = problem.steps.size() * problem.play.worlds.size();
    if (problem.steps.empty()) return "no number of tricks that matters";
    if (words_of(problem) > MAX_FACT_WORDS) return "too many worlds";
    if (!problem.weights.empty() && problem.weights.size() != problem.play.worlds.size())
        return "weights of other worlds";
    if (!problem.plan.empty() && problem.plan.size() != facts) return "a plan for other worlds";
    for (const double weight : problem.weights)
        if (!(weight >= 0)) return "a negative weight";
    for (std::size_t i = 0; i < problem.steps.size(); ++i) {
        if (!(problem.steps[i].worth >= 0)) return "tricks that cost";
        if (i > 0 && problem.steps[i].need <= problem.steps[i - 1].need) return "numbers of tricks out of order";
    }
    return nullptr;
}

StrategyAnswer search_strategy(const StrategyProblem& problem, Outcomes& outcomes, const StopCheck& should_stop) {
    const std::size_t words = words_of(problem);
    if (words <= 1) return StrategyTree<1>(problem, outcomes, should_stop).search();
    if (words <= 2) return StrategyTree<2>(problem, outcomes, should_stop).search();
    if (words <= 4) return StrategyTree<4>(problem, outcomes, should_stop).search();
    if (words <= 8) return StrategyTree<8>(problem, outcomes, should_stop).search();
    if (words <= 16) return StrategyTree<16>(problem, outcomes, should_stop).search();
    if (words <= 32) return StrategyTree<32>(problem, outcomes, should_stop).search();
    return StrategyTree<64>(problem, outcomes, should_stop).search();
}

}  // namespace setrograde

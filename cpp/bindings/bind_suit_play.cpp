#include <nanobind/nanobind.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <mutex>
#include <optional>
#include <tuple>
#include <utility>

#include "running.hpp"
#include "setrograde/common/bytes.hpp"
#include "setrograde/suit/goal_search.hpp"
#include "setrograde/suit/play.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Counts = std::vector<std::uint8_t>;
using Demands = std::vector<std::pair<SuitWorth, std::int64_t>>;

// A state as setrograde.analysis.suit.game has it: own, played, is_void, entries, on_lead.
using State =
    std::tuple<std::array<RankSet, 2>, std::array<Counts, 2>, std::array<bool, 2>, std::array<std::uint8_t, 2>, int>;

// One question at a time: fronts and answers found are shared.
struct SuitSolverHandle {
    SuitSolverHandle(const std::array<RankSet, 2>& own, const std::vector<RankSet>& runs,
                     const std::vector<Counts>& layouts)
        : game({own}, runs, layouts), solver(game), win_test(game) {}

    std::timed_mutex mutex;
    SuitGame game;
    SuitSolver solver;
    WinTest win_test;
};

SuitState make_state(const State& given) {
    const auto& [own, played, is_void, entries, on_lead] = given;
    SuitState state{.own = {own}, .is_void = {is_void}, .entries = {entries}, .on_lead = on_lead};
    for (std::size_t d = 0; d < 2; ++d) {
        if (played[d].size() > SUIT_RANKS) throw nb::value_error("more runs than ranks");
        std::ranges::copy(played[d], state.played[d].begin());
    }
    return state;
}

std::vector<SuitDemand> make_demands(const Demands& given) {
    std::vector<SuitDemand> demands;
    for (const auto& [worth, least] : given) demands.push_back({.worth = worth, .least = least});
    return demands;
}

// Each outcome as little-endian bytes, `stride` bits for every number of tricks.
using Outcomes = nb::typed<nb::list, nb::bytes>;

nb::bytes to_bytes(const std::uint64_t* outcome, std::size_t width) {
    std::vector<std::uint8_t> bytes(8 * width);
    for (std::size_t i = 0; i < width; ++i) put_number(bytes.data() + 8 * i, outcome[i], 8);
    return nb::bytes(bytes.data(), bytes.size());
}

std::optional<Outcomes> to_list(const std::optional<OutcomeFront>& front, std::size_t width) {
    if (!front) return std::nullopt;
    nb::list outcomes;
    for (std::size_t i = 0; i < front->size; ++i) outcomes.append(to_bytes(front->at(i, width), width));
    return Outcomes(outcomes);
}

LayoutWords from_bytes(const nb::bytes& bytes, std::size_t width) {
    if (bytes.size() != 8 * width) throw nb::value_error("an outcome of other layouts");
    LayoutWords outcome(width);
    const auto* data = static_cast<const std::uint8_t*>(bytes.data());
    for (std::size_t i = 0; i < width; ++i) outcome[i] = get_number(data + 8 * i, 8);
    return outcome;
}

// Asks when it is this question's turn; nothing if the work allowed is not enough.
template <typename Question>
auto ask(SuitSolverHandle& self, std::optional<std::uint64_t> work, const StopFlag* stop, Question question) {
    using Answer = decltype(question(std::declval<WorkMeter&>()));
    return run_stoppable([&]() -> std::optional<Answer> {
        const StopCheck should_stop = python_check(stop);
        if (should_stop()) throw Stopped{};
        const auto lock = lock_unless_stopped(self.mutex, should_stop);
        WorkMeter meter(should_stop, work.value_or(ANY_WORK));
        try {
            return question(meter);
        } catch (const WorkLimit&) {
            return std::nullopt;
        }
    });
}

std::optional<Outcomes> front(SuitSolverHandle& self, const State& given, std::optional<std::uint64_t> work,
                              const StopFlag* stop) {
    const SuitState state = make_state(given);
    const auto question = [&](WorkMeter& meter) -> OutcomeFront { return self.solver.front(state, meter); };
    return to_list(ask(self, work, stop, question), self.game.width());
}

std::optional<Outcomes> outcomes_for(SuitSolverHandle& self, const State& given, const Demands& demands,
                                     std::uint64_t work, const StopFlag* stop) {
    const SuitState state = make_state(given);
    const auto question = [&](WorkMeter& meter) {
        return SuitGoalSearch(self.game, state, make_demands(demands), meter).outcomes();
    };
    return to_list(ask(self, work, stop, question), self.game.width());
}

std::pair<std::optional<nb::bytes>, std::int64_t> best(SuitSolverHandle& self, const State& given,
                                                       const SuitWorth& worth, const Demands& demands,
                                                       const std::vector<std::int64_t>& most_by_tricks,
                                                       std::uint64_t work, const StopFlag* stop) {
    const SuitState state = make_state(given);
    const auto question = [&](WorkMeter& meter) {
        return best_outcome(self.game, state, worth, make_demands(demands), most_by_tricks, meter);
    };
    const BestOutcome found = ask(self, work, stop, question).value();
    if (!found.outcome) return {std::nullopt, found.at_most};
    return {to_bytes(found.outcome->data(), self.game.width()), found.at_most};
}

bool can_win(SuitSolverHandle& self, const State& given, const nb::bytes& outcome, const StopFlag* stop) {
    const SuitState state = make_state(given);
    const LayoutWords wanted = from_bytes(outcome, self.game.width());
    const auto question = [&](WorkMeter& meter) { return self.win_test.can_win(state, wanted, meter); };
    return ask(self, std::nullopt, stop, question).value();
}

}  // namespace

void bind_suit_play(nb::module_& module) {
    nb::class_<SuitSolverHandle>(module, "SuitSolver",
                                 "Undominated outcomes in one suit; see setrograde.analysis.suit.game.")
        .def(nb::init<const std::array<RankSet, 2>&, const std::vector<RankSet>&, const std::vector<Counts>&>(),
             nb::arg("own"), nb::arg("runs"), nb::arg("layouts"))
        .def("front", &front, nb::arg("state"), nb::arg("work") = nb::none(), nb::arg("stop") = nb::none(),
             "The undominated outcomes as bytes: for 1, 2, ... tricks a set of `stride` bits, layout 0 first.\n"
             "None if that takes more work than allowed.")
        .def("outcomes_for", &outcomes_for, nb::arg("state"), nb::arg("demands"), nb::arg("work"),
             nb::arg("stop") = nb::none(),
             "The outcomes of the front that meet all demands: a worth by tricks and layout each, and the\n"
             "least sum. None if that takes more work than allowed.")
        .def("best", &best, nb::arg("state"), nb::arg("worth"), nb::arg("demands"), nb::arg("most_by_tricks"),
             nb::arg("work"), nb::arg("stop") = nb::none(),
             "The outcome worth most, and what no outcome exceeds. Without an outcome the work was not\n"
             "enough, or none meets the demands. `most_by_tricks`: bounds for each number of tricks alone,\n"
             "or nothing.")
        .def("can_win", &can_win, nb::arg("state"), nb::arg("outcome"), nb::arg("stop") = nb::none(),
             "True if some line wins the outcome in every layout.")
        .def_prop_ro(
            "stride", [](const SuitSolverHandle& self) { return 64 * self.game.words(); }, "Bits of a set of layouts.")
        .def_prop_ro(
            "levels", [](const SuitSolverHandle& self) { return self.game.levels(); }, "The most tricks there can be.")
        .def_prop_ro(
            "states", [](const SuitSolverHandle& self) { return self.solver.states(); },
            "The number of states whose fronts are known.");
}

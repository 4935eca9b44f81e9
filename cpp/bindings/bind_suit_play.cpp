#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <mutex>
#include <optional>
#include <tuple>

#include "convert.hpp"
#include "setrograde/suit/goal_search.hpp"
#include "setrograde/suit/play.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Counts = std::vector<std::uint8_t>;
using Demands = std::vector<std::pair<SuitWorth, std::int64_t>>;

// One question at a time: fronts are shared.
struct SuitSolverHandle {
    SuitSolverHandle(const std::array<RankSet, 2>& own, const std::vector<RankSet>& classes,
                     const std::vector<Counts>& lies)
        : game(own, classes, lies), solver(game, signal_check()), win_test(game) {}

    std::mutex mutex;
    SuitGame game;
    SuitSolver solver;
    WinTest win_test;
};

SuitState make_state(const std::array<RankSet, 2>& own, const std::array<Counts, 2>& played,
                     const std::array<bool, 2>& is_void, const std::array<std::uint8_t, 2>& entries, int on_lead) {
    SuitState state{own, {}, is_void, entries, on_lead};
    for (std::size_t d = 0; d < 2; ++d) {
        if (played[d].size() > SUIT_RANKS) throw nb::value_error("more classes than ranks");
        std::copy(played[d].begin(), played[d].end(), state.played[d].begin());
    }
    return state;
}

// Each outcome as little-endian bytes, `stride` bits for every number of tricks.
using Outcomes = nb::typed<nb::list, nb::bytes>;

nb::bytes to_bytes(const std::uint64_t* outcome, std::size_t width) {
    std::vector<std::uint8_t> bytes;
    for (std::size_t word = 0; word < width; ++word)
        for (int shift = 0; shift < 64; shift += 8) bytes.push_back(static_cast<std::uint8_t>(outcome[word] >> shift));
    return nb::bytes(bytes.data(), bytes.size());
}

Outcomes to_list(const OutcomeFront& front, std::size_t width) {
    nb::list outcomes;
    for (std::size_t i = 0; i < front.size; ++i) outcomes.append(to_bytes(front.bits.data() + i * width, width));
    return Outcomes(outcomes);
}

LieWords from_bytes(const nb::bytes& bytes, std::size_t width) {
    if (bytes.size() != 8 * width) throw nb::value_error("an outcome of other lies");
    LieWords outcome(width);
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.c_str());
    for (std::size_t i = 0; i < bytes.size(); ++i) outcome[i / 8] |= std::uint64_t{data[i]} << 8 * (i % 8);
    return outcome;
}

std::vector<SuitDemand> make_demands(const Demands& demands) {
    std::vector<SuitDemand> made;
    for (const auto& [worth, least] : demands) made.push_back({worth, least});
    return made;
}

// Without the interpreter's lock; nothing if the work allowed is not enough.
template <typename Ask>
auto ask(SuitSolverHandle& self, Ask question) -> std::optional<decltype(question())> {
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(self.mutex);
        return question();
    } catch (const WorkLimit&) {
        return std::nullopt;
    } catch (const Stopped&) {
        rethrow_stopped();
    }
    return std::nullopt;
}

std::optional<Outcomes> front(SuitSolverHandle& self, const std::array<RankSet, 2>& own,
                              const std::array<Counts, 2>& played, const std::array<bool, 2>& is_void,
                              const std::array<std::uint8_t, 2>& entries, int on_lead,
                              std::optional<std::uint64_t> work) {
    const SuitState state = make_state(own, played, is_void, entries, on_lead);
    const auto found = ask(self, [&] { return self.solver.front(state, work.value_or(ANY_WORK)); });
    if (!found) return std::nullopt;
    return to_list(*found, self.game.width());
}

std::optional<Outcomes> outcomes_for(SuitSolverHandle& self, const std::array<RankSet, 2>& own,
                                     const std::array<Counts, 2>& played, const std::array<bool, 2>& is_void,
                                     const std::array<std::uint8_t, 2>& entries, int on_lead, const Demands& demands,
                                     std::uint64_t work) {
    const SuitState state = make_state(own, played, is_void, entries, on_lead);
    WorkMeter meter(signal_check());
    meter.allow(work);
    const auto found =
        ask(self, [&] { return SuitGoalSearch(self.game, state, make_demands(demands), meter).outcomes(); });
    if (!found) return std::nullopt;
    return to_list(*found, self.game.width());
}

std::tuple<std::optional<nb::bytes>, std::int64_t, std::int64_t> best(
    SuitSolverHandle& self, const std::array<RankSet, 2>& own, const std::array<Counts, 2>& played,
    const std::array<bool, 2>& is_void, const std::array<std::uint8_t, 2>& entries, int on_lead, const SuitWorth& worth,
    const Demands& demands, const std::vector<std::int64_t>& most_by_tricks, std::uint64_t work) {
    const SuitState state = make_state(own, played, is_void, entries, on_lead);
    WorkMeter meter(signal_check());
    meter.allow(work);
    const auto found =
        ask(self, [&] { return best_outcome(self.game, state, worth, make_demands(demands), most_by_tricks, meter); });
    std::optional<nb::bytes> outcome;
    if (found.value().outcome) outcome = to_bytes(found->outcome->data(), self.game.width());
    return {outcome, found->worth, found->at_most};
}

bool can_win(SuitSolverHandle& self, const std::array<RankSet, 2>& own, const std::array<Counts, 2>& played,
             const std::array<bool, 2>& is_void, const std::array<std::uint8_t, 2>& entries, int on_lead,
             const nb::bytes& outcome) {
    const SuitState state = make_state(own, played, is_void, entries, on_lead);
    const LieWords wanted = from_bytes(outcome, self.game.width());
    WorkMeter meter(signal_check());
    return ask(self, [&] { return self.win_test.can_win(state, wanted, meter); }).value();
}

}  // namespace

void bind_suit_play(nb::module_& module) {
    nb::class_<SuitSolverHandle>(module, "SuitSolver",
                                 "Undominated outcomes in one suit; see setrograde.analysis.suit.play.")
        .def(nb::init<const std::array<RankSet, 2>&, const std::vector<RankSet>&, const std::vector<Counts>&>(),
             nb::arg("own"), nb::arg("classes"), nb::arg("lies"))
        .def("front", &front, nb::arg("own"), nb::arg("played"), nb::arg("is_void"), nb::arg("entries"),
             nb::arg("on_lead"), nb::arg("work") = nb::none(),
             "Outcomes as bytes: for 1, 2, ... tricks a set of `stride` bits, lie 0 first.\n"
             "None if that takes more work than allowed.")
        .def("outcomes_for", &outcomes_for, nb::arg("own"), nb::arg("played"), nb::arg("is_void"), nb::arg("entries"),
             nb::arg("on_lead"), nb::arg("demands"), nb::arg("work"),
             "Those of the front that are worth so much: demands are worths by tricks and lie, and the\n"
             "least sum. None if that takes more work than allowed.")
        .def("best", &best, nb::arg("own"), nb::arg("played"), nb::arg("is_void"), nb::arg("entries"),
             nb::arg("on_lead"), nb::arg("worth"), nb::arg("demands"), nb::arg("most_by_tricks"), nb::arg("work"),
             "The outcome worth most, its worth, and what no outcome exceeds. Without an outcome the work\n"
             "was not enough, or none meets the demands. `most_by_tricks`: bounds for each number of\n"
             "tricks alone, or nothing.")
        .def("can_win", &can_win, nb::arg("own"), nb::arg("played"), nb::arg("is_void"), nb::arg("entries"),
             nb::arg("on_lead"), nb::arg("outcome"), "True if some line wins the outcome in every lie.")
        .def_prop_ro(
            "stride", [](const SuitSolverHandle& self) { return 64 * self.game.words(); }, "Bits of a set of lies.")
        .def_prop_ro(
            "levels", [](const SuitSolverHandle& self) { return self.game.levels(); }, "Most tricks there can be.")
        .def_prop_ro(
            "states", [](const SuitSolverHandle& self) { return self.solver.states(); },
            "States whose fronts are known.");
}

#include <nanobind/stl/vector.h>

#include <mutex>

#include "convert.hpp"
#include "setrograde/suit_play.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Counts = std::vector<std::uint8_t>;

// One question at a time: fronts are shared.
struct SuitSolverHandle {
    std::mutex mutex;
    SuitSolver solver;
};

SuitState make_state(const std::array<RankSet, 2>& own, const std::array<Counts, 2>& played,
                     const std::array<bool, 2>& is_void, const std::array<std::uint8_t, 2>& entries,
                     int on_lead) {
    SuitState state{own, {}, is_void, entries, on_lead};
    for (std::size_t d = 0; d < 2; ++d) {
        if (played[d].size() > SUIT_RANKS) throw nb::value_error("more classes than ranks");
        std::copy(played[d].begin(), played[d].end(), state.played[d].begin());
    }
    return state;
}

// Each outcome as little-endian bytes, `stride` bits for every number of tricks.
using Outcomes = nb::typed<nb::list, nb::bytes>;

Outcomes front(SuitSolverHandle& self, const std::array<RankSet, 2>& own,
               const std::array<Counts, 2>& played, const std::array<bool, 2>& is_void,
               const std::array<std::uint8_t, 2>& entries, int on_lead) {
    const SuitState state = make_state(own, played, is_void, entries, on_lead);
    OutcomeFront found;
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(self.mutex);
        found = self.solver.front(state);
    } catch (const Stopped&) {
        rethrow_stopped();
    }
    nb::list outcomes;
    const std::size_t width = found.bits.size() / found.size;
    for (std::size_t i = 0; i < found.size; ++i) {
        std::vector<std::uint8_t> bytes;
        for (std::size_t word = 0; word < width; ++word)
            for (int shift = 0; shift < 64; shift += 8)
                bytes.push_back(static_cast<std::uint8_t>(found.bits[i * width + word] >> shift));
        outcomes.append(nb::bytes(bytes.data(), bytes.size()));
    }
    return Outcomes(outcomes);
}

}  // namespace

void bind_suit_play(nb::module_& module) {
    nb::class_<SuitSolverHandle>(module, "SuitSolver",
                                 "Undominated outcomes in one suit; see setrograde.analysis.suit_play.")
        .def(
            "__init__",
            [](SuitSolverHandle* self, const std::array<RankSet, 2>& own,
               const std::vector<RankSet>& classes, const std::vector<Counts>& lies) {
                new (self) SuitSolverHandle{{}, {own, classes, lies, signal_check()}};
            },
            nb::arg("own"), nb::arg("classes"), nb::arg("lies"))
        .def("front", &front, nb::arg("own"), nb::arg("played"), nb::arg("is_void"),
             nb::arg("entries"), nb::arg("on_lead"),
             "Outcomes as bytes: for 1, 2, ... tricks a set of `stride` bits, lie 0 first.")
        .def_prop_ro("stride", [](const SuitSolverHandle& self) { return 64 * self.solver.words(); },
                     "Bits of a set of lies.")
        .def_prop_ro("levels", [](const SuitSolverHandle& self) { return self.solver.levels(); },
                     "Most tricks there can be.")
        .def_prop_ro("states", [](const SuitSolverHandle& self) { return self.solver.states(); },
                     "States whose fronts are known.");
}

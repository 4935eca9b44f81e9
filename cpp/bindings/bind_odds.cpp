#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <chrono>

#include "convert.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/odds/odds.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Watch = std::optional<std::function<bool(const OddsProgress&)>>;
using Bound = std::tuple<CardSet, int, int>;

// Looks for signals and calls back about ten times a second.
OddsWatch watch_python(const Watch& progress) {
    return [&progress, last = std::chrono::steady_clock::time_point{}](const OddsProgress& now) mutable {
        const auto time = std::chrono::steady_clock::now();
        if (time - last < std::chrono::milliseconds(100)) return false;
        last = time;
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return true;
        if (!progress) return false;
        try {
            return (*progress)(now);
        } catch (nb::python_error& error) {
            error.restore();
            return true;
        }
    };
}

OddsProblem make_problem(CardSet north, CardSet south, CardSet hidden, int strain, int leader,
                         const std::vector<int>& trick, const std::optional<std::vector<std::array<int, 4>>>& shapes,
                         const std::tuple<int, int>& points, CardSet east, CardSet west) {
    OddsProblem problem;
    problem.north = north;
    problem.south = south;
    problem.hidden = hidden;
    problem.strain = strain;
    problem.leader = leader;
    problem.trick.assign(trick.begin(), trick.end());
    if (shapes) {
        problem.shapes = *shapes;
        if (shapes->empty()) problem.shapes.push_back({-1, -1, -1, -1});  // none is allowed
    }
    problem.min_points = std::get<0>(points);
    problem.max_points = std::get<1>(points);
    problem.east = east;
    problem.west = west;
    return problem;
}

// A problem and what its searches may use.
struct OddsSolver {
    Odds odds;
    std::size_t limit_bytes;
    Endings endings;
};

}  // namespace

void bind_odds(nb::module_& module) {
    nb::class_<OddsProgress>(module, "OddsProgress", "How far a problem is settled.")
        .def_ro("yes", &OddsProgress::yes)
        .def_ro("no", &OddsProgress::no)
        .def_ro("sets", &OddsProgress::sets)
        .def_ro("solves", &OddsProgress::solves)
        .def_ro("told_apart", &OddsProgress::told_apart, "Lies for which the games with ties were not enough.");

    nb::class_<OddsSet>(module, "OddsSet", "Lies with one answer.")
        .def_ro("makes", &OddsSet::makes)
        .def_ro("lies", &OddsSet::lies)
        .def_prop_ro(
            "bounds",
            [](const OddsSet& set) {
                std::vector<Bound> bounds;
                for (const OddsBound& bound : set.bounds) bounds.emplace_back(bound.cards, bound.low, bound.high);
                return bounds;
            },
            "East has at least and at most so many of these cards: (cards, low, high).");

    nb::class_<OddsResult>(module, "OddsResult", "What is settled of a problem.")
        .def_prop_ro("yes", [](const OddsResult& result) { return result.counts.yes; })
        .def_prop_ro("no", [](const OddsResult& result) { return result.counts.no; })
        .def_prop_ro("solves", [](const OddsResult& result) { return result.counts.solves; })
        .def_prop_ro("told_apart", [](const OddsResult& result) { return result.counts.told_apart; })
        .def_ro("nodes", &OddsResult::nodes)
        .def_ro("open", &OddsResult::open)
        .def_prop_ro(
            "sets", [](const OddsResult& result) -> const std::vector<OddsSet>& { return result.sets; },
            nb::rv_policy::reference_internal);

    nb::class_<OddsSolver>(module, "OddsSolver", "All lies of the hidden cards between East and West.")
        .def(
            "__init__",
            [](OddsSolver* self, CardSet north, CardSet south, CardSet hidden, int strain, int leader,
               const std::vector<int>& trick, const std::optional<std::vector<std::array<int, 4>>>& shapes,
               const std::tuple<int, int>& points, CardSet east, CardSet west, std::size_t limit_bytes,
               Endings endings) {
                const nb::gil_scoped_release released;
                new (self) OddsSolver{
                    Odds(make_problem(north, south, hidden, strain, leader, trick, shapes, points, east, west)),
                    limit_bytes, std::move(endings)};
            },
            nb::arg("north"), nb::arg("south"), nb::arg("hidden"), nb::arg("strain"), nb::arg("leader"), nb::kw_only(),
            nb::arg("trick") = std::vector<int>{}, nb::arg("shapes") = nb::none(),
            nb::arg("points") = std::tuple<int, int>{0, 40}, nb::arg("east") = 0, nb::arg("west") = 0,
            nb::arg("limit_bytes") = std::size_t{1} << 30, nb::arg("endings") = nb::none(),
            "East and West each have as many of the hidden cards as they must. `shapes`: what East may have of "
            "each suit, clubs first; `points`: high-card points among East's; `east`, `west`: cards each has.")
        .def_prop_ro("lies", [](const OddsSolver& self) { return self.odds.lies(); })
        .def(
            "settle",
            [](const OddsSolver& self, int need, const std::string& method, int threads, const Watch& progress) {
                if (method != "classes" && method != "patterns")
                    throw nb::value_error("no such method (expected 'classes' or 'patterns')");
                OddsResult result;
                {
                    const nb::gil_scoped_release released;
                    result = self.odds.settle(need, method == "patterns", threads, self.limit_bytes, self.endings,
                                              watch_python(progress));
                }
                if (PyErr_Occurred()) throw nb::python_error();
                return result;
            },
            nb::arg("need"), nb::kw_only(), nb::arg("method") = "patterns", nb::arg("threads") = 1,
            nb::arg("progress") = nb::none(),
            "Settles for all lies whether North-South take `need` tricks, with one search (patterns) or with two "
            "games that bracket ties (classes). `progress` may return True to stop.")
        .def(
            "sample",
            [](const OddsSolver& self, std::size_t count, std::uint64_t seed, std::optional<int> need) {
                try {
                    const nb::gil_scoped_release released;
                    return self.odds.sample(count, seed, need, self.limit_bytes, self.endings, signal_check());
                } catch (const Stopped&) {
                    rethrow_stopped();
                }
            },
            nb::arg("count"), nb::arg("seed"), nb::arg("need") = nb::none(),
            "Tricks of North-South in random lies; with `need` only `need`, if they take as many, or one less.");
}

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "convert.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/odds/sample.hpp"
#include "setrograde/odds/settle.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Shapes = std::optional<std::vector<std::array<int, 4>>>;
using Bound = std::tuple<CardSet, int, int>;
using Cases = std::optional<std::vector<std::tuple<std::vector<std::array<int, 4>>, std::uint64_t, CardSet, CardSet>>>;

// Functions of Python that hear how far the work is, and may return True to stop it.
using SettleWatch = std::optional<std::function<bool(const OddsProgress&)>>;
using SampleWatch = std::optional<std::function<bool(std::size_t)>>;

OddsProblem make_problem(CardSet north, CardSet south, CardSet hidden, int strain, int leader,
                         const std::vector<int>& trick, const Shapes& shapes, const std::tuple<int, int>& points,
                         CardSet east, CardSet west, const Cases& cases) {
    OddsProblem problem{
        .north = north,
        .south = south,
        .hidden = hidden,
        .strain = strain,
        .leader = leader,
        .trick = trick,
        .shapes = {},
        .min_points = std::get<0>(points),
        .max_points = std::get<1>(points),
        .east = east,
        .west = west,
        .cases = {},
    };
    if (cases) {
        problem.cases.emplace();
        for (const auto& [lengths, allowed, first, second] : *cases) {
            OddsCase part{.shapes = {}, .points = allowed, .east = first, .west = second};
            for (const std::array<int, 4>& shape : lengths) part.shapes.push_back({shape});
            problem.cases->push_back(std::move(part));
        }
    }
    if (shapes) {
        problem.shapes.emplace();
        for (const std::array<int, 4>& shape : *shapes) problem.shapes->push_back({shape});
    }
    return problem;
}

SettleMethod make_method(const std::string& name) {
    if (name == "patterns") return SettleMethod::PATTERNS;
    if (name == "classes") return SettleMethod::CLASSES;
    throw nb::value_error("no such method (expected 'classes' or 'patterns')");
}

// A problem and what its searches may use.
struct OddsSolver {
    Layouts layouts;
    std::size_t limit_bytes;
    Endings endings;
};

OddsResult settle_layouts(const OddsSolver& self, int need, const std::string& method, int threads,
                          const SettleWatch& progress, const StopFlag* stop) {
    const SettleOptions options{
        .method = make_method(method), .threads = threads, .limit_bytes = self.limit_bytes, .endings = self.endings};
    OddsResult result = run_stoppable([&] {
        return settle(self.layouts, need, options,
                      python_check(stop, [&](const OddsProgress& now) { return progress && (*progress)(now); }));
    });
    if (PyErr_Occurred()) throw nb::python_error();  // of a signal or of the watch
    return result;
}

std::vector<int> sample_layouts(const OddsSolver& self, std::size_t count, std::uint64_t seed, std::optional<int> need,
                                const SampleWatch& progress, const StopFlag* stop) {
    const SampleOptions options{.seed = seed, .need = need, .limit_bytes = self.limit_bytes, .endings = self.endings};
    return run_stoppable([&] {
        return sample_tricks(self.layouts, count, options,
                             python_check(stop, [&](std::size_t done) { return progress && (*progress)(done); }));
    });
}

}  // namespace

void bind_odds(nb::module_& module) {
    nb::class_<OddsProgress>(module, "OddsProgress", "How far a problem is settled.")
        .def_ro("yes", &OddsProgress::yes)
        .def_ro("no", &OddsProgress::no)
        .def_ro("sets", &OddsProgress::sets)
        .def_ro("solves", &OddsProgress::solves)
        .def_ro("told_apart", &OddsProgress::told_apart, "Layouts for which the games with ties were not enough.");

    nb::class_<OddsSet>(module, "OddsSet", "Layouts with one answer.")
        .def_ro("makes", &OddsSet::makes)
        .def_ro("layouts", &OddsSet::layouts)
        .def_prop_ro(
            "bounds",
            [](const OddsSet& set) {
                std::vector<Bound> bounds;
                for (const OddsBound& bound : set.bounds) bounds.emplace_back(bound.cards, bound.low, bound.high);
                return bounds;
            },
            "For each card set, the least and the greatest number of its cards that East has: (cards, low, high).");

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

    nb::class_<OddsSolver>(module, "OddsSolver", "All layouts of the hidden cards between East and West.")
        .def(
            "__init__",
            [](OddsSolver* self, CardSet north, CardSet south, CardSet hidden, int strain, int leader,
               const std::vector<int>& trick, const Shapes& shapes, const std::tuple<int, int>& points, CardSet east,
               CardSet west, const Cases& cases, std::size_t limit_bytes, Endings endings) {
                const nb::gil_scoped_release released;
                new (self) OddsSolver{Layouts(make_problem(north, south, hidden, strain, leader, trick, shapes, points,
                                                           east, west, cases)),
                                      limit_bytes, std::move(endings)};
            },
            nb::arg("north"), nb::arg("south"), nb::arg("hidden"), nb::arg("strain"), nb::arg("leader"), nb::kw_only(),
            nb::arg("trick") = std::vector<int>{}, nb::arg("shapes") = nb::none(),
            nb::arg("points") = std::tuple<int, int>{0, 40}, nb::arg("east") = 0, nb::arg("west") = 0,
            nb::arg("cases") = nb::none(), nb::arg("limit_bytes") = std::size_t{1} << 30,
            nb::arg("endings") = nb::none(),
            "The hidden cards fill the hands of East and West. `shapes` are the lengths East may have, clubs first; "
            "`points` the least and the greatest number of his high-card points; `east` and `west` cards that each "
            "has. If there are `cases`, which exclude each other, a layout must be in one of them: lengths of East, "
            "his points as bits, cards of East and of West.")
        .def_prop_ro("layouts", [](const OddsSolver& self) { return self.layouts.size(); })
        .def("settle", settle_layouts, nb::arg("need"), nb::kw_only(), nb::arg("method") = "patterns",
             nb::arg("threads") = 1, nb::arg("progress") = nb::none(), nb::arg("stop") = nb::none(),
             "Settles for all layouts whether North-South take `need` tricks, with one search (patterns) or with two "
             "games that bracket ties (classes). `progress` may return True to stop; stopped, the result is partial.")
        .def("sample", sample_layouts, nb::arg("count"), nb::arg("seed"), nb::arg("need") = nb::none(), nb::kw_only(),
             nb::arg("progress") = nb::none(), nb::arg("stop") = nb::none(),
             "Tricks of North-South in `count` random layouts; with `need` only `need`, if they take as many, or one "
             "less. `progress` hears how many are done and may return True to stop, which raises Stopped.");
}

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <stdexcept>

#include "convert.hpp"
#include "setrograde/deals/sampler.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Worth = nb::ndarray<const std::int16_t, nb::shape<SUITS, HOLDINGS>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<CardSet, nb::shape<-1, SEATS>, nb::c_contig, nb::device::cpu>;

Measure make_measure(const Worth& worth) {
    Measure measure;
    for (int suit = 0; suit < SUITS; ++suit)
        measure.worth[suit].assign(worth.data() + suit * HOLDINGS, worth.data() + (suit + 1) * HOLDINGS);
    return measure;
}

Watch make_watch(const std::tuple<unsigned, Condition>& watch) { return {std::get<0>(watch), std::get<1>(watch)}; }

std::vector<Watch> make_watches(const std::vector<std::tuple<unsigned, Condition>>& watches) {
    std::vector<Watch> made;
    for (const auto& watch : watches) made.push_back(make_watch(watch));
    return made;
}

std::optional<std::shared_ptr<DealCounts>> count_deals(const PerSeat<CardSet>& known, const PerSeat<CardSet>& denied,
                                                       const std::vector<Worth>& measures,
                                                       const std::vector<std::tuple<unsigned, Condition>>& watches,
                                                       std::size_t most_steps, std::size_t limit_bytes,
                                                       const StopFlag* stop) {
    DealProblem problem{.known = known, .denied = denied, .measures = {}, .watches = make_watches(watches)};
    for (const Worth& worth : measures) problem.measures.push_back(make_measure(worth));
    try {
        return run_stoppable([&] {
            return std::make_optional(std::make_shared<DealCounts>(
                problem, CountLimits{.steps = most_steps, .bytes = limit_bytes}, python_check(stop)));
        });
    } catch (const TooManyCases&) {
        return std::nullopt;
    }
}

std::size_t draw_deals(DealSampler& self, const Rows& rows, std::uint64_t most_tries,
                       const Listener<std::size_t>& progress, const StopFlag* stop) {
    const std::span<CardSet> hands(rows.data(), rows.shape(0) * SEATS);
    return run_stoppable([&] { return self.draw(hands, most_tries, python_check<std::size_t>(stop, progress)); });
}

}  // namespace

void bind_deals(nb::module_& module) {
    nb::class_<Condition>(module, "DealCondition", "What is asked of a hand, or of several hands together.")
        .def(
            "__init__",
            [](Condition* self, std::optional<std::vector<PerSuit<int>>> shapes,
               const std::vector<std::tuple<std::size_t, int, int>>& bounds,
               std::vector<std::vector<Condition>> clauses) {
                new (self) Condition{.shapes = std::move(shapes), .bounds = {}, .clauses = std::move(clauses)};
                for (const auto& [measure, low, high] : bounds) self->bounds.push_back({measure, low, high});
            },
            nb::arg("shapes") = nb::none(), nb::arg("bounds") = std::vector<std::tuple<std::size_t, int, int>>{},
            nb::arg("clauses") = std::vector<std::vector<Condition>>{},
            "Lengths allowed, clubs first; (measure, low, high); and lists of alternatives.");

    nb::class_<DealCounts>(module, "DealCounts", "The number of deals that fit, by suits.")
        .def_prop_ro(
            "size",
            [](const DealCounts& self) {
                const nb::int_ high(static_cast<std::uint64_t>(self.size() >> 64));
                const nb::int_ low(static_cast<std::uint64_t>(self.size()));
                return nb::cast<nb::int_>((high << nb::int_(64)) | low);
            },
            "All deals that fit.");

    module.def("count_deals", count_deals, nb::arg("known"), nb::arg("denied"), nb::arg("measures"), nb::arg("watches"),
               nb::kw_only(), nb::arg("most_steps") = CountLimits{}.steps, nb::arg("limit_bytes") = CountLimits{}.bytes,
               nb::arg("stop") = nb::none(),
               "Counts the deals with these cards known and denied, by seat. A measure is an array of 4 times 8192 "
               "numbers, by suit and holding; a watch has the seats, as bits, and a condition on their cards. None "
               "if that takes more steps or bytes than allowed.");

    nb::class_<DealSampler>(module, "DealSampler", "Random deals, all that fit equally likely.")
        .def(
            "__init__",
            [](DealSampler* self, std::shared_ptr<DealCounts> counts, std::uint64_t seed,
               const std::vector<Worth>& measures, const std::vector<std::tuple<unsigned, Condition>>& checks) {
                std::vector<Measure> made;
                for (const Worth& worth : measures) made.push_back(make_measure(worth));
                new (self) DealSampler(std::move(counts), std::move(made), make_watches(checks), seed);
            },
            nb::arg("counts"), nb::arg("seed"), nb::arg("measures"), nb::arg("checks"),
            "Deals that fit the counts and also pass the checks.")
        .def_prop_ro("tries", &DealSampler::tries, "Deals drawn so far, with those that failed a check.")
        .def("draw", draw_deals, nb::arg("rows"), nb::kw_only(), nb::arg("most_tries") = ~std::uint64_t{0},
             nb::arg("progress") = nb::none(), nb::arg("stop") = nb::none(),
             "Writes the next deals into rows of four card sets by seat, and returns their number: fewer than there "
             "are rows only if `most_tries` are not enough.");
}

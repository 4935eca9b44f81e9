#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>

#include "convert.hpp"
#include "setrograde/endings/sets/ending_sets.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

void check_rank(const SetLevel& level, std::size_t rank) {
    if (rank >= level.shapes()) throw nb::value_error("no shape has that number");
}

void check_below(const SetLevel& below) {
    if (below.tricks() >= MAX_SET_TRICKS) throw nb::value_error("levels of sets have at most four tricks");
}

std::vector<std::pair<Masks, int>> to_pairs(std::span<const EndingSet> sets) {
    std::vector<std::pair<Masks, int>> pairs;
    for (const EndingSet& set : sets) pairs.emplace_back(set.masks, set.value);
    return pairs;
}

// Owners of all cards, suit by suit, the highest first.
Masks to_layout(const SetLevel& level, std::size_t rank, const nb::bytes& owners) {
    check_rank(level, rank);
    const MaskFields& fields = level.fields(rank);
    if (owners.size() != static_cast<std::size_t>(fields.cards()))
        throw nb::value_error("not as many owners as the shape has cards");
    Masks layout = 0;
    for (std::size_t card = 0; card < owners.size(); ++card) {
        const auto owner = static_cast<unsigned char>(owners.c_str()[card]);
        if (owner > 3) throw nb::value_error("an owner is 0, 1, 2 or 3");
        layout |= Masks{1} << (4 * card + owner);
    }
    if (fields.is_empty(layout)) throw nb::value_error("owners of another shape");
    return layout;
}

}  // namespace

void bind_ending_sets(nb::module_& module) {
    module.attr("MAX_SET_TRICKS") = MAX_SET_TRICKS;
    nb::class_<SetLevel>(module, "SetLevel", "All endings with one number of tricks, as sets; see setrograde.db.")
        .def(nb::init<>(), "The level without a card.")
        .def_static(
            "build",
            [](const SetLevel& below, const Listener<std::size_t>& progress, const StopFlag* stop) {
                check_below(below);
                return run_stoppable(
                    [&] { return std::make_shared<SetLevel>(SetLevel::build(below, python_check(stop, progress))); });
            },
            nb::arg("below"), nb::arg("progress") = nb::none(), nb::arg("stop") = nb::none(),
            "The level above `below`; `progress` gets the number of finished shapes.")
        .def(
            "solve_shape",
            [](const SetLevel& self, std::size_t rank, const StopFlag* stop) {
                check_below(self);
                const ShapeIndex index(self.tricks() + 1);
                if (rank >= index.size()) throw nb::value_error("no shape has that number");
                const Shape shape = index.shape(rank);
                return to_pairs(run_stoppable([&] { return self.solve_shape(shape, python_check(stop)); }));
            },
            nb::arg("rank"), nb::arg("stop") = nb::none(),
            "The sets of one shape of the level above, like `sets_of_shape`.")
        .def_prop_ro("tricks", &SetLevel::tricks, "Cards in each hand.")
        .def_prop_ro("shapes", &SetLevel::shapes, "How many canonical shapes there are.")
        .def("__len__", &SetLevel::size, "How many sets there are.")
        .def_prop_ro(
            "sets_found", [](const SetLevel& self) { return self.statistics().sets_found; },
            "Sets before compaction: the number of endings solved singly.")
        .def_prop_ro(
            "questions", [](const SetLevel& self) { return self.statistics().questions; },
            "Candidates put to the oracle.")
        .def_prop_ro(
            "lookups", [](const SetLevel& self) { return self.statistics().lookups; },
            "Sets looked up in the level below.")
        .def(
            "sets_of_shape",
            [](const SetLevel& self, std::size_t rank) {
                check_rank(self, rank);
                return to_pairs(self.sets(rank));
            },
            nb::arg("rank"),
            "Pairs of owner masks and value. The masks have four bits a card, suit by suit, the "
            "highest card of the first suit in the lowest bits.")
        .def(
            "value_of_layout",
            [](const SetLevel& self, std::size_t rank, const nb::bytes& owners) {
                const Masks layout = to_layout(self, rank, owners);
                return self.tree(rank).find(layout);
            },
            nb::arg("rank"), nb::arg("owners"), "Value of one layout of a shape, given the owners of its cards.")
        .def(
            "values_of_shape",
            [](const SetLevel& self, std::size_t rank) {
                check_rank(self, rank);
                const std::vector<std::uint8_t> values = [&] {
                    const nb::gil_scoped_release released;
                    return self.values(rank);
                }();
                return nb::bytes(values.data(), values.size());
            },
            nb::arg("rank"), "Values of all layouts of a shape, in dictionary order of owners.")
        .def(
            "to_bytes",
            [](const SetLevel& self) {
                const std::string bytes = self.to_bytes();
                return nb::bytes(bytes.data(), bytes.size());
            },
            "What `from_bytes` reads; the format is in docs/formats/set_levels.md.")
        .def_static(
            "from_bytes",
            [](const nb::bytes& bytes, const StopFlag* stop) {
                const std::string_view view(bytes.c_str(), bytes.size());
                try {
                    return run_stoppable(
                        [&] { return std::make_shared<SetLevel>(SetLevel::from_bytes(view, python_check(stop))); });
                } catch (const InvalidLevel& error) {
                    throw nb::value_error(error.what());
                }
            },
            nb::arg("bytes"), nb::arg("stop") = nb::none(),
            "Reads what `to_bytes` gave; checks that every ending has one value.");
}

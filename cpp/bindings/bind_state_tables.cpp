#include <nanobind/ndarray.h>
#include <nanobind/stl/shared_ptr.h>

#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <string>

#include "convert.hpp"
#include "setrograde/endings/states/state_tables.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Progress = Listener<std::size_t>;
using HandRows = nb::ndarray<const CardSet, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Bytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Answers = nb::ndarray<nb::numpy, T, nb::ndim<1>>;

template <typename T>
Answers<T> to_numpy(std::unique_ptr<T[]> numbers, std::size_t size) {
    T* data = numbers.release();
    const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return Answers<T>(data, {size}, owner);
}

void make_level(StateLevel* self, int tricks, const StateLevel* below, std::size_t threads, const Progress& progress,
                const StopFlag* stop) {
    if (tricks < 0 || tricks > MAX_LEVEL_TRICKS)
        throw nb::value_error("tables of every layout exist for 0 to 3 tricks");
    if (tricks == 0 ? below != nullptr : !below || below->tricks() != tricks - 1)
        throw nb::value_error("the level below has one trick less, and is None for 0 tricks");
    if (!below)
        new (self) StateLevel();
    else
        run_stoppable([&] { return new (self) StateLevel(*below, Work{threads, python_check(stop, progress)}); });
}

void check_cards(const StateLevel& level, const PerSeat<CardSet>& hands, int strain, int leader) {
    make_position(hands, strain, leader, {});
    if (count(hands[0]) != level.tricks()) throw nb::value_error("hands of another number of cards than the level");
}

Answers<std::uint8_t> values(const StateLevel& level, const HandRows& hands, const Bytes& strains,
                             const Bytes& leaders) {
    const std::size_t size = hands.shape(0);
    if (strains.shape(0) != size || leaders.shape(0) != size)
        throw nb::value_error("hands, strains and leaders differ in number");
    auto found = std::make_unique<std::uint8_t[]>(size);
    {
        const nb::gil_scoped_release released;
        for (std::size_t i = 0; i < size; ++i) {
            const CardSet* row = hands.data() + 4 * i;
            const PerSeat<CardSet> four{row[0], row[1], row[2], row[3]};
            try {
                check_cards(level, four, strains.data()[i], leaders.data()[i]);
            } catch (const nb::builtin_exception& error) {
                throw std::invalid_argument("row " + std::to_string(i) + ": " + error.what());
            }
            found[i] = static_cast<std::uint8_t>(level.value(four, strains.data()[i], leaders.data()[i]));
        }
    }
    return to_numpy(std::move(found), size);
}

Answers<std::uint64_t> shape_layouts(int tricks) {
    if (tricks < 0 || tricks > MAX_INDEXED_TRICKS) throw nb::value_error("shapes are listed for 0 to 7 tricks");
    std::unique_ptr<std::uint64_t[]> layouts;
    std::size_t size = 0;
    {
        const nb::gil_scoped_release released;
        const std::vector<Shape> shapes = ShapeIndex(tricks).shapes();
        layouts = std::make_unique<std::uint64_t[]>(shapes.size());
        for (const Shape& shape : shapes) layouts[size++] = shape.layouts();
    }
    return to_numpy(std::move(layouts), size);
}

nb::bytes to_python(std::span<const std::uint8_t> bytes) { return nb::bytes(bytes.data(), bytes.size()); }

Shape make_shape(const PerSuit<Split>& suits, bool has_trumps) {
    const Shape shape{suits, has_trumps};
    const int tricks = shape.tricks();
    for (int player = 0; player < PLAYERS; ++player) {
        int cards = 0;
        for (const Split split : suits) cards += held(split, player);
        if (cards != tricks) throw nb::value_error("hands differ in length");
    }
    for (const Split split : suits)
        if (length(split) > LONGEST_SUIT) throw nb::value_error("more than 13 cards of a suit");
    if (tricks > MAX_INDEXED_TRICKS || canonical(shape).shape != shape) throw nb::value_error("not a canonical shape");
    return shape;
}

// One question at a time: tables between are shared.
struct ShapeSolverHandle {
    std::timed_mutex mutex;
    ShapeSolver solver;
};

}  // namespace

void bind_state_tables(nb::module_& module) {
    module.attr("MAX_LEVEL_TRICKS") = MAX_LEVEL_TRICKS;
    nb::class_<StateLevel>(module, "StateLevel",
                           "Values of every layout of every shape; see setrograde.db.methods.state_tables.")
        .def("__init__", &make_level, nb::arg("tricks"), nb::arg("below") = nb::none(), nb::arg("threads") = 1,
             nb::arg("progress") = nb::none(), nb::arg("stop") = nb::none())
        .def_static(
            "from_bytes",
            [](const nb::bytes& bytes) {
                const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.c_str());
                const nb::gil_scoped_release released;
                return StateLevel::from_bytes({data, bytes.size()});
            },
            nb::arg("data"), "Reads what `to_bytes` wrote.")
        .def(
            "to_bytes",
            [](const StateLevel& self) { return to_python(run_stoppable([&] { return self.to_bytes(); })); },
            "Packed, two bits a value, with a checksum.")
        .def_prop_ro("tricks", &StateLevel::tricks, "Cards in each hand.")
        .def_prop_ro("shapes", &StateLevel::shapes, "How many canonical shapes there are.")
        .def_prop_ro("layouts", &StateLevel::layouts, "How many values there are.")
        .def_prop_ro("states", &StateLevel::states, "How many canonical states there are.")
        .def(
            "values_of_shape",
            [](const StateLevel& self, std::size_t rank) {
                if (rank >= self.shapes()) throw nb::value_error("not the number of a shape");
                return to_python(self.table(rank));
            },
            nb::arg("rank"), "The table of a shape: a byte for each layout.")
        .def(
            "value",
            [](const StateLevel& self, const PerSeat<CardSet>& hands, int strain, int leader) {
                check_cards(self, hands, strain, leader);
                return self.value(hands, strain, leader);
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), "Tricks of the leader's side.")
        .def("values", &values, nb::arg("hands"), nb::arg("strains"), nb::arg("leaders"),
             "Tricks of the leader's side for each row.");

    nb::class_<ShapeSolverHandle>(module, "ShapeSolver",
                                  "Tables of single shapes above a level; see setrograde.db.methods.state_tables.")
        .def(
            "__init__",
            [](ShapeSolverHandle* self, std::shared_ptr<const StateLevel> level, std::size_t limit_bytes) {
                new (self) ShapeSolverHandle{{}, {std::move(level), limit_bytes}};
            },
            nb::arg("level"), nb::arg("limit_bytes"))
        .def(
            "bytes_needed",
            [](const ShapeSolverHandle& self, const PerSuit<Split>& suits, bool has_trumps) {
                return self.solver.bytes_needed(make_shape(suits, has_trumps));
            },
            nb::arg("suits"), nb::arg("has_trumps"), "Bytes of the tables that solving a shape takes.")
        .def(
            "solve",
            [](ShapeSolverHandle& self, const PerSuit<Split>& suits, bool has_trumps, std::size_t threads,
               const Progress& progress, const StopFlag* stop) {
                const Shape shape = make_shape(suits, has_trumps);
                return to_python(run_stoppable([&] {
                    const auto lock = lock_unless_stopped(self.mutex, python_check(stop));
                    return self.solver.solve(shape, Work{threads, python_check(stop, progress)});
                }));
            },
            nb::arg("suits"), nb::arg("has_trumps"), nb::arg("threads") = 1, nb::arg("progress") = nb::none(),
            nb::arg("stop") = nb::none(),
            "The table of a canonical shape; a suit is four lengths of four bits, player 0 highest.");

    module.def("shape_layouts", &shape_layouts, nb::arg("tricks"),
               "How many layouts each canonical shape has, in the order of their numbers.");
}

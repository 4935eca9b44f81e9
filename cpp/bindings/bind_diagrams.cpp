#include <nanobind/stl/string.h>

#include <set>

#include "convert.hpp"
#include "level_questions.hpp"
#include "setrograde/endings/diagrams/diagram_build.hpp"
#include "setrograde/endings/queries/card_values.hpp"

namespace nb = nanobind;
using namespace setrograde;
using namespace nb::literals;

namespace {

void check_level(const BuildPlan& plan, int level, std::size_t shard) {
    if (level < 1 || level > plan.tricks() || shard >= plan.shards(level))
        throw nb::value_error("the plan has no such shard");
}

void check_shard(const BuildPlan& plan, const Shard& shard, std::size_t number) {
    check_level(plan, shard.tricks, number);
    if (shard.roots.size() != plan.start(shard.tricks, number + 1) - plan.start(shard.tricks, number))
        throw nb::value_error("not that shard of the plan");
}

Shard build(const OrderedLevel& below, const BuildPlan& plan, int level, std::size_t shard, const StopFlag* stop) {
    check_level(plan, level, shard);
    if (below.rows.tricks() != level - 1) throw nb::value_error("not the level below");
    for (const Shape& shape : plan.shapes(level - 1))
        if (below.roots[below.rows.shape_number(shape)] == INFEASIBLE)
            throw nb::value_error("the level below is not complete");
    return run_stoppable([&] { return build_shard(below, plan, level, shard, python_check(stop)); });
}

std::vector<std::pair<Place, int>> values_of_cards(const Hands& hands, int strain, int leader,
                                                   const std::vector<int>& trick, const DiagramLevel* below) {
    const Position position = make_position(hands, strain, leader, trick);
    const int tricks = count(position.hands[static_cast<std::size_t>(position.turn())]);
    if (tricks == 0 || (below ? below->tricks() : 0) != tricks - 1)
        throw nb::value_error("not the level that this trick leads to");
    const nb::gil_scoped_release released;
    return card_values(position, below);
}

}  // namespace

void bind_diagrams(nb::module_& module) {
    nb::exception<LevelFileError>(module, "LevelFileError", PyExc_ValueError);
    nb::exception<ShardError>(module, "ShardError", PyExc_ValueError);

    module.attr("MAX_PLANNED_TRICKS") = MAX_PLANNED_TRICKS;
    nb::class_<BuildPlan>(module, "BuildPlan", "Shapes of all levels up to one, in shards.")
        .def(
            "__init__",
            [](BuildPlan* self, int tricks, std::size_t last_shards, const StopFlag* stop) {
                if (tricks < 1 || tricks > MAX_PLANNED_TRICKS) throw nb::value_error("tricks out of range");
                run_stoppable([&] { return new (self) BuildPlan(tricks, last_shards, python_check(stop)); });
            },
            "tricks"_a, "last_shards"_a = 0, "stop"_a = nb::none(),
            "The last level has `last_shards` at most, if given.")
        .def_static(
            "of_shapes",
            [](int tricks, const std::vector<std::uint32_t>& ranks, std::size_t last_shards) {
                if (tricks < 1 || tricks > MAX_PLANNED_TRICKS || ranks.empty())
                    throw nb::value_error("tricks out of range, or no shapes");
                const nb::gil_scoped_release released;
                const ShapeIndex index(tricks);
                std::vector<Shape> shapes;
                for (const std::uint32_t rank : std::set(ranks.begin(), ranks.end())) {
                    if (rank >= index.size()) throw std::invalid_argument("no such shape");
                    shapes.push_back(index.shape(rank));
                }
                return BuildPlan(tricks, std::move(shapes), last_shards);
            },
            "tricks"_a, "ranks"_a, "last_shards"_a = 1, "A plan for shapes with these numbers alone.")
        .def(
            "part",
            [](const BuildPlan& plan, std::size_t first, std::size_t end, const StopFlag* stop) {
                if (first >= end || end > plan.shards(plan.tricks())) throw nb::value_error("no such shards");
                return run_stoppable([&] { return plan.part(first, end, python_check(stop)); });
            },
            "first"_a, "end"_a, "stop"_a = nb::none(),
            "A plan for some shards of the last level, and what they need of the one below.")
        .def(
            "ranks",
            [](const BuildPlan& plan, const ShapeIndex& index, std::size_t shard) {
                check_level(plan, plan.tricks(), shard);
                if (index.tricks() != plan.tricks()) throw nb::value_error("numbers of another level");
                std::vector<std::uint32_t> ranks;
                for (const Shape& shape : plan.shapes_of(plan.tricks(), shard)) ranks.push_back(index.rank(shape));
                return nb::bytes(ranks.data(), ranks.size() * sizeof ranks[0]);
            },
            "index"_a, "shard"_a, "Numbers of the shapes of a shard of the last level, 32 bits each.")
        .def_prop_ro("tricks", &BuildPlan::tricks)
        .def(
            "shards",
            [](const BuildPlan& plan, int level) {
                check_level(plan, level, 0);
                return plan.shards(level);
            },
            "level"_a)
        .def(
            "shapes",
            [](const BuildPlan& plan, int level) {
                check_level(plan, level, 0);
                return plan.shapes(level).size();
            },
            "level"_a)
        .def(
            "weight",
            [](const BuildPlan& plan, int level, std::size_t shard) {
                check_level(plan, level, shard);
                return plan.weight(level, shard);
            },
            "level"_a, "shard"_a, "Work to expect, in arbitrary units.");

    nb::class_<Shard>(module, "Shard", "Diagrams of some shapes of a level.")
        .def_prop_ro("nodes", [](const Shard& shard) { return shard.nodes.size(); })
        .def_prop_ro("tricks", [](const Shard& shard) { return shard.tricks; })
        .def("to_bytes",
             [](const Shard& shard) {
                 const std::string bytes = shard.to_bytes();
                 return nb::bytes(bytes.data(), bytes.size());
             })
        .def_static("from_bytes", [](const nb::bytes& bytes) {
            const std::string copy(bytes.c_str(), bytes.size());
            const nb::gil_scoped_release released;
            return Shard::from_bytes(copy);
        });

    nb::class_<OrderedLevel>(module, "OrderedLevel", "A level that the next one is built on.")
        .def(
            "__init__",
            [](OrderedLevel* self, int tricks) {
                if (tricks < 0 || tricks >= MAX_PLANNED_TRICKS) throw nb::value_error("tricks out of range");
                new (self) OrderedLevel(tricks);
                if (tricks == 0) self->roots = empty_level()->roots;
            },
            "tricks"_a, "Without tricks it is complete; else shards have to be merged.")
        .def(
            "merge",
            [](OrderedLevel& level, const BuildPlan& plan, const Shard& shard, std::size_t number) {
                check_shard(plan, shard, number);
                if (level.rows.tricks() != shard.tricks) throw nb::value_error("a shard of another level");
                if (level.diagram.is_read_only()) throw nb::value_error("a level for reading only");
                const nb::gil_scoped_release released;
                merge_shard(level, plan, shard, number);
            },
            "plan"_a, "shard"_a, "number"_a)
        .def_prop_ro("nodes", [](const OrderedLevel& level) { return level.diagram.size(); })
        .def_prop_ro("bytes", [](const OrderedLevel& level) {
            return level.diagram.bytes() + level.roots.size() * sizeof(NodeId);
        });

    module.def("build_shard", &build, "below"_a, "plan"_a, "level"_a, "shard"_a, "stop"_a = nb::none(),
               "Builds one shard of a level on the complete level below.");

    nb::class_<StoredLevel>(module, "StoredLevel", "The last level of a plan, in the form it is stored.")
        .def(
            "__init__",
            [](StoredLevel* self, int tricks) {
                if (tricks < 1 || tricks > MAX_PLANNED_TRICKS) throw nb::value_error("tricks out of range");
                new (self) StoredLevel(tricks);
            },
            "tricks"_a)
        .def(
            "merge",
            [](StoredLevel& level, const BuildPlan& plan, const Shard& shard, std::size_t number) {
                check_shard(plan, shard, number);
                if (level.tricks() != shard.tricks || plan.tricks() != shard.tricks)
                    throw nb::value_error("a shard of another level");
                const nb::gil_scoped_release released;
                level.merge(plan, shard, number);
            },
            "plan"_a, "shard"_a, "number"_a)
        .def_prop_ro("nodes", &StoredLevel::nodes)
        .def_prop_ro("bytes", &StoredLevel::bytes)
        .def(
            "write",
            [](const StoredLevel& level, const std::string& path, const std::string& creator, std::uint64_t states,
               const StopFlag* stop) {
                if (!level.is_complete()) throw nb::value_error("shards are missing");
                run_stoppable([&] { level.write(path, creator, states, python_check(stop)); });
            },
            "path"_a, "creator"_a, "states"_a, "stop"_a = nb::none());

    nb::class_<DiagramLevel> level(module, "DiagramLevel", "A stored level, mapped.");
    level
        .def(
            "__init__",
            [](DiagramLevel* self, const std::string& path) {
                const nb::gil_scoped_release released;
                new (self) DiagramLevel(path);
            },
            "path"_a)
        .def_prop_ro("tricks", &DiagramLevel::tricks)
        .def_prop_ro("shapes", &DiagramLevel::shapes)
        .def(
            "ranks",
            [](const DiagramLevel& level) {
                std::vector<std::uint32_t> ranks(level.shapes());
                for (std::size_t place = 0; place < ranks.size(); ++place)
                    ranks[place] = static_cast<std::uint32_t>(level.rank_at(place));
                return nb::bytes(ranks.data(), ranks.size() * sizeof ranks[0]);
            },
            "Numbers of the shapes it has, 32 bits each.")
        .def_prop_ro("nodes", &DiagramLevel::nodes)
        .def_prop_ro("file_bytes", [](const DiagramLevel& level) { return level.file().file_bytes(); })
        .def_prop_ro("creator", [](const DiagramLevel& level) { return level.file().header().creator; })
        .def_prop_ro("states", [](const DiagramLevel& level) { return level.file().header().states; })
        .def(
            "check",
            [](const DiagramLevel& level, const StopFlag* stop) {
                run_stoppable([&] { level.file().touch_all(python_check(stop)); });
            },
            "stop"_a = nb::none(), "Compares all checksums.")
        .def(
            "check_size", [](const DiagramLevel& level) { level.file().check_size(); },
            "Raises an error if the file was shortened after it was opened.");
    def_questions(level);

    module.def("card_values", &values_of_cards, "hands"_a, "strain"_a, "leader"_a, "trick"_a, "below"_a.none(),
               "Each legal card and the tricks of the side on turn, by the level one trick below.");
}

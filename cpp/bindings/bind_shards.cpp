#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "level_questions.hpp"
#include "setrograde/endings/levels/node_reach.hpp"
#include "setrograde/endings/levels/ordered_file.hpp"

namespace nb = nanobind;
using namespace setrograde;
using namespace nb::literals;

namespace {

using Ranks = nb::ndarray<const std::uint32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void write_planned(const Shard& shard, const BuildPlan& plan, std::size_t number, const ShapeIndex& index,
                   const std::string& path, const std::string& creator, const StopFlag* stop) {
    if (number >= plan.shards(plan.tricks()) || shard.tricks != plan.tricks() || index.tricks() != plan.tricks() ||
        plan.shapes_of(plan.tricks(), number).size() != shard.roots.size())
        throw nb::value_error("not that shard of the plan");
    run_stoppable(
        [&] { write_shard(shard, plan.shapes_of(plan.tricks(), number), index, path, creator, python_check(stop)); });
}

std::size_t add_to_reach(NodeReach& reach, const Ranks& ranks) {
    const nb::gil_scoped_release released;
    for (std::size_t i = 0; i < ranks.shape(0); ++i) {
        if (ranks.data()[i] >= reach.level().index().size()) throw std::invalid_argument("no such shape");
        reach.add(ranks.data()[i]);
    }
    return reach.size();
}

}  // namespace

void bind_shards(nb::module_& module) {
    nb::exception<MissingShard>(module, "MissingShard", module.attr("LevelFileError").ptr());

    nb::class_<ShapeIndex>(module, "ShapeIndex", "Numbers of the canonical shapes of a level.")
        .def(
            "__init__",
            [](ShapeIndex* self, int tricks) {
                if (tricks < 0 || tricks > MAX_INDEXED_TRICKS) throw nb::value_error("tricks out of range");
                const nb::gil_scoped_release released;
                new (self) ShapeIndex(tricks);
            },
            "tricks"_a)
        .def("__len__", &ShapeIndex::size);

    module.def("is_sharded", &is_sharded, "path"_a, nb::call_guard<nb::gil_scoped_release>(),
               "True for a file that lists the shards of a level.");
    module.def("shard_path", &shard_path, "path"_a, "number"_a, "Where a shard of a level lies.");
    module.def("write_shard_list", &write_shard_list, "plan"_a, "path"_a, "creator"_a, "states"_a,
               nb::call_guard<nb::gil_scoped_release>());
    module.def("write_shard", &write_planned, "shard"_a, "plan"_a, "number"_a, "index"_a, "path"_a, "creator"_a,
               "stop"_a = nb::none(), "Writes a shard of a plan's last level in the form it is stored.");
    module.def(
        "write_ordered",
        [](const OrderedLevel& level, const std::string& path, const std::string& creator, const StopFlag* stop) {
            run_stoppable([&] { write_ordered(level, path, creator, python_check(stop)); });
        },
        "level"_a, "path"_a, "creator"_a, "stop"_a = nb::none());
    module.def(
        "map_ordered",
        [](const std::string& path, const StopFlag* stop) {
            return run_stoppable([&] { return map_ordered(path, python_check(stop)); });
        },
        "path"_a, "stop"_a = nb::none(), "Maps a level that others are built on, all of it checked.");

    nb::class_<ShardedLevel> level(module, "ShardedLevel", "A stored level in shards, mapped when asked.");
    level
        .def(
            "__init__",
            [](ShardedLevel* self, const std::string& path) {
                const nb::gil_scoped_release released;
                new (self) ShardedLevel(path);
            },
            "path"_a)
        .def_prop_ro("tricks", &ShardedLevel::tricks)
        .def_prop_ro("shapes", [](const ShardedLevel& self) { return self.index().size(); })
        .def_prop_ro("shards", &ShardedLevel::shards)
        .def_prop_ro("file_bytes", [](const ShardedLevel& self) { return self.file().file_bytes(); })
        .def_prop_ro("creator", [](const ShardedLevel& self) { return self.file().header().creator; })
        .def_prop_ro("states", [](const ShardedLevel& self) { return self.file().header().states; })
        .def(
            "is_built",
            [](const ShardedLevel& self, std::size_t number) {
                if (number >= self.shards()) throw nb::value_error("no such shard");
                return self.is_built(number);
            },
            "number"_a)
        .def(
            "shard",
            [](const ShardedLevel& self, std::size_t number) -> const DiagramLevel& {
                if (number >= self.shards()) throw nb::value_error("no such shard");
                return self.shard(number);
            },
            "number"_a, nb::rv_policy::reference_internal, "One shard; an error if it is not built.");
    def_questions(level);

    nb::class_<NodeReach>(module, "NodeReach", "Counts the nodes that some shapes need.")
        .def(nb::init<const DiagramLevel&>(), "level"_a, nb::keep_alive<1, 2>())
        .def("add", &add_to_reach, "ranks"_a, "Adds shapes; the nodes of all shapes so far.");
    module.def(
        "open_shard",
        [](const std::string& path, int tricks) {
            return std::make_unique<DiagramLevel>(path, std::make_shared<ShapeIndex>(tricks));
        },
        "path"_a, "tricks"_a, "A shard by itself.");
}

#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>
#include <memory>
#include <optional>

#include "running.hpp"
#include "setrograde/boards/automaton.hpp"
#include "setrograde/boards/player_moves.hpp"
#include "setrograde/boards/set_builders.hpp"
#include "setrograde/common/checksum.hpp"

namespace nb = nanobind;
using namespace setrograde;
using namespace nb::literals;

namespace {

using Strings = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Branches = nb::ndarray<const Branch, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <typename T>
using Row = nb::ndarray<nb::numpy, T, nb::ndim<1>>;
using Pairs = std::vector<std::pair<Symbol, Symbol>>;
using MoveText = std::tuple<std::optional<const ForestSet*>, std::vector<std::pair<std::size_t, Pairs>>,
                            std::optional<const ForestSet*>>;

template <typename T>
Row<T> to_numpy(std::vector<T> values) {
    auto owned = std::make_unique<std::vector<T>>(std::move(values));
    T* data = owned->data();
    const std::size_t size = owned->size();
    nb::capsule owner(owned.release(), [](void* all) noexcept { delete static_cast<std::vector<T>*>(all); });
    return Row<T>(data, {size}, owner);
}

nb::bytes to_bytes(const Words& words) { return nb::bytes(words.data(), words.size() * sizeof words[0]); }

Words to_words(const nb::bytes& bytes) {
    Words words((bytes.size() + 7) / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

void check_length(const Strings& strings, std::size_t places) {
    if (strings.shape(1) != places) throw nb::value_error("not strings of that length");
}

Branch root_of(const Automaton& automaton, std::size_t number) {
    if (number >= automaton.roots().size()) throw nb::value_error("no such set");
    return automaton.roots()[number];
}

// --- sets ---

ForestSet set_from(const std::shared_ptr<Forest>& forest, const StopFlag* stop,
                   const std::function<Branch(Forest&)>& work) {
    return run_stoppable([&] { return make_set(forest, python_check(stop), work); });
}

ForestSet bind_set_of_strings(const std::shared_ptr<Forest>& forest, const Strings& strings, const StopFlag* stop) {
    check_length(strings, forest->places().size());
    return set_from(forest, stop, [&](Forest& f) { return set_of_strings(f, strings.data(), strings.shape(0)); });
}

ForestSet bind_set_by_sum(const std::shared_ptr<Forest>& forest, const SymbolWeights& weights, std::int64_t least,
                          std::int64_t most, const StopFlag* stop) {
    check_weights(forest->places(), weights);
    return set_from(forest, stop, [&](Forest& f) { return set_by_sum(f, weights, least, most); });
}

template <typename Work>
void bind_binary(nb::class_<ForestSet>& type, const char* name, const char* words, Work work) {
    type.def(
        name,
        [work](const ForestSet& a, const ForestSet& b, const StopFlag* stop) {
            check_forest(b, a.forest());
            return set_from(a.forest(), stop, [&](Forest& f) { return work(f, a.branch(), b.branch()); });
        },
        "other"_a, "stop"_a = nb::none(), words);
}

void bind_sets(nb::module_& module) {
    auto type = nb::class_<ForestSet>(module, "ForestSet", "A set of strings; see setrograde.sets.");
    bind_binary(type, "meet", "Strings in both sets.", [](Forest& f, Branch a, Branch b) { return f.meet(a, b); });
    bind_binary(type, "join", "Strings in either set.", [](Forest& f, Branch a, Branch b) { return f.join(a, b); });
    bind_binary(type, "minus", "Strings in this set but not in the other.",
                [](Forest& f, Branch a, Branch b) { return f.meet(a, b ^ 1); });
    bind_binary(type, "differ", "Strings in exactly one of the sets.",
                [](Forest& f, Branch a, Branch b) { return f.differ(a, b); });
    type.def(
            "complement",
            [](const ForestSet& a, const StopFlag* stop) {
                return set_from(a.forest(), stop, [&](Forest&) { return a.branch() ^ 1; });
            },
            "stop"_a = nb::none(), "All other strings.")
        .def(
            "equals",
            [](const ForestSet& a, const ForestSet& b, const StopFlag* stop) {
                return run_stoppable([&] { return is_same(a, b, python_check(stop)); });
            },
            "other"_a, "stop"_a = nb::none(), "True if both have the same strings; one comparison.")
        .def(
            "contains",
            [](const ForestSet& self, const Strings& strings, const StopFlag* stop) {
                check_length(strings, self.forest()->places().size());
                return to_numpy(run_stoppable(
                    [&] { return find_strings(self, strings.data(), strings.shape(0), python_check(stop)); }));
            },
            "strings"_a, "stop"_a = nb::none(), "For each string, whether it is in the set.")
        .def(
            "nodes",
            [](const ForestSet& self, const StopFlag* stop) {
                return run_stoppable([&] { return count_nodes(self, python_check(stop)); });
            },
            "stop"_a = nb::none(), "The number of nodes of the forest that the set takes.")
        .def_prop_ro("is_nothing", [](const ForestSet& a) { return a.branch() == NOTHING; })
        .def_prop_ro("is_everything", [](const ForestSet& a) { return a.branch() == EVERYTHING; });
    module.def(
        "set_of_nothing", [](std::shared_ptr<Forest> forest) { return ForestSet(std::move(forest), NOTHING); },
        "forest"_a, "The empty set.");
    module.def("set_of_strings", &bind_set_of_strings, "forest"_a, "strings"_a, "stop"_a = nb::none(),
               "The set of these rows of symbols.");
    module.def("set_by_sum", &bind_set_by_sum, "forest"_a, "weights"_a, "least"_a, "most"_a, "stop"_a = nb::none(),
               "Strings whose symbols together count `least` to `most`; a row of weights for each place.");
}

// --- automata ---

void make_automaton(Automaton* self, std::vector<std::size_t> symbols, const std::vector<Branches>& layers,
                    std::vector<Branch> roots, const StopFlag* stop) {
    std::vector<std::vector<Branch>> children;
    for (const Branches& layer : layers) children.emplace_back(layer.data(), layer.data() + layer.size());
    new (self) Automaton(run_stoppable(
        [&] { return Automaton(std::move(symbols), std::move(children), std::move(roots), python_check(stop)); }));
}

// Counts hold a reference to their automaton.
struct Counted {
    std::shared_ptr<const Automaton> automaton;
    StringCounts counts;
};

void bind_automaton(nb::module_& module) {
    nb::class_<Automaton>(module, "Automaton", "Finished sets laid out on their own; see setrograde.sets.")
        .def("__init__", &make_automaton, "symbols"_a, "layers"_a, "roots"_a, "stop"_a = nb::none())
        .def_static(
            "of",
            [](const std::vector<const ForestSet*>& sets, const StopFlag* stop) {
                return run_stoppable([&] { return std::make_shared<Automaton>(lay_out(sets, python_check(stop))); });
            },
            "sets"_a, "stop"_a = nb::none(), "The automaton of some sets of one forest.")
        .def(
            "plant",
            [](const Automaton& self, const std::shared_ptr<Forest>& forest, const StopFlag* stop) {
                return run_stoppable([&] { return plant(self, forest, python_check(stop)); });
            },
            "forest"_a, "stop"_a = nb::none(), "The sets again, in a forest.")
        .def_prop_ro("nodes", [](const Automaton& self) { return self.nodes(); })
        .def_prop_ro(
            "roots",
            [](const Automaton& self) { return std::vector<Branch>(self.roots().begin(), self.roots().end()); })
        .def_prop_ro("symbols", [](const Automaton& self) { return self.symbols(); })
        .def(
            "layer",
            [](const Automaton& self, std::size_t layer) {
                if (layer >= self.layers()) throw nb::value_error("no such layer");
                const auto children = self.children(layer);
                return to_numpy(std::vector<Branch>(children.begin(), children.end()));
            },
            "layer"_a, "Branches of the nodes of a layer.")
        .def(
            "support",
            [](const Automaton& self) {
                const nb::gil_scoped_release released;
                return self.support();
            },
            "The places that matter.")
        .def(
            "contains",
            [](const Automaton& self, std::size_t root, const Strings& strings) {
                check_length(strings, self.layers());
                return to_numpy(self.find_strings(root_of(self, root), strings.data(), strings.shape(0)));
            },
            "root"_a, "strings"_a, "For each string, whether it is in that set.");

    nb::class_<Counted>(module, "StringCounts", "Strings of an automaton, numbered; see setrograde.sets.")
        .def(
            "__init__",
            [](Counted* self, std::shared_ptr<const Automaton> automaton, const StopFlag* stop) {
                StringCounts counts = run_stoppable([&] { return StringCounts(*automaton, python_check(stop)); });
                new (self) Counted{std::move(automaton), std::move(counts)};
            },
            "automaton"_a, "stop"_a = nb::none())
        .def(
            "count",
            [](const Counted& self, std::size_t root) {
                return to_bytes(self.counts.count(root_of(*self.automaton, root)));
            },
            "root"_a, "The number of strings, little-endian.")
        .def(
            "string_at",
            [](const Counted& self, std::size_t root, const nb::bytes& index) {
                const std::vector<std::uint8_t> string =
                    self.counts.string_at(root_of(*self.automaton, root), to_words(index));
                return nb::bytes(string.data(), string.size());
            },
            "root"_a, "index"_a, "The string of that number, in dictionary order; it must exist.");
}

// --- moves ---

void make_moves(PlayerMoves* self, const std::shared_ptr<Forest>& forest, const std::vector<MoveText>& texts,
                std::size_t limit_bytes, const StopFlag* stop) {
    std::vector<PlayerMove> moves;
    for (const auto& [before, changes, after] : texts) {
        PlayerMove& move = moves.emplace_back(
            PlayerMove{.before = before.value_or(nullptr), .changes = {}, .after = after.value_or(nullptr)});
        for (const auto& [place, pairs] : changes) move.changes.push_back({.place = place, .pairs = pairs});
    }
    new (self) PlayerMoves(run_stoppable([&] { return PlayerMoves(forest, moves, limit_bytes, python_check(stop)); }));
}

ForestSet bind_union_of_images(const std::vector<std::pair<const PlayerMoves*, const ForestSet*>>& parts,
                               bool is_reversed, const StopFlag* stop) {
    std::vector<PlayerImage> images;
    for (const auto& [moves, set] : parts) images.push_back({.moves = moves, .set = set});
    return run_stoppable([&] { return union_of_images(images, is_reversed, python_check(stop)); });
}

void bind_moves(nb::module_& module) {
    nb::class_<PlayerMoves>(module, "PlayerMoves", "All moves of a player; see setrograde.sets.")
        .def("__init__", &make_moves, "forest"_a, "moves"_a, "limit_bytes"_a, "stop"_a = nb::none())
        .def(
            "image",
            [](const PlayerMoves& self, const ForestSet& set, bool is_reversed, const StopFlag* stop) {
                return run_stoppable([&] { return self.image(set, is_reversed, python_check(stop)); });
            },
            "set"_a, "is_reversed"_a, "stop"_a = nb::none(),
            "Where the moves lead from a set, or, reversed, where they come from.")
        .def_prop_ro("states", [](const PlayerMoves& self) { return self.transducer(false).states(); })
        .def_prop_ro("steps", [](const PlayerMoves& self) { return self.transducer(false).steps(); })
        .def_prop_ro("relation_nodes", &PlayerMoves::relation_nodes);
    module.def("union_of_images", &bind_union_of_images, "parts"_a, "is_reversed"_a, "stop"_a = nb::none(),
               "As PlayerMoves.image, for several moves with a set each; faster for large sets.");
}

}  // namespace

void bind_forest(nb::module_& module) {
    bind_sets(module);
    nb::class_<Forest>(module, "Forest", "Sets of strings that share nodes; see setrograde.sets.")
        .def(
            "__init__",
            [](Forest* self, std::vector<std::size_t> symbols, std::size_t limit_bytes) {
                new (self) Forest(Places::joined(std::move(symbols)), limit_bytes);
            },
            "symbols"_a, "limit_bytes"_a)
        .def_prop_ro("nodes", &Forest::nodes)
        .def_prop_ro("bytes", &Forest::bytes)
        .def_prop_ro("peak_bytes", &Forest::peak_bytes)
        .def_prop_ro("sweeps", &Forest::sweeps)
        .def(
            "sweep",
            [](Forest& self, const StopFlag* stop) {
                run_stoppable([&] { take_turn(self, python_check(stop), [&] { self.sweep(); }); });
            },
            "stop"_a = nb::none(), "Drops the nodes that no set needs.");
    bind_automaton(module);
    bind_moves(module);
    module.def(
        "checksum",
        [](const nb::bytes& data) {
            const void* const bytes = data.data();
            const std::size_t size = data.size();
            const nb::gil_scoped_release released;
            return checksum(bytes, size);
        },
        "data"_a, "XXH64 with seed 0.");
}

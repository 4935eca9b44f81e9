#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>

#include "convert.hpp"
#include "setrograde/boards/automaton.hpp"
#include "setrograde/boards/layered_image.hpp"
#include "setrograde/boards/transducer.hpp"
#include "setrograde/common/checksum.hpp"

namespace nb = nanobind;
using namespace setrograde;
using namespace nb::literals;

namespace {

using Strings = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Edges = nb::ndarray<const Edge, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
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

// Symbols are the caller's: checked here once.
void check_strings(const Strings& strings, const std::function<std::size_t(std::size_t)>& symbols, std::size_t layers) {
    if (strings.shape(1) != layers) throw nb::value_error("not strings of that length");
    for (std::size_t row = 0; row < strings.shape(0); ++row)
        for (std::size_t l = 0; l < layers; ++l)
            if (strings(row, l) >= symbols(l)) throw nb::value_error("not a symbol of its place");
}

ForestSet run(const std::shared_ptr<Forest>& forest, const std::function<Edge(Forest&)>& work) {
    try {
        const nb::gil_scoped_release released;
        return run_on(forest, signal_check(), work);
    } catch (const Stopped&) {
        rethrow_stopped();
    } catch (const ForestFull&) {
        throw std::bad_alloc();  // MemoryError
    }
}

void check_same(const ForestSet& a, const ForestSet& b) {
    if (a.forest() != b.forest()) throw nb::value_error("sets of different forests");
}

ForestSet set_of_strings(const std::shared_ptr<Forest>& forest, const Strings& strings) {
    const Places& places = forest->places();
    check_strings(strings, [&](std::size_t place) { return places.symbols(place); }, places.size());
    return run(forest, [&](Forest& f) {
        std::vector<Edge> edges;
        std::vector<Edge> row;
        for (std::size_t i = 0; i < strings.shape(0); ++i) {
            Edge edge = EVERYTHING;
            for (std::size_t l = f.layers(); l-- > 0;) {
                row.assign(f.symbols(l), NOTHING);
                // Whatever stands where nothing looks.
                const std::size_t symbol = places.join(l, strings.data() + i * places.size());
                std::fill_n(row.data() + symbol, places.stride(places.end_of(l) - 1), edge);
                edge = f.add(l, row.data());
            }
            edges.push_back(edge);
        }
        return f.join_all(std::move(edges));
    });
}

// Strings whose symbols, each counting what its place gives it, count `least` to `most` together.
ForestSet set_by_sum(const std::shared_ptr<Forest>& forest, const std::vector<std::vector<std::int32_t>>& weights,
                     std::int64_t least, std::int64_t most) {
    const Places& places = forest->places();
    if (weights.size() != places.size()) throw nb::value_error("not a row of weights for each place");
    for (std::size_t place = 0; place < weights.size(); ++place)
        if (weights[place].size() != places.symbols(place)) throw nb::value_error("not a weight for each symbol");
    return run(forest, [&](Forest& f) {
        std::vector<std::vector<std::int32_t>> by_layer(f.layers());
        for (std::size_t l = 0; l < f.layers(); ++l)
            for (std::size_t symbol = 0; symbol < f.symbols(l); ++symbol) {
                std::int32_t& sum = by_layer[l].emplace_back(0);
                for (std::size_t place = places.first_of(l); place < places.end_of(l); ++place)
                    sum += weights[place][places.at(place, symbol)];
            }
        std::vector<std::map<std::int64_t, Edge>> by_sum(f.layers() + 1);  // of what came before
        by_sum[0][0] = NOTHING;
        for (std::size_t l = 0; l < f.layers(); ++l)
            for (const auto& [sum, edge] : by_sum[l])
                for (const std::int32_t weight : by_layer[l]) by_sum[l + 1][sum + weight] = NOTHING;
        for (auto& [sum, edge] : by_sum.back()) edge = sum >= least && sum <= most ? EVERYTHING : NOTHING;
        std::vector<Edge> row;
        for (std::size_t l = f.layers(); l-- > 0;)
            for (auto& [sum, edge] : by_sum[l]) {
                row.clear();
                for (const std::int32_t weight : by_layer[l]) row.push_back(by_sum[l + 1][sum + weight]);
                edge = f.add(l, row.data());
            }
        return by_sum[0][0];
    });
}

std::shared_ptr<Automaton> lay_out(const std::vector<const ForestSet*>& sets) {
    if (sets.empty()) throw nb::value_error("no sets");
    for (const ForestSet* set : sets) check_same(*set, *sets[0]);
    const nb::gil_scoped_release released;
    const std::lock_guard lock(sets[0]->forest()->mutex());
    std::vector<Edge> roots;
    for (const ForestSet* set : sets) roots.push_back(set->edge());
    return std::make_shared<Automaton>(*sets[0]->forest(), roots);
}

std::vector<ForestSet> plant(const Automaton& automaton, const std::shared_ptr<Forest>& forest) {
    const Places& places = forest->places();
    if (automaton.layers() != places.size()) throw nb::value_error("not a forest with these alphabets");
    for (std::size_t place = 0; place < places.size(); ++place)
        if (automaton.symbols(place) != places.symbols(place))
            throw nb::value_error("not a forest with these alphabets");
    std::vector<ForestSet> sets;
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(forest->mutex());
        for (const Edge edge : automaton.plant(*forest)) sets.emplace_back(forest, edge);
    } catch (const ForestFull&) {
        throw std::bad_alloc();
    }
    return sets;
}

Edge root_of(const Automaton& automaton, std::size_t number) {
    if (number >= automaton.roots().size()) throw nb::value_error("no such set");
    return automaton.roots()[number];
}

// Changes of places as changes of layers: what does not change in a layer stays, whatever it is.
std::vector<Change> by_layer(const Places& places, const std::vector<std::pair<std::size_t, Pairs>>& changes) {
    std::map<std::size_t, Pairs> found;
    std::vector<bool> is_changed(places.size());
    for (const auto& [place, pairs] : changes) {
        if (place >= places.size() || is_changed[place]) throw std::invalid_argument("not a place, or changed twice");
        is_changed[place] = true;
        for (const auto& [in, out] : pairs)
            if (in >= places.symbols(place) || out >= places.symbols(place))
                throw std::invalid_argument("not a symbol of its place");
        const std::size_t layer = places.layer_of(place), stride = places.stride(place);
        auto [known, is_new] = found.try_emplace(layer);
        if (is_new)
            for (std::size_t symbol = 0; symbol < places.symbols_of_layer(layer); ++symbol)
                known->second.emplace_back(symbol, symbol);
        Pairs more;
        for (const auto& [before, after] : known->second)
            for (const auto& [in, out] : pairs)
                if (places.at(place, before) == in) more.emplace_back(before, after + (std::size_t{out} - in) * stride);
        known->second = std::move(more);
    }
    std::vector<Change> made;
    for (auto& [layer, pairs] : found) made.push_back({layer, std::move(pairs)});
    return made;
}

// Moves of one player both ways, compiled when first asked for.
struct Moves {
    std::shared_ptr<Forest> forest;
    std::unique_ptr<Transducer> forward, reverse;
    std::size_t relation_nodes;
};

void make_moves(Moves* self, const std::shared_ptr<Forest>& forest, const std::vector<MoveText>& texts,
                std::size_t limit_bytes) {
    for (const auto& [before, changes, after] : texts)
        for (const auto& set : {before, after})
            if (set && (*set)->forest() != forest) throw nb::value_error("sets of different forests");
    std::unique_ptr<Transducer> forward, reverse;
    std::size_t nodes;
    try {
        const nb::gil_scoped_release released;
        const std::lock_guard lock(forest->mutex());
        std::vector<Move> moves;
        for (const auto& [before, changes, after] : texts) {
            Move& move = moves.emplace_back(before ? (*before)->edge() : EVERYTHING, std::vector<Change>{},
                                            after ? (*after)->edge() : EVERYTHING);
            move.changes = by_layer(forest->places(), changes);
        }
        const Relation relation(*forest, moves, limit_bytes);
        forward = std::make_unique<Transducer>(relation, *forest, false);
        reverse = std::make_unique<Transducer>(relation, *forest, true);
        nodes = relation.nodes();
    } catch (const ForestFull&) {
        throw std::bad_alloc();
    }
    new (self) Moves{forest, std::move(forward), std::move(reverse), nodes};
}

ForestSet image(const Moves& moves, const ForestSet& set, bool is_reversed) {
    if (set.forest() != moves.forest) throw nb::value_error("sets of different forests");
    return run(moves.forest,
               [&](Forest& f) { return f.image(is_reversed ? *moves.reverse : *moves.forward, set.edge()); });
}

ForestSet union_of_images(const std::vector<std::pair<const Moves*, const ForestSet*>>& parts, bool is_reversed) {
    if (parts.empty()) throw nb::value_error("no sets");
    const std::shared_ptr<Forest>& forest = parts[0].first->forest;
    for (const auto& [moves, set] : parts)
        if (moves->forest != forest || set->forest() != forest) throw nb::value_error("sets of different forests");
    return run(forest, [&](Forest& f) {
        std::vector<MovedSet> sets;
        for (const auto& [moves, set] : parts)
            sets.push_back({is_reversed ? moves->reverse.get() : moves->forward.get(), set->edge()});
        return layered_image(f, sets);
    });
}

// Counts hold a reference to their automaton.
struct Counted {
    std::shared_ptr<const Automaton> automaton;
    StringCounts counts;
};

nb::bytes to_bytes(const Words& words) { return nb::bytes(words.data(), words.size() * sizeof words[0]); }

Words to_words(const nb::bytes& bytes) {
    Words words((bytes.size() + 7) / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return words;
}

template <typename Work>
void bind_binary(nb::class_<ForestSet>& type, const char* name, const char* words, Work work) {
    type.def(
        name,
        [work](const ForestSet& a, const ForestSet& b) {
            check_same(a, b);
            return run(a.forest(), [&](Forest& f) { return work(f, a.edge(), b.edge()); });
        },
        "other"_a, words);
}

void bind_sets(nb::module_& module) {
    auto type = nb::class_<ForestSet>(module, "ForestSet", "A set of strings; see setrograde.sets.");
    bind_binary(type, "meet", "Strings in both.", [](Forest& f, Edge a, Edge b) { return f.meet(a, b); });
    bind_binary(type, "join", "Strings in either.", [](Forest& f, Edge a, Edge b) { return f.join(a, b); });
    bind_binary(type, "minus", "Strings in this alone.", [](Forest& f, Edge a, Edge b) { return f.meet(a, b ^ 1); });
    bind_binary(type, "differ", "Strings in one, not in both.",
                [](Forest& f, Edge a, Edge b) { return f.differ(a, b); });
    type.def(
            "complement", [](const ForestSet& a) { return run(a.forest(), [&](Forest&) { return a.edge() ^ 1; }); },
            "All other strings.")
        .def(
            "equals",
            [](const ForestSet& a, const ForestSet& b) {
                check_same(a, b);
                const nb::gil_scoped_release released;
                const std::lock_guard lock(a.forest()->mutex());
                return a.edge() == b.edge();
            },
            "other"_a, "True for the same strings; one comparison.")
        .def(
            "contains",
            [](const ForestSet& self, const Strings& strings) {
                const Forest& forest = *self.forest();
                const Places& places = forest.places();
                check_strings(strings, [&](std::size_t place) { return places.symbols(place); }, places.size());
                std::vector<std::uint8_t> answers(strings.shape(0));
                const std::uint8_t* string = strings.data();
                {
                    const nb::gil_scoped_release released;
                    const std::lock_guard lock(self.forest()->mutex());
                    for (std::uint8_t& answer : answers) {
                        Edge edge = self.edge();
                        for (std::size_t l = 0; l < forest.layers(); ++l)
                            edge = forest.child(l, edge, places.join(l, string));
                        answer = edge & 1;
                        string += places.size();
                    }
                }
                return to_numpy(std::move(answers));
            },
            "strings"_a, "For each string, whether it is in the set.")
        .def_prop_ro(
            "nodes",
            [](const ForestSet& self) {
                const nb::gil_scoped_release released;
                const std::lock_guard lock(self.forest()->mutex());
                return self.forest()->nodes_from(self.edge());
            },
            "Nodes of the forest that it takes.")
        .def_prop_ro("is_nothing", [](const ForestSet& a) { return a.edge() == NOTHING; })
        .def_prop_ro("is_everything", [](const ForestSet& a) { return a.edge() == EVERYTHING; });
}

void bind_automaton(nb::module_& module) {
    nb::class_<Automaton>(module, "Automaton", "Finished sets laid out on their own; see setrograde.sets.")
        .def(
            "__init__",
            [](Automaton* self, std::vector<std::size_t> symbols, const std::vector<Edges>& layers,
               std::vector<Edge> roots) {
                std::vector<std::vector<Edge>> children;
                for (const Edges& layer : layers) children.emplace_back(layer.data(), layer.data() + layer.size());
                new (self) Automaton(std::move(symbols), std::move(children), std::move(roots));
            },
            "symbols"_a, "layers"_a, "roots"_a)
        .def_static("of", &lay_out, "sets"_a, "The automaton of some sets of one forest.")
        .def("plant", &plant, "forest"_a, "The sets again, in a forest.")
        .def_prop_ro("nodes", [](const Automaton& self) { return self.nodes(); })
        .def_prop_ro("roots",
                     [](const Automaton& self) { return std::vector<Edge>(self.roots().begin(), self.roots().end()); })
        .def_prop_ro("symbols",
                     [](const Automaton& self) {
                         std::vector<std::size_t> symbols;
                         for (std::size_t l = 0; l < self.layers(); ++l) symbols.push_back(self.symbols(l));
                         return symbols;
                     })
        .def(
            "layer",
            [](const Automaton& self, std::size_t layer) {
                if (layer >= self.layers()) throw nb::value_error("no such layer");
                const auto children = self.children(layer);
                return to_numpy(std::vector<Edge>(children.begin(), children.end()));
            },
            "layer"_a, "Edges of the nodes of a layer.")
        .def(
            "support",
            [](const Automaton& self) {
                const std::vector<bool> places = self.support();
                std::vector<std::size_t> found;
                for (std::size_t l = 0; l < places.size(); ++l)
                    if (places[l]) found.push_back(l);
                return found;
            },
            "The places that matter.")
        .def(
            "contains",
            [](const Automaton& self, std::size_t root, const Strings& strings) {
                check_strings(strings, [&](std::size_t l) { return self.symbols(l); }, self.layers());
                const Edge edge = root_of(self, root);
                std::vector<std::uint8_t> answers(strings.shape(0));
                for (std::size_t i = 0; i < answers.size(); ++i)
                    answers[i] = self.contains(edge, strings.data() + i * self.layers());
                return to_numpy(std::move(answers));
            },
            "root"_a, "strings"_a, "For each string, whether it is in that set.");

    nb::class_<Counted>(module, "StringCounts", "Strings of an automaton, numbered; see setrograde.sets.")
        .def(
            "__init__",
            [](Counted* self, std::shared_ptr<const Automaton> automaton) {
                StringCounts counts(*automaton);
                new (self) Counted{std::move(automaton), std::move(counts)};
            },
            "automaton"_a)
        .def(
            "count",
            [](const Counted& self, std::size_t root) {
                return to_bytes(self.counts.count(root_of(*self.automaton, root)));
            },
            "root"_a, "How many strings, little-endian.")
        .def(
            "string_at",
            [](const Counted& self, std::size_t root, const nb::bytes& index) {
                const std::vector<std::uint8_t> string =
                    self.counts.string_at(root_of(*self.automaton, root), to_words(index));
                return nb::bytes(string.data(), string.size());
            },
            "root"_a, "index"_a, "The string of that number, in dictionary order; it must exist.");
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
            [](Forest& self) {
                const nb::gil_scoped_release released;
                const std::lock_guard lock(self.mutex());
                self.sweep();
            },
            "Drop what no set needs.");
    module.def(
        "set_of_nothing", [](std::shared_ptr<Forest> forest) { return ForestSet(std::move(forest), NOTHING); },
        "forest"_a);
    module.def("set_of_strings", &set_of_strings, "forest"_a, "strings"_a, "The set of these rows of symbols.");
    module.def("set_by_sum", &set_by_sum, "forest"_a, "weights"_a, "least"_a, "most"_a,
               "Strings whose symbols count so much together; a row of weights for each place.");
    bind_automaton(module);
    nb::class_<Moves>(module, "Moves", "All moves of a player; see setrograde.sets.")
        .def("__init__", &make_moves, "forest"_a, "moves"_a, "limit_bytes"_a)
        .def("image", &image, "set"_a, "is_reversed"_a,
             "Where the moves lead from a set, or, reversed, where they come from.")
        .def_prop_ro("states", [](const Moves& self) { return self.forward->states(); })
        .def_prop_ro("steps", [](const Moves& self) { return self.forward->steps(); })
        .def_prop_ro("relation_nodes", [](const Moves& self) { return self.relation_nodes; });
    module.def("union_of_images", &union_of_images, "parts"_a, "is_reversed"_a,
               "As Moves.image, for several moves with a set each; faster for large sets.");
    module.def(
        "checksum", [](const nb::bytes& data) { return checksum(data.data(), data.size()); }, "data"_a,
        "XXH64 with seed 0.");
}

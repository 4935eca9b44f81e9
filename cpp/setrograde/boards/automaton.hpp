// Automaton: some sets of a forest, laid out on their own
//
// What is asked of finished sets needs no hash tables: membership, counting, the n-th string, files.
// Nodes are numbered by layer in the order in which they are first met, roots in order, then nodes
// in order and their symbols in order; so equal sets in equal order are equal arrays, wherever they
// come from. Branches are those of boards/forest.hpp. Here every place has a layer of its own, also if the
// forest has several places to a layer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setrograde/boards/forest_set.hpp"

namespace setrograde {

class Automaton {
public:
    Automaton(const Forest& forest, std::span<const Branch> roots);

    // From arrays that may come from anywhere; throws std::invalid_argument unless they are what the
    // constructor above makes, Stopped if told to stop. A layer has the children of its nodes, node 0 not
    // included.
    Automaton(std::vector<std::size_t> symbols, std::vector<std::vector<Branch>> layers, std::vector<Branch> roots,
              const StopCheck& should_stop = {});

    std::size_t layers() const { return symbols_.size(); }
    const std::vector<std::size_t>& symbols() const { return symbols_; }
    std::size_t symbols(std::size_t layer) const { return symbols_[layer]; }
    std::size_t nodes() const;
    std::size_t nodes(std::size_t layer) const { return children_[layer].size() / symbols_[layer] - 1; }
    std::span<const Branch> roots() const { return roots_; }
    Branch child(std::size_t layer, Branch branch, std::size_t symbol) const {
        return children_[layer][(branch >> 1) * symbols_[layer] + symbol] ^ (branch & 1);
    }
    // Node 0 not included.
    std::span<const Branch> children(std::size_t layer) const {
        return std::span(children_[layer]).subspan(symbols_[layer]);
    }

    // `string` has a symbol for each place, each in its alphabet.
    bool contains(Branch root, const std::uint8_t* string) const;

    // The same for `count` strings, which follow one another: 1 or 0 for each. Throws std::invalid_argument
    // for a symbol that is not of its place.
    std::vector<std::uint8_t> find_strings(Branch root, const std::uint8_t* strings, std::size_t count) const;

    // The places that some root looks at.
    std::vector<std::size_t> support() const;

    // The sets again, in a forest with the same alphabets. Not kept: see Forest::keep.
    std::vector<Branch> plant(Forest& forest) const;

private:
    class Names;  // of the nodes of a layer, in the order in which they are met

    // The layers of the places of one layer of a forest; `names` become those of the next.
    void lay_out_layer(const Forest& forest, std::size_t layer, Names& names);
    void check(const StopCheck& should_stop) const;

    std::vector<std::size_t> symbols_;
    std::vector<std::vector<Branch>> children_;  // by layer; node 0 leads nowhere
    std::vector<Branch> roots_;
};

// The automaton of some sets of one forest. Throws std::invalid_argument if there are none or their forests
// differ.
Automaton lay_out(std::span<const ForestSet* const> sets, const StopCheck& should_stop);

// The sets of an automaton again, in a forest. Throws std::invalid_argument if that has other alphabets.
std::vector<ForestSet> plant(const Automaton& automaton, const std::shared_ptr<Forest>& forest,
                             const StopCheck& should_stop);

// Whole numbers of any size: 64 bits a word, lowest first.
using Words = std::vector<std::uint64_t>;

// How many strings each node of an automaton stands for.
class StringCounts {
public:
    explicit StringCounts(const Automaton& automaton, const StopCheck& should_stop = {});

    Words count(Branch root) const;

    // The string with `index` others before it in dictionary order; `index` must be less than the count.
    std::vector<std::uint8_t> string_at(Branch root, Words index) const;

private:
    Words count(std::size_t layer, Branch branch) const;

    const Automaton& automaton_;
    std::size_t words_;                               // of every number
    std::vector<Words> all_;                          // by layer: all strings from there on
    std::vector<std::vector<std::uint64_t>> counts_;  // by layer, `words_` for each node
};

}  // namespace setrograde

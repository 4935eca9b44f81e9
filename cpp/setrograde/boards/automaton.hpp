// Automaton: some sets of a forest, laid out on their own
//
// What is asked of finished sets needs no hash tables: membership, counting, the n-th string, files.
// Nodes are numbered by layer in the order in which they are first met, roots in order, then nodes
// in order and their symbols in order; so equal sets in equal order are equal arrays, wherever they
// come from. Edges are those of boards/forest.hpp. Here every place has a layer of its own, also if the forest has
// several places to a layer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setrograde/boards/forest.hpp"

namespace setrograde {

class Automaton {
public:
    Automaton(const Forest& forest, std::span<const Edge> roots);

    // From arrays that may come from anywhere; throws std::invalid_argument unless they are what the
    // constructor above makes. A layer has the children of its nodes, node 0 not included.
    Automaton(std::vector<std::size_t> symbols, std::vector<std::vector<Edge>> layers, std::vector<Edge> roots);

    std::size_t layers() const { return symbols_.size(); }
    std::size_t symbols(std::size_t layer) const { return symbols_[layer]; }
    std::size_t nodes() const;
    std::size_t nodes(std::size_t layer) const { return children_[layer].size() / symbols_[layer] - 1; }
    std::span<const Edge> roots() const { return roots_; }
    Edge child(std::size_t layer, Edge edge, std::size_t symbol) const {
        return children_[layer][(edge >> 1) * symbols_[layer] + symbol] ^ (edge & 1);
    }
    // Node 0 not included.
    std::span<const Edge> children(std::size_t layer) const {
        return std::span(children_[layer]).subspan(symbols_[layer]);
    }

    // `string` has a symbol for each place, each in its alphabet.
    bool contains(Edge root, const std::uint8_t* string) const;

    // True for the places that some root looks at.
    std::vector<bool> support() const;

    // The sets again, in a forest with the same alphabets. Not kept: see Forest::keep.
    std::vector<Edge> plant(Forest& forest) const;

private:
    void check() const;

    std::vector<std::size_t> symbols_;
    std::vector<std::vector<Edge>> children_;  // by layer; node 0 leads nowhere
    std::vector<Edge> roots_;
};

// Whole numbers of any size: 64 bits a word, lowest first.
using Words = std::vector<std::uint64_t>;

// How many strings each node of an automaton stands for.
class StringCounts {
public:
    explicit StringCounts(const Automaton& automaton);

    Words count(Edge root) const;

    // The string with so many before it in dictionary order; `index` must be less than the count.
    std::vector<std::uint8_t> string_at(Edge root, Words index) const;

private:
    Words count(std::size_t layer, Edge edge) const;

    const Automaton& automaton_;
    std::size_t words_;                               // of every number
    std::vector<Words> all_;                          // by layer: all strings from there on
    std::vector<std::vector<std::uint64_t>> counts_;  // by layer, `words_` for each node
};

}  // namespace setrograde

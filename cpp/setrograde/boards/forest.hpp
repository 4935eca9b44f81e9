// Forest: sets of strings of fixed length as hash-consed, layered automata
//
// A string has one symbol at each of `layers()` places; each place has an alphabet of its own. A set
// is an edge to a node of layer 0. A node of layer l has one edge to layer l + 1 for each symbol of
// place l: the strings that may follow. Equal sets are equal edges, because
//   - a node is stored once (hash-consing), and sets of every kind share nodes;
//   - an edge carries a bit that means "all the strings that are not there", so a set and its
//     complement are one node; the first edge of a stored node never has that bit;
//   - a node that leads nowhere is node 0. So edge 0 is nothing and edge 1 is everything that can
//     follow, at every layer.
// The sets of Considine, "Compressed Game Solving" (2024), there with one minimal automaton each.
//
// Operations are memoised in one direct-mapped cache that grows with the forest. Nodes that no root
// leads to are swept when memory runs short, never in the middle of an operation: one that runs into
// the limit is tried once more after sweeping.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <stdexcept>
#include <vector>

#include "setrograde/boards/places.hpp"
#include "setrograde/common/growing_array.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

using Edge = std::uint32_t;    // number of a node in its layer, times two, plus one for "not these"
using Symbol = std::uint16_t;  // number of a symbol in the alphabet of its place

inline constexpr Edge NOTHING = 0;
inline constexpr Edge EVERYTHING = 1;
inline constexpr std::size_t MAX_LAYERS = 256;
inline constexpr std::size_t MAX_SYMBOLS = 64;  // of a set; a relation has pairs of them
inline constexpr std::size_t MAX_NODES_OF_LAYER = std::size_t{1} << 30;

// The nodes did not fit, even after garbage was swept.
struct ForestFull : std::length_error {
    ForestFull() : std::length_error("the forest is full") {}
};

// Children of the nodes of one layer, and the table that finds a node by them.
class ForestLayer {
public:
    explicit ForestLayer(std::size_t symbols);

    std::size_t symbols() const { return symbols_; }
    std::size_t size() const { return size_; }  // node 0 included
    const Edge* children(Edge edge) const { return nodes_.data() + (edge >> 1) * symbols_; }
    std::size_t bytes() const { return nodes_.bytes() + table_.bytes(); }

    // The edge whose node has these children, which are changed if the node is stored the other way
    // round. `room` is how many bytes the layer may grow by; throws ForestFull beyond.
    template <int SYMBOLS>
    Edge find_or_add(Edge* children, std::size_t room);

    // What `find_or_add` will look at for a row with this hash: first the slot, then the node.
    template <int SYMBOLS>
    std::uint64_t hash_of_row(const Edge* children) const;
    void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&table_[hash >> (64 - table_bits_)]); }
    void prefetch_node(std::uint64_t hash) const {
        if (const Edge node = node_in(hash >> (64 - table_bits_))) __builtin_prefetch(nodes_.data() + node * symbols_);
    }

    // Keeps the marked nodes, with edges to the layer below renamed, and sets `names`, by number of a
    // node, to its new one: 0 for what is gone. Node 0 stays.
    void sweep(const std::vector<bool>& marked, const GrowingArray<Edge>* below, GrowingArray<Edge>& names);

private:
    template <int SYMBOLS>
    std::size_t slot_of(const Edge* children, std::uint64_t hash) const;
    // What a slot holds: the number of a node and, in the bits that it does not need, a part of its
    // hash. Other nodes are told apart by it without a look at them.
    Edge entry_of(std::size_t node, std::uint64_t hash) const {
        return static_cast<Edge>(node) | static_cast<Edge>(hash) << table_bits_;
    }
    Edge node_in(std::size_t slot) const { return table_[slot] & static_cast<Edge>(table_.capacity() - 1); }
    void grow_nodes(std::size_t room);
    void grow_table(std::size_t room);
    void fill_table();

    std::size_t symbols_;
    std::size_t size_ = 1;
    GrowingArray<Edge> nodes_;
    GrowingArray<Edge> table_;  // 0 where free
    int table_bits_ = 0;        // of the number of a slot
};

class Transducer;

class Forest {
public:
    // `limit_bytes` covers nodes, tables and the cache of operations. Throws std::invalid_argument.
    Forest(Places places, std::size_t limit_bytes);
    Forest(std::vector<std::size_t> symbols, std::size_t limit_bytes)
        : Forest(Places(std::move(symbols)), limit_bytes) {}

    const Places& places() const { return places_; }
    std::size_t layers() const { return layers_.size(); }
    std::size_t symbols(std::size_t layer) const { return layers_[layer].symbols(); }
    std::size_t limit_bytes() const { return limit_bytes_; }
    std::size_t nodes_of(std::size_t layer) const { return layers_[layer].size(); }  // with node 0
    std::size_t nodes() const;
    std::size_t nodes_from(Edge root) const;  // those that a set takes
    std::size_t bytes() const;
    std::size_t peak_bytes() const { return peak_bytes_; }
    std::size_t sweeps() const { return sweeps_; }

    // What the operations below ask now and then; Stopped is thrown if it says true.
    void watch(StopCheck should_stop) { should_stop_ = std::move(should_stop); }

    // --- nodes ---

    Edge child(std::size_t layer, Edge edge, std::size_t symbol) const {
        return layers_[layer].children(edge)[symbol] ^ (edge & 1);
    }

    // Those of the node, for an edge without its bit.
    const Edge* children(std::size_t layer, Edge edge) const { return layers_[layer].children(edge); }

    // The edge that leads to `children`, one for each symbol; changes them.
    Edge add(std::size_t layer, Edge* children);

    // The same for many rows of children at once, faster: tables are fetched early.
    void add_rows(std::size_t layer, Edge* rows, std::size_t count, Edge* edges);

    // Throws ForestFull if an operation that needs `bytes` for itself does not fit beside the nodes.
    void check_room(std::size_t bytes);

    // Throws Stopped if the watch says so.
    void note_work();

    // --- sets: edges of layer `layer`; results are only as safe as the next sweep ---

    Edge meet(Edge a, Edge b, std::size_t layer = 0);
    Edge join(Edge a, Edge b, std::size_t layer = 0) { return meet(a ^ 1, b ^ 1, layer) ^ 1; }
    Edge differ(Edge a, Edge b, std::size_t layer = 0);  // in one but not in both
    Edge join_all(std::vector<Edge> edges);
    Edge image(const Transducer& moves, Edge edge);

    // --- roots: what survives a sweep ---

    std::size_t keep(Edge edge);
    Edge kept(std::size_t slot) const;
    void release(std::size_t slot);

    // Sweeps if that is due. Edges that are not kept are worth nothing afterwards.
    void sweep_if_due();
    void sweep();

    // Numbers for the states of a transducer, so that no two share entries of the cache.
    Edge reserve_states(std::size_t count);

    // Held by whoever works on the forest from several threads.
    std::mutex& mutex() { return mutex_; }

private:
    friend struct ForestWork;

    struct Entry {
        Edge a, b;
        std::uint32_t tag;  // layer and operation; 0 if the entry is empty
        Edge result;
    };
    static_assert(sizeof(Entry) == 16);

    template <int SYMBOLS>
    Edge add_node(std::size_t layer, Edge* children);
    template <int SYMBOLS>
    Edge meet_nodes(std::size_t layer, Edge a, Edge b);
    template <int SYMBOLS>
    Edge differ_nodes(std::size_t layer, Edge a, Edge b);
    template <int SYMBOLS>
    Edge image_nodes(const Transducer& moves, std::size_t layer, Edge state, Edge edge);

    Entry& entry(Edge a, Edge b, std::uint32_t tag) {
        std::uint64_t hash = (std::uint64_t{a} << 32 | b) + tag * 0x9E3779B97F4A7C15u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        return cache_[hash >> cache_shift_];
    }
    void remember(Edge a, Edge b, std::uint32_t tag, Edge result);
    void set_cache(int bits);
    void rename_cache(const std::vector<GrowingArray<Edge>>& names);

    Places places_;
    std::vector<ForestLayer> layers_;
    std::size_t uniform_;  // symbols of every layer, or 0 if they differ
    std::size_t limit_bytes_;
    std::size_t used_bytes_ = 0;  // of layers
    std::size_t peak_bytes_ = 0;
    std::size_t added_ = 0;  // nodes since the last sweep
    std::size_t sweep_at_bytes_;
    std::size_t sweeps_ = 0;
    GrowingArray<Entry> cache_;
    int cache_bits_ = 0, cache_shift_ = 0;
    std::vector<std::vector<Edge>> rows_;  // one node in the making for each layer
    std::vector<Edge> roots_;
    std::vector<std::size_t> free_roots_;
    Edge next_state_ = 2;  // after IDENTITY and ANY
    StopCheck should_stop_;
    std::uint32_t work_ = 0;
    std::mutex mutex_;
    mutable std::mutex roots_mutex_;  // never held for long: a dying handle may wait for it
};

// A set that lives as long as its handle does.
class ForestSet {
public:
    ForestSet(std::shared_ptr<Forest> forest, Edge edge);
    ForestSet(ForestSet&& other) noexcept;
    ForestSet(const ForestSet&) = delete;
    ForestSet& operator=(const ForestSet&) = delete;
    ForestSet& operator=(ForestSet&&) = delete;
    ~ForestSet();

    Edge edge() const { return forest_->kept(slot_); }
    const std::shared_ptr<Forest>& forest() const { return forest_; }

private:
    std::shared_ptr<Forest> forest_;
    std::size_t slot_;
};

// Runs `work`, which returns an edge, under the forest's lock; if it runs into the limit, once more
// after a sweep. `work` must read the edges it needs from handles, as a sweep renames them.
ForestSet run_on(const std::shared_ptr<Forest>& forest, const StopCheck& should_stop,
                 const std::function<Edge(Forest&)>& work);

}  // namespace setrograde

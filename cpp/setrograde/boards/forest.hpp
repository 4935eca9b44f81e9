// Forest: sets of strings of fixed length as hash-consed, layered automata
//
// A string has one symbol at each of `layers()` places; each place has an alphabet of its own. A set
// is an branch to a node of layer 0. A node of layer l has one branch to layer l + 1 for each symbol of
// place l: the strings that may follow. Equal sets are equal branches, because
//   - a node is stored once (hash-consing), and sets of every kind share nodes;
//   - an branch carries a bit that means "all the strings that are not there", so a set and its
//     complement are one node; the first branch of a stored node never has that bit;
//   - a node that leads nowhere is node 0. So branch 0 is nothing and branch 1 is everything that can
//     follow, at every layer.
// The sets of Considine, "Compressed Game Solving" (2024), there with one minimal automaton each.
//
// Operations are memoised in one direct-mapped cache that grows with the forest. Nodes that no root
// leads to are swept when memory runs short, never in the middle of an operation: one that runs into
// the limit is tried once more after sweeping. Who uses a forest, with handles and from several
// threads, goes through boards/forest_set.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <new>
#include <stdexcept>
#include <vector>

#include "setrograde/boards/places.hpp"
#include "setrograde/common/growing_array.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

using Branch = std::uint32_t;  // number of a node in its layer, times two, plus one for "not these"
using Symbol = std::uint16_t;  // number of a symbol in the alphabet of its place

inline constexpr Branch NOTHING = 0;
inline constexpr Branch EVERYTHING = 1;
inline constexpr std::size_t MAX_LAYERS = 256;
inline constexpr std::size_t MAX_SYMBOLS = 64;  // of a set; a relation has pairs of them
inline constexpr std::size_t MAX_NODES_OF_LAYER = std::size_t{1} << 30;

// The nodes did not fit, even after garbage was swept.
struct ForestFull : std::bad_alloc {
    const char* what() const noexcept override { return "the forest is full"; }
};

// Throws Stopped if the check says so.
inline void poll(const StopCheck& should_stop) {
    if (should_stop && should_stop()) throw Stopped{};
}

// Children of the nodes of one layer, and the table that finds a node by them.
class ForestLayer {
public:
    explicit ForestLayer(std::size_t symbols);

    std::size_t symbols() const { return symbols_; }
    std::size_t size() const { return size_; }  // node 0 included
    const Branch* children(Branch branch) const { return nodes_.data() + (branch >> 1) * symbols_; }
    std::size_t bytes() const { return nodes_.bytes() + table_.bytes(); }

    // The branch whose node has these children, which are changed if the node is stored the other way
    // round. `room` is how many bytes the layer may grow by; throws ForestFull beyond. Where the table
    // grows, the check is asked; throws Stopped, and then `fill_table` must be called before the next use.
    template <int SYMBOLS>
    Branch find_or_add(Branch* children, std::size_t room, const StopCheck& should_stop);

    // What `find_or_add` will look at for a row with this hash: first the slot, then the node.
    template <int SYMBOLS>
    std::uint64_t hash_of_row(const Branch* children) const;
    void prefetch_slot(std::uint64_t hash) const { __builtin_prefetch(&table_[hash >> (64 - table_bits_)]); }
    void prefetch_node(std::uint64_t hash) const {
        if (const Branch node = node_in(hash >> (64 - table_bits_)))
            __builtin_prefetch(nodes_.data() + node * symbols_);
    }

    // How far a layer has been swept.
    struct Swept {
        std::size_t from = 1, to = 1;
    };

    // Keeps the marked nodes, with branches to the layer below renamed, and sets `names`, by number of a
    // node, to its new one: 0 for what is gone. Node 0 stays. Goes on from `swept`, so that it can be
    // called again after Stopped. `fill_table` must follow.
    void sweep(const std::vector<bool>& marked, const GrowingArray<Branch>* below, GrowingArray<Branch>& names,
               Swept& swept, const StopCheck& should_stop);

    // Enters all nodes in the table, if it was cleared; goes on where it was stopped.
    void fill_table(const StopCheck& should_stop);

private:
    template <int SYMBOLS>
    std::size_t slot_of(const Branch* children, std::uint64_t hash) const;
    // What a slot holds: the number of a node and, in the bits that it does not need, a part of its
    // hash. Other nodes are told apart by it without a look at them.
    Branch entry_of(std::size_t node, std::uint64_t hash) const {
        return static_cast<Branch>(node) | static_cast<Branch>(hash) << table_bits_;
    }
    Branch node_in(std::size_t slot) const { return table_[slot] & static_cast<Branch>(table_.capacity() - 1); }
    void grow_nodes(std::size_t room);
    void grow_table(std::size_t room, const StopCheck& should_stop);
    void clear_table(std::size_t slots);

    std::size_t symbols_;
    std::size_t size_ = 1;
    GrowingArray<Branch> nodes_;
    GrowingArray<Branch> table_;  // 0 where free
    int table_bits_ = 0;          // of the number of a slot
    std::size_t unfilled_ = 0;    // nodes from here on are not in the table; 0 if all are
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
    std::size_t nodes_from(Branch root) const;  // those that a set takes
    std::size_t bytes() const;
    std::size_t peak_bytes() const { return peak_bytes_; }
    std::size_t sweeps() const { return sweeps_; }

    // What the operations below ask now and then; Stopped is thrown if it says true. What a stop left
    // half done must be finished before the next use.
    void watch(StopCheck should_stop) { should_stop_ = std::move(should_stop); }
    void finish_interrupted();

    // For work that is done on the forest from outside: asks the watch.
    void poll() const { setrograde::poll(should_stop_); }

    // --- nodes ---

    Branch child(std::size_t layer, Branch branch, std::size_t symbol) const {
        return layers_[layer].children(branch)[symbol] ^ (branch & 1);
    }

    // Those of the node, for an branch without its bit.
    const Branch* children(std::size_t layer, Branch branch) const { return layers_[layer].children(branch); }

    // The branch that leads to `children`, one for each symbol; changes them.
    Branch add(std::size_t layer, Branch* children);

    // The same for many rows of children at once, faster: tables are fetched early.
    void add_rows(std::size_t layer, Branch* rows, std::size_t count, Branch* branches);

    // Throws ForestFull if an operation that needs `bytes` for itself does not fit beside the nodes.
    void check_room(std::size_t bytes);

    // --- sets: branches of layer `layer`; results are only as safe as the next sweep ---

    Branch meet(Branch a, Branch b, std::size_t layer = 0);
    Branch join(Branch a, Branch b, std::size_t layer = 0) { return meet(a ^ 1, b ^ 1, layer) ^ 1; }
    Branch differ(Branch a, Branch b, std::size_t layer = 0);  // in one but not in both
    Branch join_all(std::vector<Branch> branches);
    Branch image(const Transducer& moves, Branch branch);

    // --- roots: what survives a sweep ---

    std::size_t keep(Branch branch);
    Branch kept(std::size_t slot) const;
    void release(std::size_t slot);

    // Sweeps if that is due. Branches that are not kept are worth nothing afterwards.
    void sweep_if_due();
    void sweep();

    // Numbers for the states of a transducer, so that no two share entries of the cache.
    Branch reserve_states(std::size_t count);

    // Held by whoever works on the forest from several threads.
    std::timed_mutex& mutex() { return mutex_; }

private:
    struct Entry {
        Branch a, b;
        std::uint32_t tag;  // layer and operation; 0 if the entry is empty
        Branch result;
    };
    static_assert(sizeof(Entry) == 16);

    template <int SYMBOLS>
    Branch add_node(std::size_t layer, Branch* children);
    template <int SYMBOLS>
    Branch meet_nodes(std::size_t layer, Branch a, Branch b);
    template <int SYMBOLS>
    Branch differ_nodes(std::size_t layer, Branch a, Branch b);
    template <int SYMBOLS>
    Branch image_nodes(const Transducer& moves, std::size_t layer, Branch state, Branch branch);

    Entry& entry(Branch a, Branch b, std::uint32_t tag) {
        std::uint64_t hash = (std::uint64_t{a} << 32 | b) + tag * 0x9E3779B97F4A7C15u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        hash = (hash ^ hash >> 32) * 0xD6E8FEB86659FD93u;
        return cache_[hash >> cache_shift_];
    }
    void remember(Branch a, Branch b, std::uint32_t tag, Branch result);
    void set_cache(int bits);
    void note_work() {
        if ((++work_ & 0xFFF) == 0) poll();
    }

    // A sweep under way. Each part goes on where it was stopped.
    struct Sweep {
        std::vector<std::vector<bool>> marked;    // by layer
        std::vector<GrowingArray<Branch>> names;  // by layer: new numbers of nodes
        std::size_t layers_left;
        ForestLayer::Swept swept;  // of the last of these layers
        bool are_roots_renamed = false;
        std::size_t renamed = 0, unmarked = 0;  // entries of the cache
    };
    std::vector<std::vector<bool>> mark() const;
    void finish_sweep();
    void rename_cache(Sweep& sweep);
    void count_bytes();

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
    std::vector<std::vector<Branch>> rows_;  // one node in the making for each layer
    std::vector<Branch> roots_;
    std::vector<std::size_t> free_roots_;
    Branch next_state_ = 2;         // after IDENTITY and ANY
    std::unique_ptr<Sweep> sweep_;  // if one was stopped
    StopCheck should_stop_;
    std::uint32_t work_ = 0;
    std::timed_mutex mutex_;
    mutable std::mutex roots_mutex_;  // held for moments only: a dying handle may wait for it
};

}  // namespace setrograde

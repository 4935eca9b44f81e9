// Diagram build: all shapes of a level, in shards
//
// Level d needs level d - 1, for every order of suits that a trick can lead to; that needs level
// d - 2, and so on. A plan lists the shapes of each level and cuts the lists into shards. Shards of
// one level are independent of each other, so they may be built by any number of threads, or on
// other machines, in any order; they are merged in their own order, so the result is always the
// same. The list keeps shapes with the same long suits together: they share most work.
#pragma once

#include <memory>
#include <string>

#include "edge_store.hpp"
#include "search.hpp"
#include "symbolic.hpp"

namespace setrograde {

inline constexpr int MAX_DIAGRAM_TRICKS = 6;

// Bytes that are no shard, or a damaged one.
struct ShardError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class BuildPlan {
public:
    explicit BuildPlan(int tricks);  // 1 to MAX_DIAGRAM_TRICKS

    int tricks() const { return static_cast<int>(levels_.size()) - 1; }
    // Shapes of a level, canonical in the last one.
    const std::vector<Shape>& shapes(int level) const { return levels_[static_cast<std::size_t>(level)].shapes; }
    std::size_t shards(int level) const { return levels_[static_cast<std::size_t>(level)].starts.size() - 1; }
    // The first shape of a shard; that of the last shard plus one is the end.
    std::size_t start(int level, std::size_t shard) const {
        return levels_[static_cast<std::size_t>(level)].starts[shard];
    }
    // How much work a shard is expected to be, in arbitrary units.
    double weight(int level, std::size_t shard) const;

private:
    struct Level {
        std::vector<Shape> shapes;
        std::vector<std::size_t> starts;
    };
    void cut(Level& level) const;

    std::vector<Level> levels_;
};

// Diagrams of some shapes, on their own.
struct Shard {
    int tricks = 0;
    std::vector<DiagramNode> nodes;
    std::vector<NodeId> roots;  // in the order of the plan

    std::string to_bytes() const;
    // Checks everything; throws ShardError.
    static Shard from_bytes(const std::string& bytes);
};

// Builds shard number `shard` of a level on the finished level below. Throws Stopped if
// `should_stop` says so.
Shard build_shard(const OrderedLevel& below, const BuildPlan& plan, int level, std::size_t shard,
                  const StopCheck& should_stop);

// The level with no tricks left, below all others.
std::unique_ptr<OrderedLevel> empty_level();

// Adds a shard of a plan to a level that others are built on.
void merge_shard(OrderedLevel& level, const BuildPlan& plan, const Shard& shard, std::size_t number);

// The last level of a plan, in the form it is stored.
class StoredLevel {
public:
    explicit StoredLevel(int tricks) : index_(tricks), roots_(index_.size(), NO_EDGE) {}

    // Shards must come in order for the same numbers of nodes every time.
    void merge(const BuildPlan& plan, const Shard& shard, std::size_t number);
    int tricks() const { return index_.tricks(); }
    // No shape is missing.
    bool is_complete() const { return std::find(roots_.begin(), roots_.end(), NO_EDGE) == roots_.end(); }
    std::size_t nodes() const { return store_.size(); }
    std::size_t bytes() const { return store_.bytes() + roots_.size() * sizeof(Edge); }
    // Writes a level file; throws LevelFileError.
    void write(const std::string& path, const std::string& creator, std::uint64_t states) const;

private:
    ShapeIndex index_;
    std::vector<Edge> roots_;  // by number of shape
    EdgeStore store_;
};

// Sections of a level file made of diagrams: an edge for each shape, four edges for each node.
inline constexpr std::uint32_t ROOTS_SECTION = 1, NODES_SECTION = 2;

}  // namespace setrograde

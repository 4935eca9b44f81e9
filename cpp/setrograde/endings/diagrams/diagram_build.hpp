// Diagram build: all shapes of a level, in shards
//
// Level d needs level d - 1, for every order of suits that a trick can lead to; that needs level
// d - 2, and so on. A plan lists the shapes of each level and cuts the lists into shards. Shards of
// one level are independent of each other, so they may be built by any number of threads, or on
// other machines, in any order; they are merged in their own order, so the result is always the
// same. The list keeps shapes with the same long suits together: they share most work.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/diagrams/edge_store.hpp"
#include "setrograde/endings/diagrams/shape_builder.hpp"

namespace setrograde {

// The most tricks a plan can have: what shards are built for. One file numbers the nodes of fewer, 5.
inline constexpr int MAX_PLANNED_TRICKS = 6;

// Bytes that are no shard, or a damaged one.
struct ShardError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class BuildPlan {
public:
    // 1 to MAX_PLANNED_TRICKS. The last level is cut into `last_shards` at most, or like the others
    // if that is 0. Throws Stopped, as all constructors.
    explicit BuildPlan(int tricks, std::size_t last_shards = 0, const StopCheck& should_stop = {});
    // The last level has only these shapes, canonical ones and at least one, and the levels below only
    // what they need.
    BuildPlan(int tricks, std::vector<Shape> last, std::size_t last_shards, const StopCheck& should_stop = {});

    // A plan with the last level's shards from `first` to `end` alone, and of the level below only
    // what they need; the levels further below are those of this plan.
    BuildPlan part(std::size_t first, std::size_t end, const StopCheck& should_stop = {}) const;

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
    std::span<const Shape> shapes_of(int level, std::size_t shard) const {
        return std::span(shapes(level)).subspan(start(level, shard), start(level, shard + 1) - start(level, shard));
    }

private:
    struct Level {
        std::vector<Shape> shapes;
        std::vector<std::size_t> starts;
    };
    BuildPlan() = default;

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

// Builds shapes one after the other on the level below, which must have all shapes that a trick leads
// to. Throws Stopped if `should_stop` says so.
Shard build_shapes(const OrderedLevel& below, std::span<const Shape> shapes, const StopCheck& should_stop);

// Builds shard number `shard` of a level on the finished level below.
Shard build_shard(const OrderedLevel& below, const BuildPlan& plan, int level, std::size_t shard,
                  const StopCheck& should_stop);

// Nodes of a shard in the form they are stored: what each node of it has become, in order.
std::vector<Edge> store_nodes(const Shard& shard, EdgeStore& store);
Edge stored_edge(NodeId id, const std::vector<Edge>& stored);

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
    // Writes a level file; throws LevelFileError, Stopped.
    void write(const std::string& path, const std::string& creator, std::uint64_t states,
               const StopCheck& should_stop = {}) const;

private:
    ShapeIndex index_;
    std::vector<Edge> roots_;  // by number of shape
    EdgeStore store_;
};

// Sections of a level file made of diagrams: an edge for each shape, four edges for each node.
inline constexpr std::uint32_t ROOTS_SECTION = 1, NODES_SECTION = 2;
// In a shard, also the numbers of its shapes.
inline constexpr std::uint32_t RANKS_SECTION = 3;

}  // namespace setrograde

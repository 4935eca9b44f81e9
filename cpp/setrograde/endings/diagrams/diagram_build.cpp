#include "setrograde/endings/diagrams/diagram_build.hpp"

#include <cassert>
#include <cmath>
#include <cstring>

#include "setrograde/common/checksum.hpp"
#include "setrograde/endings/levels/level_file.hpp"

namespace setrograde {

namespace {

// The work for a shape grows with about this power of its layouts (fitted on 16 cards).
constexpr double WORK_EXPONENT = 0.4;
constexpr double LEAST_SHARD_WORK = 200'000;  // a fifth of a second
constexpr std::size_t MOST_SHARDS = 256;

double work(const Shape& shape) { return std::pow(static_cast<double>(shape.layouts()), WORK_EXPONENT); }

// Where the shards begin that the shapes are cut into, and the end.
std::vector<std::size_t> cut(const std::vector<Shape>& shapes, double least_work, std::size_t most_shards,
                             const StopCheck& should_stop) {
    double whole = 0, sum = 0;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (i % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
        whole += work(shapes[i]);
    }
    const double shard = std::max(least_work, whole / static_cast<double>(most_shards));
    std::vector<std::size_t> starts{0};
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (i % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
        if (sum >= shard) {
            starts.push_back(i);
            sum = 0;
        }
        sum += work(shapes[i]);
    }
    starts.push_back(shapes.size());
    return starts;
}

// The shapes of the level below that `shapes` lead to.
std::vector<Shape> successors(std::span<const Shape> shapes, int tricks, const StopCheck& should_stop) {
    const HandRows rows(tricks - 1);
    std::vector<bool> marked(rows.shapes());
    std::size_t seen = 0;
    for (const Shape& shape : shapes) {
        if (seen++ % 256 == 0 && should_stop && should_stop()) throw Stopped{};
        mark_successors(shape, rows, marked);
    }
    std::vector<Shape> found;
    for (std::size_t number = 0; number < marked.size(); ++number) {
        if (number % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
        if (marked[number]) found.push_back(rows.shape(number));
    }
    sort_for_sharing(found, should_stop);
    return found;
}

}  // namespace

BuildPlan::BuildPlan(int tricks, std::size_t last_shards, const StopCheck& should_stop)
    : BuildPlan(tricks, ShapeIndex(tricks).shapes(should_stop), last_shards, should_stop) {}

BuildPlan::BuildPlan(int tricks, std::vector<Shape> last, std::size_t last_shards, const StopCheck& should_stop)
    : levels_(static_cast<std::size_t>(tricks) + 1) {
    assert(1 <= tricks && tricks <= MAX_PLANNED_TRICKS && !last.empty());
    sort_for_sharing(last, should_stop);
    levels_.back().shapes = std::move(last);
    for (int level = tricks; level >= 1; --level)
        levels_[static_cast<std::size_t>(level) - 1].shapes = successors(shapes(level), level, should_stop);
    for (Level& level : levels_) level.starts = cut(level.shapes, LEAST_SHARD_WORK, MOST_SHARDS, should_stop);
    if (last_shards) levels_.back().starts = cut(levels_.back().shapes, 0, last_shards, should_stop);
}

BuildPlan BuildPlan::part(std::size_t first, std::size_t end, const StopCheck& should_stop) const {
    assert(first < end && end <= shards(tricks()));
    BuildPlan plan;
    plan.levels_.assign(levels_.begin(), levels_.end() - 1);
    plan.levels_.emplace_back();
    Level& last = plan.levels_.back();
    const std::size_t from = start(tricks(), first), to = start(tricks(), end);
    const std::span<const Shape> chosen = std::span(shapes(tricks())).subspan(from, to - from);
    last.shapes.assign(chosen.begin(), chosen.end());
    for (std::size_t shard = first; shard <= end; ++shard) last.starts.push_back(start(tricks(), shard) - from);
    Level& below = plan.levels_[plan.levels_.size() - 2];
    below.shapes = successors(last.shapes, tricks(), should_stop);
    below.starts = cut(below.shapes, LEAST_SHARD_WORK, MOST_SHARDS, should_stop);
    return plan;
}

double BuildPlan::weight(int level, std::size_t shard) const {
    double sum = 0;
    for (std::size_t i = start(level, shard); i < start(level, shard + 1); ++i) sum += work(shapes(level)[i]);
    return sum;
}

Shard build_shapes(const OrderedLevel& below, std::span<const Shape> shapes, const StopCheck& should_stop) {
    Diagram diagram;
    ShapeBuilder builder(below, diagram, should_stop);
    Shard result;
    result.tricks = below.rows.tricks() + 1;
    for (const Shape& shape : shapes) {
        if (should_stop && should_stop()) throw Stopped{};
        result.roots.push_back(builder.build(shape));
    }
    result.nodes = diagram.take_nodes();
    return result;
}

Shard build_shard(const OrderedLevel& below, const BuildPlan& plan, int level, std::size_t shard,
                  const StopCheck& should_stop) {
    return build_shapes(below, plan.shapes_of(level, shard), should_stop);
}

void merge_shard(OrderedLevel& level, const BuildPlan& plan, const Shard& shard, std::size_t number) {
    std::vector<NodeId> merged;
    merge_nodes(shard.nodes, level.diagram, merged);
    const std::size_t first = plan.start(shard.tricks, number);
    for (std::size_t i = 0; i < shard.roots.size(); ++i)
        level.roots[level.rows.shape_number(plan.shapes(shard.tricks)[first + i])] = merged_id(shard.roots[i], merged);
}

Edge stored_edge(NodeId id, const std::vector<Edge>& stored) {
    if (id == INFEASIBLE) return NO_EDGE;
    return id < TERMINALS ? value_edge(static_cast<int>(id)) : stored[id - TERMINALS];
}

std::vector<Edge> store_nodes(const Shard& shard, EdgeStore& store) {
    std::vector<Edge> stored(shard.nodes.size());
    for (std::size_t i = 0; i < shard.nodes.size(); ++i) {
        EdgeNode node;
        for (std::size_t owner = 0; owner < 4; ++owner)
            node[owner] = stored_edge(shard.nodes[i].children[owner], stored);
        stored[i] = store.make(shard.nodes[i].tag, node);
    }
    return stored;
}

void StoredLevel::merge(const BuildPlan& plan, const Shard& shard, std::size_t number) {
    const std::vector<Edge> merged = store_nodes(shard, store_);
    const std::size_t first = plan.start(shard.tricks, number);
    for (std::size_t i = 0; i < shard.roots.size(); ++i)
        roots_[index_.rank(plan.shapes(shard.tricks)[first + i])] = stored_edge(shard.roots[i], merged);
}

void StoredLevel::write(const std::string& path, const std::string& creator, std::uint64_t states,
                        const StopCheck& should_stop) const {
    const LevelHeader header{
        .tricks = static_cast<std::uint32_t>(index_.tricks()),
        .method = Method::DIAGRAMS,
        .shapes = roots_.size(),
        .states = states,
        .creator = creator,
        .sections = {{.kind = ROOTS_SECTION, .record_bytes = sizeof(Edge), .count = roots_.size()},
                     {.kind = NODES_SECTION, .record_bytes = sizeof(EdgeNode), .count = store_.size()}},
    };
    LevelFileWriter writer(path, header, should_stop);
    writer.write(roots_.data(), roots_.size() * sizeof(Edge));
    for (std::size_t n = 0; n < store_.size(); ++n) writer.write(&store_[n], sizeof(EdgeNode));
    writer.finish();
}

namespace {

struct ShardHeader {
    char magic[8];
    std::uint32_t version, tricks;
    std::uint64_t nodes, roots;
};
constexpr char SHARD_MAGIC[8] = {'S', 'E', 'T', 'R', 'O', 'S', 'H', 'D'};
constexpr std::uint32_t SHARD_VERSION = 1;

bool is_sound(const DiagramNode& node, NodeId before, const std::vector<DiagramNode>& nodes, int tricks) {
    if (suit_of_tag(node.tag) > 3 || unread_of_tag(node.tag) < 1 || unread_of_tag(node.tag) > LONGEST_SUIT)
        return false;
    int feasible = 0;
    for (const NodeId child : node.children) {
        if (child == INFEASIBLE) continue;
        ++feasible;
        if (child < TERMINALS) {
            if (static_cast<int>(child) > tricks) return false;
            continue;
        }
        if (child >= before) return false;
        // Suits in order, each from the highest card down.
        const Tag tag = nodes[child - TERMINALS].tag;
        const bool later = suit_of_tag(tag) > suit_of_tag(node.tag) ||
                           (suit_of_tag(tag) == suit_of_tag(node.tag) && unread_of_tag(tag) < unread_of_tag(node.tag));
        if (!later) return false;
    }
    return feasible >= 2;
}

}  // namespace

// Header, children of all nodes, their tags, roots, checksum.
std::string Shard::to_bytes() const {
    ShardHeader header{};
    std::memcpy(header.magic, SHARD_MAGIC, sizeof header.magic);
    header.version = SHARD_VERSION;
    header.tricks = static_cast<std::uint32_t>(tricks);
    header.nodes = nodes.size();
    header.roots = roots.size();
    std::string bytes;
    bytes.reserve(sizeof header + nodes.size() * 17 + roots.size() * 4 + 8);
    const auto append = [&](const void* data, std::size_t size) { bytes.append(static_cast<const char*>(data), size); };
    append(&header, sizeof header);
    for (const DiagramNode& node : nodes) append(node.children.data(), sizeof node.children);
    for (const DiagramNode& node : nodes) append(&node.tag, sizeof node.tag);
    append(roots.data(), roots.size() * sizeof(NodeId));
    const std::uint64_t sum = checksum(bytes.data(), bytes.size());
    append(&sum, sizeof sum);
    return bytes;
}

Shard Shard::from_bytes(const std::string& bytes) {
    ShardHeader header;
    std::uint64_t sum;
    if (bytes.size() < sizeof header + sizeof sum) throw ShardError("not a shard (too short)");
    std::memcpy(&header, bytes.data(), sizeof header);
    if (std::memcmp(header.magic, SHARD_MAGIC, sizeof header.magic) != 0 || header.version != SHARD_VERSION)
        throw ShardError("not a shard of this version");
    const std::uint64_t most = bytes.size();
    if (header.nodes > most || header.roots > most || header.tricks < 1 || header.tricks > 13 ||
        sizeof header + header.nodes * 17 + header.roots * 4 + sizeof sum != bytes.size())
        throw ShardError("a shard cut short");
    std::memcpy(&sum, bytes.data() + bytes.size() - sizeof sum, sizeof sum);
    if (sum != checksum(bytes.data(), bytes.size() - sizeof sum)) throw ShardError("a damaged shard (checksum)");
    Shard shard;
    shard.tricks = static_cast<int>(header.tricks);
    shard.nodes.resize(header.nodes);
    const char* children = bytes.data() + sizeof header;
    const char* tags = children + header.nodes * 16;
    for (std::size_t i = 0; i < shard.nodes.size(); ++i) {
        DiagramNode& node = shard.nodes[i];
        std::memcpy(node.children.data(), children + i * 16, 16);
        node.tag = static_cast<Tag>(tags[i]);
        if (!is_sound(node, static_cast<NodeId>(i) + TERMINALS, shard.nodes, shard.tricks))
            throw ShardError("a shard with an impossible node");
    }
    shard.roots.resize(header.roots);
    std::memcpy(shard.roots.data(), tags + header.nodes, header.roots * sizeof(NodeId));
    for (const NodeId root : shard.roots)
        if (root < TERMINALS ? static_cast<int>(root) > shard.tricks : root - TERMINALS >= header.nodes)
            throw ShardError("a shard with an impossible root");
    return shard;
}

}  // namespace setrograde

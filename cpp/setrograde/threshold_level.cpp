#include "threshold_level.hpp"

#include "diagram_build.hpp"

namespace setrograde {

namespace {

// For a node that is kept: the edge takes the card of the edge it stands for. No card has this tag.
constexpr Tag SAME_CARD = (1 << TAG_BITS) - 1;

}  // namespace

void write_thresholds(const DiagramLevel& level, const std::string& path, const StopCheck& should_stop) {
    const int tricks = level.tricks();
    EdgeStore store;
    std::vector<Edge> cut(level.nodes());  // what each node becomes
    std::vector<Edge> roots(level.index().size() * static_cast<std::size_t>(tricks));
    for (int threshold = 1; threshold <= tricks; ++threshold) {
        const auto translate = [&](Edge edge) {
            if (is_value(edge))
                return target_of(edge) >= static_cast<std::uint32_t>(threshold) ? YES_EDGE : NO_ANSWER_EDGE;
            const Edge found = cut[target_of(edge)];
            return tag_of(found) == SAME_CARD ? node_edge(target_of(found), tag_of(edge)) : found;
        };
        for (std::size_t n = 0; n < level.nodes(); ++n) {
            if (n % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
            EdgeNode node;
            for (int owner = 0; owner < PLAYERS; ++owner) {
                const Edge edge = level.follow(node_edge(n, SAME_CARD), owner);
                // Nodes come after those they lead to.
                if (!is_value(edge) && target_of(edge) >= n) level.refuse_edge();
                node[static_cast<std::size_t>(owner)] = translate(edge);
            }
            cut[n] = store.make(SAME_CARD, node);
        }
        for (std::size_t rank = 0; rank < level.index().size(); ++rank) {
            const Edge root = level.root(rank);
            if (!is_value(root) && target_of(root) >= level.nodes()) level.refuse_edge();
            roots[rank * static_cast<std::size_t>(tricks) + static_cast<std::size_t>(threshold - 1)] = translate(root);
        }
    }
    LevelHeader header = level.file().header();
    header.method = Method::THRESHOLDS;
    header.sections = {{ROOTS_SECTION, static_cast<std::uint32_t>(tricks) * 4, level.index().size(), 0},
                       {NODES_SECTION, sizeof(EdgeNode), store.size(), 0}};
    LevelFileWriter writer(path, header);
    writer.write(roots.data(), roots.size() * sizeof(Edge));
    for (std::size_t n = 0; n < store.size(); ++n) writer.write(&store[n], sizeof(EdgeNode));
    writer.finish();
}

ThresholdLevel::ThresholdLevel(const std::string& path)
    : file_(path), index_(file_.tricks_of(Method::THRESHOLDS, "thresholds", MAX_INDEXED_TRICKS)) {
    const Section& roots = file_.section(ROOTS_SECTION, static_cast<std::uint32_t>(tricks()) * 4);
    const Section& nodes = file_.section(NODES_SECTION, sizeof(EdgeNode));
    if (roots.count != index_.size() || nodes.count > MAX_EDGE_NODES)
        throw LevelFileError(path + ": damaged (impossible sections)");
    roots_offset_ = roots.offset;
    nodes_offset_ = nodes.offset;
    node_count_ = nodes.count;
}

void ThresholdLevel::refuse_edge() const {
    throw LevelFileError("damaged database: an edge of the " + std::to_string(tricks()) +
                         "-trick thresholds leads nowhere");
}

}  // namespace setrograde

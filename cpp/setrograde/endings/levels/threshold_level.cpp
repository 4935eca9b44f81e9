#include "setrograde/endings/levels/threshold_level.hpp"

#include "setrograde/endings/diagrams/diagram_build.hpp"

namespace setrograde {

namespace {

// For a node that is kept: the edge takes the card of the edge it stands for. No card has this tag.
constexpr Tag SAME_CARD = (1 << TAG_BITS) - 1;

// A walk and its way back see a node, its children and theirs. So these are written side by side.
constexpr std::size_t NEIGHBOURS = 16;

// The order to write the nodes in: groups of near descendants, the groups depth first from the roots.
std::vector<std::uint32_t> neighbourly_order(const EdgeStore& store, const std::vector<Edge>& roots,
                                             const StopCheck& should_stop) {
    std::vector<std::uint32_t> order;
    order.reserve(store.size());
    std::vector<bool> placed(store.size());
    std::vector<std::uint32_t> waiting, left_over;
    const auto place = [&](std::uint32_t node) {
        placed[node] = true;
        order.push_back(node);
    };
    for (const Edge root : roots) {
        if (!is_value(root)) waiting.push_back(target_of(root));
        while (!waiting.empty()) {
            const std::uint32_t top = waiting.back();
            waiting.pop_back();
            if (placed[top]) continue;
            if (order.size() / NEIGHBOURS % 1024 == 0 && should_stop && should_stop()) throw Stopped{};
            const std::size_t end = order.size() + NEIGHBOURS;
            place(top);
            left_over.clear();
            for (std::size_t next = order.size() - 1; next < order.size(); ++next)
                for (const Edge edge : store[order[next]]) {
                    if (is_value(edge) || placed[target_of(edge)]) continue;
                    if (order.size() < end)
                        place(target_of(edge));
                    else
                        left_over.push_back(target_of(edge));
                }
            waiting.insert(waiting.end(), left_over.rbegin(), left_over.rend());
        }
    }
    return order;
}

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
                node[owner] = translate(edge);
            }
            cut[n] = store.make(SAME_CARD, node);
        }
        for (std::size_t rank = 0; rank < level.index().size(); ++rank) {
            const Edge root = level.root(rank);
            if (!is_value(root) && target_of(root) >= level.nodes()) level.refuse_edge();
            roots[rank * static_cast<std::size_t>(tricks) + static_cast<std::size_t>(threshold - 1)] = translate(root);
        }
    }
    cut = {};
    const std::vector<std::uint32_t> order = neighbourly_order(store, roots, should_stop);
    std::vector<std::uint32_t> number(store.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    const auto renumbered = [&](Edge edge) {
        return is_value(edge) ? edge : node_edge(number[target_of(edge)], tag_of(edge));
    };
    for (Edge& root : roots) root = renumbered(root);

    LevelHeader header = level.file().header();
    header.method = Method::THRESHOLDS;
    header.sections = {
        {.kind = ROOTS_SECTION, .record_bytes = static_cast<std::uint32_t>(tricks) * 4, .count = level.index().size()},
        {.kind = NODES_SECTION, .record_bytes = sizeof(EdgeNode), .count = order.size()}};
    LevelFileWriter writer(path, header, should_stop);
    writer.write(roots.data(), roots.size() * sizeof(Edge));
    for (const std::uint32_t n : order) {
        EdgeNode node = store[n];
        for (Edge& edge : node) edge = renumbered(edge);
        writer.write(&node, sizeof node);
    }
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

#include "setrograde/endings/levels/ordered_file.hpp"

#include <algorithm>
#include <cstring>

#include "setrograde/endings/diagrams/diagram_build.hpp"
#include "setrograde/endings/levels/level_file.hpp"

namespace setrograde {

namespace {

// Every child comes before its node, so no walk goes round in circles.
bool is_sound(const DiagramNode& node, std::size_t number, int tricks) {
    if (suit_of_tag(node.tag) > 3 || unread_of_tag(node.tag) < 1 || unread_of_tag(node.tag) > LONGEST_SUIT)
        return false;
    if (node.low > node.high || node.high > tricks || node.support > 15) return false;
    for (const NodeId child : node.children) {
        if (child == INFEASIBLE) continue;
        if (child < TERMINALS ? static_cast<int>(child) > tricks : child - TERMINALS >= number) return false;
    }
    return true;
}

}  // namespace

void write_ordered(const OrderedLevel& level, const std::string& path, const std::string& creator,
                   const StopCheck& should_stop) {
    const auto shapes =
        std::count_if(level.roots.begin(), level.roots.end(), [](NodeId root) { return root != INFEASIBLE; });
    const LevelHeader header{
        .tricks = static_cast<std::uint32_t>(level.rows.tricks()),
        .method = Method::ORDERED,
        .shapes = static_cast<std::uint64_t>(shapes),
        .creator = creator,
        .sections = {{.kind = ROOTS_SECTION, .record_bytes = sizeof(NodeId), .count = level.roots.size()},
                     {.kind = NODES_SECTION, .record_bytes = sizeof(DiagramNode), .count = level.diagram.size()}},
    };
    LevelFileWriter writer(path, header, should_stop);
    writer.write(level.roots.data(), level.roots.size() * sizeof(NodeId));
    writer.write(level.diagram.data(), level.diagram.size() * sizeof(DiagramNode));
    writer.finish();
}

std::unique_ptr<OrderedLevel> map_ordered(const std::string& path, const StopCheck& should_stop) {
    const auto file = std::make_shared<const LevelFile>(path);
    const int tricks = file->tricks_of(Method::ORDERED, "ordered levels", MAX_PLANNED_TRICKS - 1);
    const auto refuse = [&](const char* why) { throw LevelFileError(path + ": damaged (" + why + ")"); };
    const Section& roots = file->section(ROOTS_SECTION, sizeof(NodeId));
    const Section& nodes = file->section(NODES_SECTION, sizeof(DiagramNode));
    if (nodes.offset % alignof(DiagramNode) != 0 || nodes.count >= INFEASIBLE - TERMINALS)
        refuse("impossible sections");
    file->touch_all(should_stop);
    const auto* first = reinterpret_cast<const DiagramNode*>(file->data(nodes.offset));
    for (std::size_t n = 0; n < nodes.count; ++n) {
        if (n % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
        if (!is_sound(first[n], n, tricks)) refuse("an impossible node");
    }
    auto level = std::make_unique<OrderedLevel>(tricks, first, static_cast<std::size_t>(nodes.count), file);
    if (roots.count != level->roots.size()) refuse("impossible sections");
    std::memcpy(level->roots.data(), file->data(roots.offset), roots.bytes());
    for (const NodeId root : level->roots)
        if (root != INFEASIBLE &&
            (root < TERMINALS ? static_cast<int>(root) > tricks : root - TERMINALS >= nodes.count))
            refuse("an impossible root");
    return level;
}

}  // namespace setrograde

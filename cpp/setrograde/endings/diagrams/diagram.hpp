// Diagram: values of endings as reduced decision diagrams
//
// A node asks who owns one card: the highest unread card of a suit, told by the suit and the number
// of its cards still unread. It has a child for each owner; ids below TERMINALS are values. Suits
// are read in order, each from the highest card down. An owner who has no card of the suit left
// leads nowhere (INFEASIBLE). A node whose feasible children agree is never made, and equal nodes
// are made once, so equal functions over equal cards have equal ids.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <utility>
#include <vector>

#include "setrograde/cards/cards.hpp"
#include "setrograde/common/hash.hpp"

namespace setrograde {

using NodeId = std::uint32_t;
inline constexpr NodeId TERMINALS = 16;
inline constexpr NodeId INFEASIBLE = 0xFFFF'FFFF;

// The card a node asks about: suit, and cards of it unread, this one included.
using Tag = std::uint8_t;
constexpr Tag make_tag(int suit, int unread) { return static_cast<Tag>(suit << 4 | unread); }
constexpr int suit_of_tag(Tag tag) { return tag >> 4; }
constexpr int unread_of_tag(Tag tag) { return tag & 15; }

struct DiagramNode {
    PerSeat<NodeId> children;
    Tag tag;
    std::uint8_t low, high;  // least and greatest value below
    std::uint8_t support;    // suits asked about here and below, a bit each
};
static_assert(sizeof(DiagramNode) == 20);

class Diagram {
public:
    Diagram() : slots_(FIRST_SLOTS, 0) {}
    // For reading only: nodes that lie elsewhere, and stay there as long as the diagram is used.
    Diagram(const DiagramNode* nodes, std::size_t size) : first_(nodes), size_(size) {}
    Diagram(const Diagram&) = delete;
    Diagram& operator=(const Diagram&) = delete;

    void clear() {
        nodes_.clear();
        slots_.assign(FIRST_SLOTS, 0);
        size_ = 0;
    }

    std::size_t size() const { return size_; }
    bool is_read_only() const { return slots_.empty(); }
    // Of memory of its own.
    std::size_t bytes() const {
        return nodes_.capacity() * sizeof(DiagramNode) + slots_.capacity() * sizeof(slots_[0]);
    }
    // All nodes; the diagram is of no more use.
    std::vector<DiagramNode> take_nodes() { return std::move(nodes_); }
    // Those of its own.
    const std::vector<DiagramNode>& nodes() const { return nodes_; }
    const DiagramNode* data() const { return first_; }
    const DiagramNode& operator[](NodeId id) const { return first_[id - TERMINALS]; }

    std::uint8_t low(NodeId id) const { return id < TERMINALS ? static_cast<std::uint8_t>(id) : (*this)[id].low; }
    std::uint8_t high(NodeId id) const { return id < TERMINALS ? static_cast<std::uint8_t>(id) : (*this)[id].high; }
    std::uint8_t support(NodeId id) const { return id < TERMINALS ? 0 : (*this)[id].support; }

    // The node with these children, or the one child all feasible owners share.
    NodeId make(Tag tag, const PerSeat<NodeId>& children) {
        NodeId only = INFEASIBLE;
        bool same = true;
        for (const NodeId child : children) {
            if (child == INFEASIBLE) continue;
            if (only == INFEASIBLE) only = child;
            same &= child == only;
        }
        return same ? only : intern(tag, children);
    }

private:
    static constexpr std::size_t FIRST_SLOTS = 1 << 12;
    static constexpr std::size_t MOST_NODES = INFEASIBLE - TERMINALS;

    static std::uint64_t hash(Tag tag, const PerSeat<NodeId>& children) {
        const std::uint64_t first = mix(tag, std::uint64_t{children[0]} << 32 | children[1]);
        return mix(first, std::uint64_t{children[2]} << 32 | children[3]);
    }

    NodeId intern(Tag tag, const PerSeat<NodeId>& children) {
        std::size_t i = hash(tag, children) >> 16 & (slots_.size() - 1);
        for (; slots_[i]; i = (i + 1) & (slots_.size() - 1)) {
            const DiagramNode& node = first_[slots_[i] - 1];
            if (node.tag == tag && node.children == children) return slots_[i] - 1 + TERMINALS;
        }
        DiagramNode fresh{children, tag, 255, 0, static_cast<std::uint8_t>(1 << suit_of_tag(tag))};
        for (const NodeId child : children) {
            if (child == INFEASIBLE) continue;
            fresh.low = std::min(fresh.low, low(child));
            fresh.high = std::max(fresh.high, high(child));
            fresh.support = static_cast<std::uint8_t>(fresh.support | support(child));
        }
        if (size_ == MOST_NODES) throw std::length_error("too many nodes for numbers of 32 bits");
        nodes_.push_back(fresh);
        first_ = nodes_.data();
        slots_[i] = static_cast<std::uint32_t>(++size_);
        if (size_ * 2 > slots_.size()) grow();
        return static_cast<NodeId>(size_ - 1) + TERMINALS;
    }

    void grow() {
        const std::size_t wanted = slots_.size() * 2;
        slots_ = {};  // the old table goes before the new one comes
        slots_.assign(wanted, 0);
        for (std::size_t n = 0; n < size_; ++n) {
            std::size_t i = hash(nodes_[n].tag, nodes_[n].children) >> 16 & (slots_.size() - 1);
            while (slots_[i]) i = (i + 1) & (slots_.size() - 1);
            slots_[i] = static_cast<std::uint32_t>(n + 1);
        }
    }

    const DiagramNode* first_ = nullptr;  // of nodes_, or elsewhere
    std::size_t size_ = 0;
    std::vector<DiagramNode> nodes_;
    std::vector<std::uint32_t> slots_;  // index + 1; 0 is empty; no slots: for reading only
};

}  // namespace setrograde

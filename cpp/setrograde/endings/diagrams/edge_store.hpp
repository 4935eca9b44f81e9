// Edge store: diagrams in the form they are stored and walked
//
// A node is four edges, one for each owner of the card it asks about. An edge is the number of a
// node and the card that node asks about (six bits: suit, unread cards), or a value with no card.
// The card lies in the edge, not in the node, so one look at a node is all a step needs, and nodes
// that ask about different cards share one place if their edges are the same.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

#include "setrograde/endings/diagrams/diagram.hpp"

namespace setrograde {

using Edge = std::uint32_t;
inline constexpr int TAG_BITS = 6;
inline constexpr std::size_t MAX_EDGE_NODES = std::size_t{1} << (32 - TAG_BITS);
inline constexpr Edge NO_EDGE = 0xFFFF'FFFF;  // no tag has all six bits set

constexpr Edge value_edge(int value) { return static_cast<Edge>(value) << TAG_BITS; }
constexpr Edge node_edge(std::size_t node, Tag tag) { return static_cast<Edge>(node << TAG_BITS) | tag; }
constexpr Tag tag_of(Edge edge) { return edge & ((1 << TAG_BITS) - 1); }
constexpr bool is_value(Edge edge) { return tag_of(edge) == 0; }
// The value, or the number of the node.
constexpr std::uint32_t target_of(Edge edge) { return edge >> TAG_BITS; }

using EdgeNode = PerSeat<Edge>;

class EdgeStore {
public:
    EdgeStore() : slots_(FIRST_SLOTS, 0) {}
    EdgeStore(const EdgeStore&) = delete;
    EdgeStore& operator=(const EdgeStore&) = delete;

    std::size_t size() const { return size_; }
    const EdgeNode& operator[](std::size_t node) const { return chunks_[node / CHUNK][node % CHUNK]; }
    std::size_t bytes() const { return chunks_.size() * CHUNK * sizeof(EdgeNode) + slots_.size() * sizeof(slots_[0]); }

    // An edge to the node that asks about `tag`. Owners with NO_EDGE cannot hold the card: what they
    // lead to is free, and is chosen so that an existing node will do if one is found.
    Edge make(Tag tag, EdgeNode node) {
        Edge only = NO_EDGE;
        bool same = true, complete = true;
        for (const Edge edge : node) {
            if (edge == NO_EDGE) {
                complete = false;
                continue;
            }
            if (only == NO_EDGE) only = edge;
            same &= edge == only;
        }
        if (same) return only;
        if (complete) return node_edge(intern(node), tag);
        const EdgeNode like_partner = filled(node, only);
        std::size_t slot = find(like_partner);
        if (slots_[slot]) return node_edge(slots_[slot] - 1, tag);
        for (std::size_t owner = 0; owner < 4; ++owner) {
            if (node[owner] == NO_EDGE) continue;
            EdgeNode like_one = node;
            for (Edge& edge : like_one)
                if (edge == NO_EDGE) edge = node[owner];
            if (like_one == like_partner) continue;
            slot = find(like_one);
            if (slots_[slot]) return node_edge(slots_[slot] - 1, tag);
        }
        return node_edge(intern(like_partner), tag);
    }

private:
    static constexpr std::size_t FIRST_SLOTS = 1 << 12, CHUNK = 1 << 16;

    static EdgeNode filled(EdgeNode node, Edge otherwise) {
        EdgeNode full = node;
        for (std::size_t owner = 0; owner < 4; ++owner)
            if (node[owner] == NO_EDGE) full[owner] = node[owner ^ 2] != NO_EDGE ? node[owner ^ 2] : otherwise;
        return full;
    }

    static std::uint64_t hash(const EdgeNode& node) {
        return mix(mix(0, std::uint64_t{node[0]} << 32 | node[1]), std::uint64_t{node[2]} << 32 | node[3]);
    }

    // The slot of a node, or the empty one where it would go.
    std::size_t find(const EdgeNode& node) const {
        std::size_t i = hash(node) >> 16 & (slots_.size() - 1);
        while (slots_[i] && (*this)[slots_[i] - 1] != node) i = (i + 1) & (slots_.size() - 1);
        return i;
    }

    std::size_t intern(const EdgeNode& node) {
        const std::size_t slot = find(node);
        if (slots_[slot]) return slots_[slot] - 1;
        if (size_ == MAX_EDGE_NODES) throw std::length_error("too many nodes for edges of 32 bits");
        if (size_ % CHUNK == 0) chunks_.push_back(std::make_unique_for_overwrite<EdgeNode[]>(CHUNK));
        chunks_[size_ / CHUNK][size_ % CHUNK] = node;
        slots_[slot] = static_cast<std::uint32_t>(++size_);
        if (size_ * 3 > slots_.size() * 2) grow();
        return size_ - 1;
    }

    void grow() {
        const std::size_t wanted = slots_.size() * 2;
        slots_ = {};  // the old table goes before the new one comes
        slots_.assign(wanted, 0);
        for (std::size_t n = 0; n < size_; ++n) {
            std::size_t i = hash((*this)[n]) >> 16 & (wanted - 1);
            while (slots_[i]) i = (i + 1) & (wanted - 1);
            slots_[i] = static_cast<std::uint32_t>(n + 1);
        }
    }

    std::vector<std::unique_ptr<EdgeNode[]>> chunks_;
    std::size_t size_ = 0;
    std::vector<std::uint32_t> slots_;  // node + 1; 0 is empty
};

}  // namespace setrograde

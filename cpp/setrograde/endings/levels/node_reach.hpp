// Node reach: how many nodes some shapes need
//
// Shapes share nodes, so the nodes of many are fewer than the sum of the nodes of each. Counting
// those that the roots of a sample lead to tells how much is shared, and what it would cost to cut a
// level into shards, without building anything.
#pragma once

#include <vector>

#include "setrograde/endings/levels/diagram_level.hpp"

namespace setrograde {

class NodeReach {
public:
    explicit NodeReach(const DiagramLevel& level) : level_(level), reached_(level.nodes()) {}

    const DiagramLevel& level() const { return level_; }
    // Nodes of all shapes so far.
    std::size_t size() const { return size_; }

    // Adds a shape.
    void add(std::size_t rank) {
        push(level_.root(rank));
        while (!stack_.empty()) {
            const Edge edge = stack_.back();
            stack_.pop_back();
            for (int owner = 0; owner < PLAYERS; ++owner) push(level_.follow(edge, owner));
        }
    }

private:
    void push(Edge edge) {
        if (is_value(edge)) return;
        if (target_of(edge) >= reached_.size()) level_.refuse_edge();
        if (reached_[target_of(edge)]) return;
        reached_[target_of(edge)] = true;
        ++size_;
        stack_.push_back(edge);
    }

    const DiagramLevel& level_;
    std::vector<bool> reached_;
    std::vector<Edge> stack_;
    std::size_t size_ = 0;
};

}  // namespace setrograde

// Threshold level: a level of endings made for the search
//
// The search asks whether a side takes at least T tricks, not how many it takes. So there is one diagram
// for each number T, with the values 1 (the leader's side takes at least T) and 0. They share nodes
// with each other; all of them together have little more than the one diagram of values, and a walk
// is shorter. Roots lie shape by shape, T = 1, 2, ... side by side.
#pragma once

#include "setrograde/endings/levels/diagram_level.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {

inline constexpr Edge YES_EDGE = value_edge(1), NO_ANSWER_EDGE = value_edge(0);

// Makes the threshold file of a level; throws LevelFileError, Stopped.
void write_thresholds(const DiagramLevel& level, const std::string& path, const StopCheck& should_stop);

class ThresholdLevel {
public:
    // Maps a file; throws LevelFileError if it holds anything else.
    explicit ThresholdLevel(const std::string& path);

    int tricks() const { return index_.tricks(); }
    std::size_t nodes() const { return node_count_; }
    const ShapeIndex& index() const { return index_; }
    const LevelFile& file() const { return file_; }

    // The diagram of "the leader's side takes at least `threshold`", 1 to tricks().
    Edge root(std::size_t rank, int threshold) const {
        const std::uint64_t place =
            rank * static_cast<std::uint64_t>(tricks()) + static_cast<std::uint64_t>(threshold - 1);
        const std::uint64_t offset = roots_offset_ + place * sizeof(Edge);
        file_.touch(offset);
        Edge edge;
        std::memcpy(&edge, file_.data(offset), sizeof edge);
        return edge;
    }

    // Where an edge to a node leads, by owner.
    const Edge* node(Edge edge) const {
        const std::uint64_t number = target_of(edge);
        if (number >= node_count_) [[unlikely]]
            refuse_edge();
        const std::uint64_t offset = nodes_offset_ + number * sizeof(EdgeNode);
        file_.touch(offset);
        return reinterpret_cast<const Edge*>(file_.data(offset));
    }

    // Brings a node nearer that may be asked for soon.
    void prefetch(Edge edge) const {
        const std::uint64_t number = target_of(edge);
        if (number < node_count_) __builtin_prefetch(file_.data(nodes_offset_ + number * sizeof(EdgeNode)));
    }

    [[noreturn]] void refuse_edge() const;

private:
    LevelFile file_;
    ShapeIndex index_;
    std::uint64_t roots_offset_, nodes_offset_, node_count_;
};

}  // namespace setrograde

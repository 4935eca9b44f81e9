// Diagram level: a stored level of diagrams, ready to be asked
//
// Positions come as hands of real cards. Two packed planes of bits hold the owner of every card,
// seen from the leader; counting cards gives the shape, its number gives the root, and the walk
// from there asks one card at a time. Nothing is changed after opening, so any number of threads
// may ask.
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <span>

#include "setrograde/cards/cards.hpp"
#include "setrograde/endings/diagrams/edge_store.hpp"
#include "setrograde/endings/levels/level_file.hpp"
#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

inline constexpr std::uint8_t BAD_POSITION = 255;

// One question on the way from the root to a value.
struct Asked {
    int suit;       // 0 to 3, clubs first
    int unread;     // cards of the suit from this one down
    int owner;      // the answer, counted from the leader
    unsigned same;  // owners who would have led to the same place, a bit each
};

class DiagramLevel;

// The walk, compiled for each kind of processor (endings/levels/diagram_walk.cpp).
using WalkMany = void (*)(const DiagramLevel&, std::span<const PerSeat<CardSet>>, std::span<const std::uint8_t>,
                          std::span<const std::uint8_t>, std::span<std::uint8_t>);
using WalkPath = void (*)(const DiagramLevel&, const PerSeat<CardSet>&, int, int, std::vector<Asked>&);

struct Walk {
    WalkMany many;
    WalkPath path;
};

Walk best_walk();  // the fastest this processor runs

class DiagramLevel {
public:
    // Maps a file; throws LevelFileError if it holds anything else.
    explicit DiagramLevel(const std::string& path);
    // Maps a shard, which has some shapes of a level; throws LevelFileError. To ask for a shape that
    // it does not have is an error of the same kind.
    DiagramLevel(const std::string& path, std::shared_ptr<const ShapeIndex> index);

    int tricks() const { return index_->tricks(); }
    std::size_t nodes() const { return node_count_; }
    const ShapeIndex& index() const { return *index_; }
    const LevelFile& file() const { return file_; }
    // Shapes it has, all of the level unless it is a shard.
    std::size_t shapes() const { return root_count_; }
    // The number of the shape that comes at a place.
    std::size_t rank_at(std::size_t place) const;

    Edge root(std::size_t rank) const {
        const std::uint64_t offset = roots_offset_ + (ranks_offset_ ? place_of(rank) : rank) * sizeof(Edge);
        file_.touch(offset);
        Edge edge;
        std::memcpy(&edge, file_.data(offset), sizeof edge);
        return edge;
    }

    // Tells the processor that an edge will be followed soon.
    void prefetch(Edge edge) const {
        if (!is_value(edge) && target_of(edge) < node_count_)
            __builtin_prefetch(file_.data(nodes_offset_ + std::uint64_t{target_of(edge)} * sizeof(EdgeNode)));
    }
    void prefetch_root(std::size_t rank) const {
        if (!ranks_offset_) __builtin_prefetch(file_.data(roots_offset_ + rank * sizeof(Edge)));
    }

    Edge follow(Edge edge, int owner) const {
        const std::uint64_t number = target_of(edge);
        if (number >= node_count_) [[unlikely]]
            refuse_edge();
        const std::uint64_t offset = nodes_offset_ + number * sizeof(EdgeNode);
        file_.touch(offset);
        Edge next;
        std::memcpy(&next, file_.data(offset + static_cast<std::uint64_t>(owner) * sizeof(Edge)), sizeof next);
        return next;
    }

    // Tricks of the leader's side, or BAD_POSITION if the hands are not disjoint or not of this
    // level, or strain or leader is none.
    std::uint8_t value(const PerSeat<CardSet>& hands, int strain, int leader) const;
    void values(std::span<const PerSeat<CardSet>> hands, std::span<const std::uint8_t> strains,
                std::span<const std::uint8_t> leaders, std::span<std::uint8_t> out) const;

    // The questions that settle a good position.
    std::vector<Asked> path(const PerSeat<CardSet>& hands, int strain, int leader) const;

    // Values of all layouts of a shape: suits in order, the first counts most, each by its owner
    // strings in dictionary order, the highest card first.
    std::vector<std::uint8_t> values_of_shape(std::size_t rank) const;

    [[noreturn]] void refuse_edge() const;

private:
    void fill(Edge edge, const Shape& shape, int suit, Split left, std::uint8_t*& out) const;
    void read_sections();
    std::size_t place_of(std::size_t rank) const;

    LevelFile file_;
    std::shared_ptr<const ShapeIndex> index_;
    std::uint64_t roots_offset_, root_count_, nodes_offset_, node_count_;
    std::uint64_t ranks_offset_ = 0;  // of a shard: numbers of its shapes in ascending order
    Walk walk_;
};

}  // namespace setrograde

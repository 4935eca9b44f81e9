// State tables: the value of every layout of a shape, by plain retrograde analysis
//
// The leader is player 0; a value is what his side takes of the tricks left. The table of a shape
// has a byte for each layout: suits in order, the first counts most, each suit by the number of its
// owner string (endings/shapes/owner_strings.hpp). All layouts are there, also those that differ only by the order
// of equal suits.
//
// A layout is worth what one trick, played out by minimax, leads to in the tables of the level
// below. One card of touching ones is enough. This is the slow and simple method, about 200 ns a
// layout: what other methods are checked by.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "setrograde/cards/cards.hpp"
#include "setrograde/common/stop.hpp"
#include "setrograde/endings/shapes/owner_strings.hpp"
#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

inline constexpr int MAX_LEVEL_TRICKS = 3;  // 34 million layouts; 4 tricks have 11.5 billion

using Values = std::vector<std::uint8_t>;

// How work is spread and watched. `should_stop` is called by the calling thread and told the number of
// finished layouts.
struct Work {
    std::size_t threads = 1;
    ProgressCheck should_stop;
};

// The tables of all shapes with one number of tricks.
class StateLevel {
public:
    // With no tricks left.
    StateLevel();

    // One trick more than `below`, MAX_LEVEL_TRICKS at most. Throws Stopped.
    StateLevel(const StateLevel& below, const Work& work);

    int tricks() const { return index_.tricks(); }
    std::size_t shapes() const { return index_.size(); }
    std::size_t layouts() const { return values_.size(); }
    std::uint64_t states() const;  // equal suits exchanged count once

    const ShapeIndex& index() const { return index_; }
    const OwnerStrings& strings() const { return strings_; }

    std::span<const std::uint8_t> table(std::size_t rank) const {
        return {values_.data() + starts_[rank], starts_[rank + 1] - starts_[rank]};
    }

    // Tricks of the leader's side between tricks. Hands are disjoint and have tricks() cards each.
    int value(const PerSeat<CardSet>& hands, int strain, int leader) const;

    // Two bits a value behind a checked header: docs/formats/state_tables.md. Reading throws
    // std::invalid_argument.
    std::vector<std::uint8_t> to_bytes() const;
    static StateLevel from_bytes(std::span<const std::uint8_t> bytes);

private:
    explicit StateLevel(int tricks);

    ShapeIndex index_;
    OwnerStrings strings_;
    std::vector<std::size_t> starts_;  // by shape, and the end
    Values values_;
};

// Tables of single shapes one or two tricks above a level. For two tricks, the tables between are
// solved as needed and kept for shapes to come, as far as the memory limit allows.
class ShapeSolver {
public:
    ShapeSolver(std::shared_ptr<const StateLevel> level, std::size_t limit_bytes);

    const StateLevel& level() const { return *level_; }

    // Bytes of memory that solving the canonical shape takes: its table and those it rests on.
    std::uint64_t bytes_needed(const Shape& shape) const;

    // Throws std::length_error beyond the limit, Stopped, std::invalid_argument for a shape with
    // another number of tricks.
    Values solve(const Shape& shape, const Work& work);

private:
    void provide(const std::vector<Shape>& shapes, std::uint64_t own_bytes, const Work& work);

    std::shared_ptr<const StateLevel> level_;
    std::size_t limit_bytes_;
    ShapeIndex between_index_;
    OwnerStrings between_strings_;
    std::unordered_map<std::uint32_t, Values> between_;  // by rank
};

// The canonical shapes that one trick can lead to, whatever the layout, each once.
std::vector<Shape> shapes_after(const Shape& shape);

}  // namespace setrograde

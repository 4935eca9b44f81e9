// Ending sets: Setrograde Analysis of bridge endings
//
// A level holds the value of every ending with one number of tricks, as sets that share a value. It
// is built from the level below alone: take an ending that no set holds yet, find its value, widen it
// to a set as long as the oracle says that the value is the same everywhere, and go on until nothing
// is left; then write several sets as one where four bits a card can. Stone, Sturtevant and Schaeffer,
// "Set-Based Retrograde Analysis" (IJCAI 2025), Algorithms 2 and 3. The readable version of the same
// is `setrograde.papers.setrograde`; what was tried is in docs/explanation/setrograde.md.
//
// The leader is player 0, values count tricks of the leader's side, trumps are the last suit, shapes
// are numbered as in endings/shapes/shapes.hpp, and there is a tree of sets for each shape.
#pragma once

#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/sets/set_tree.hpp"

namespace setrograde {

// Bytes that are no level of sets.
struct InvalidLevel : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct SetStatistics {
    std::uint64_t sets_found = 0;  // before compaction: the number of endings solved singly
    std::uint64_t questions = 0;   // candidates put to the oracle
    std::uint64_t lookups = 0;     // sets of endings looked up in the level below
};

class SetLevel {
public:
    static constexpr std::uint8_t UNKNOWN = 255;

    // The level without a card.
    SetLevel();

    // The next level; it has at most MAX_SET_TRICKS tricks. Throws Stopped if `should_stop`, which is told
    // the number of finished shapes, says so.
    static SetLevel build(const SetLevel& below, const ProgressCheck& should_stop);

    // The sets of one canonical shape of the next level.
    std::vector<EndingSet> solve_shape(const Shape& shape, const StopCheck& should_stop) const;

    int tricks() const { return index_.tricks(); }
    const ShapeIndex& index() const { return index_; }
    std::size_t shapes() const { return shapes_.size(); }
    std::size_t size() const { return sets_.size(); }  // sets
    const SetStatistics& statistics() const { return statistics_; }

    // Of the shape with that number:
    const Shape& shape(std::size_t rank) const { return shapes_[rank]; }
    const MaskFields& fields(std::size_t rank) const { return fields_[rank]; }
    const SetTree& tree(std::size_t rank) const { return trees_[rank]; }
    std::span<const EndingSet> sets(std::size_t rank) const {
        return std::span(sets_).subspan(starts_[rank], starts_[rank + 1] - starts_[rank]);
    }

    // Values of all layouts of a shape: the first suit counts most, the owners of a suit are in
    // dictionary order, the highest card first.
    std::vector<std::uint8_t> values(std::size_t rank) const;

    // The format is in docs/formats/set_levels.md. What is read is checked whole: every ending has a
    // value, and only one.
    std::string to_bytes() const;
    static SetLevel from_bytes(std::string_view bytes, const StopCheck& should_stop);  // throws InvalidLevel

private:
    explicit SetLevel(int tricks);
    void add_shape(const std::vector<EndingSet>& sets);
    void check_shape(std::size_t rank, std::span<const EndingSet> sets) const;

    ShapeIndex index_;
    std::vector<Shape> shapes_;
    std::vector<MaskFields> fields_;
    std::vector<std::uint32_t> starts_;  // first set of each shape, and the end
    std::vector<EndingSet> sets_;
    std::vector<SetTree> trees_;
    SetStatistics statistics_;
};

}  // namespace setrograde

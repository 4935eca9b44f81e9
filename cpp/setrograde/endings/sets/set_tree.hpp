// Set trees: the sets of one shape, and the question which of them a set of endings meets
//
// A node tests the masks of some suits with one AND, its children those of the next suits; where a
// node does not match, everything below it is passed over. All nodes lie in one row: a node, its
// children, the next node.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setrograde/endings/shapes/owner_masks.hpp"

namespace setrograde {

// A set and what every ending of it is worth: tricks of the leader's side.
struct EndingSet {
    Masks masks;
    std::uint8_t value;

    bool operator==(const EndingSet&) const = default;
};

class SetTree {
public:
    SetTree(const MaskFields& fields, std::vector<EndingSet> sets);

    // The value of a layout; -1 if no set holds it.
    int find(Masks layout) const;

    // True if every set that overlaps `masks` is worth so much. None may be empty.
    bool all_at_least(const MaskFields& fields, Masks masks, int value) const;
    bool all_at_most(const MaskFields& fields, Masks masks, int value) const;

private:
    struct Node {
        Masks masks;             // all ones where it does not test
        std::uint32_t next;      // the first node that is not below this one
        std::uint8_t low, high;  // least and greatest value below
        std::uint8_t suit, end_suit;
    };
    static_assert(sizeof(Node) == 16);

    void add(const MaskFields& fields, std::span<const EndingSet> sets, std::uint8_t suit);
    template <class Ignore>
    bool meets(const MaskFields& fields, Masks masks, Ignore ignore) const;

    std::vector<Node> nodes_;
};

}  // namespace setrograde

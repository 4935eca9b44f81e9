// Layout counts: in how many ways cards can lie so that a diagram gives each value
//
// Counts for a node and the cards still to come are remembered, within a shape and across shapes
// whose suits are shared out in the same ways. With the counts, any layout can be found by its
// number.
#pragma once

#include <array>

#include "setrograde/endings/diagrams/diagram.hpp"
#include "setrograde/endings/shapes/suit_ways.hpp"

namespace setrograde {

// Layouts by value 0 to 6; the last entry is for NO_VALUE.
using LayoutHistogram = std::array<std::uint64_t, 8>;
constexpr std::size_t slot_of_value(NodeId value) { return value < 7 ? value : 7; }

// Owners of the cards of each suit, the highest first.
using Layout = std::array<std::vector<std::uint8_t>, 4>;

class LayoutCounts {
public:
    // `suits`: who may hold the cards of each suit. Where all may, counts depend on splits alone.
    LayoutCounts(const Diagram& diagram, std::array<const SuitWays*, 4> suits) : diagram_(diagram), suits_(suits) {
        forget();
    }

    // Must be called when the diagram was cleared.
    void forget();
    // The ways of each suit from now on. If suits differ in more than length, forget first.
    void take(const std::array<const SuitWays*, 4>& suits) { suits_ = suits; }

    LayoutHistogram count(NodeId root, const PerSuit<Split>& suits);

    // Layouts counted only where suits with the same entry of `same_as` have the same owners; the
    // entry is the first of those suits, and all of them have the same split.
    LayoutHistogram count_same(NodeId root, const PerSuit<Split>& suits, const std::array<std::size_t, 4>& same_as);

    // Layout number `index` among those with a value in [low, high]; it must exist.
    Layout find(NodeId root, const PerSuit<Split>& suits, std::uint64_t index, int low, int high);

private:
    static constexpr std::size_t MOST_ENTRIES = std::size_t{1} << 18;

    struct Key {
        NodeId node;
        std::uint32_t left_and_suit;
        std::uint64_t coming;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        LayoutHistogram counts;
    };

    void begin(const PerSuit<Split>& suits);
    LayoutHistogram walk(NodeId node, std::size_t suit, Split left);
    void walk_same(NodeId node, std::size_t suit, Split left, Layout& seen, const std::array<std::size_t, 4>& same_as,
                   std::size_t last, LayoutHistogram& sum);
    NodeId step(NodeId node, std::size_t suit, Split left, int owner) const {
        if (node < TERMINALS || diagram_[node].tag != make_tag(static_cast<int>(suit), length(left))) return node;
        return diagram_[node].children[owner];
    }
    std::size_t find_slot(const Key& key) const;

    const Diagram& diagram_;
    std::array<const SuitWays*, 4> suits_;
    PerSuit<Split> contents_{};
    std::array<std::uint64_t, 5> tail_{};    // ways for the suits from here on
    std::array<std::uint64_t, 4> coming_{};  // their splits
    std::vector<Entry> entries_;
    std::vector<std::uint32_t> slots_;  // entry + 1; 0 is empty
};

}  // namespace setrograde

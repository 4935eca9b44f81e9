// Properties: diagrams of how much is at stake
//
// Some endings are worth a look: only one card holds, nobody wants to lead. For all endings of a
// shape, "how many tricks are at stake" is a diagram like their value, 0 where an ending lacks the
// property. It is made by walking several diagrams of the same cards together: those of the leader's
// cards one by one (endings/diagrams/lead_values.hpp), or those of the four possible leaders. No ending is
// enumerated, so all of them can be counted.
#pragma once

#include "setrograde/endings/diagrams/lead_values.hpp"

namespace setrograde {

// The place of a node's card in the order in which cards are read; values come last.
inline int reading_order(NodeId node, const Diagram& diagram) {
    if (node < TERMINALS) return 64;
    const Tag tag = diagram[node].tag;
    return suit_of_tag(tag) * 16 + 15 - unread_of_tag(tag);
}

enum class Property {
    LEAD_COSTS,      // either side takes fewer tricks if it leads, whichever of its players does
    ONLY_CARD,       // of the leader's cards, touching ones as one, just one is best
    LOW_BEATS_HIGH,  // a lower card of a suit is better than a higher one of the same hand
    ONLY_LOW,        // just one card is best, and the hand has a higher one of its suit
    UNBLOCK,         // the leader may cash the highest card of a suit, and a defender who follows low loses
    VALUE,           // not a property: all tricks of the leader's side, which are counted in the same way
};
inline constexpr int PROPERTIES = 5;  // without VALUE

struct Wanted {
    Property property = Property::ONLY_CARD;
    int least_cost = 1;
    int tricks = -1;        // of the leader's side; -1 for any
    int least_choices = 2;  // cards to choose from; for the properties of single cards
    int most_holding = 13;  // cards that are best; for the same
};

// Makes diagrams for one shape after another. For one thread.
class PropertyDiagrams {
public:
    // `below` must have all shapes that a trick leads to, whoever leads it (`mark_needed`).
    PropertyDiagrams(const OrderedLevel& below, const Wanted& wanted, const StopCheck& should_stop = {});

    // The root of a shape's diagram: tricks at stake. Throws Stopped; nothing made so far is of use then.
    NodeId build(const Shape& shape);
    const Diagram& diagram() const { return wanted_.property == Property::VALUE ? parts_ : made_; }

    // Forgets all diagrams if there are many; roots become void then, and true is returned.
    bool forget_if_many();

private:
    static constexpr std::size_t MOST_PARTS = 6, MANY_NODES = 1'500'000, FIRST_SLOTS = std::size_t{1} << 14;

    // Nodes walked together; unused ones are NO_VALUE.
    using Parts = std::array<NodeId, MOST_PARTS>;
    struct Key {
        Parts parts;
        std::uint32_t kind;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        NodeId node;
    };
    // Bounds of a part; it may have no value.
    struct Range {
        int low, high;
        bool sure;
    };

    NodeId value(const Shape& shape);
    NodeId cards(const Shape& shape);
    NodeId leaders(const Shape& shape);
    NodeId unblocks(const Shape& shape);

    NodeId join(Key key);
    NodeId greater(NodeId a, NodeId b);
    int decide(const Key& key) const;
    int decide_cards(const Key& key) const;
    int decide_leaders(const Key& key) const;
    int decide_unblock(const Key& key) const;
    int bound_of_cards(const std::array<Range, MOST_PARTS>& ranges, unsigned same_suit) const;
    Range range(NodeId part) const;

    NodeId* find(const Key& key, std::size_t& slot);
    void remember(const Key& key, std::size_t slot, NodeId node);

    int tricks_;
    Wanted wanted_;
    Diagram parts_, made_;
    LeadValues leads_;
    StopCheck should_stop_;
    std::uint32_t steps_ = 0;  // keys looked at: when to ask whether to stop
    std::vector<Entry> memo_;
    std::size_t memo_used_ = 0;
};

// Marks the shapes one trick below that the property needs for `shape`.
void mark_needed(const Shape& shape, Property property, const HandRows& below, std::vector<bool>& marked);

}  // namespace setrograde

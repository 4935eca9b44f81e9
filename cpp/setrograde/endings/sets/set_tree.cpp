#include "setrograde/endings/sets/set_tree.hpp"

#include <algorithm>

namespace setrograde {

SetTree::SetTree(const MaskFields& fields, std::vector<EndingSet> sets) {
    std::sort(sets.begin(), sets.end(), [&](const EndingSet& a, const EndingSet& b) {
        for (std::size_t suit = 0; suit < 4; ++suit) {
            const Masks x = fields.suit(a.masks, suit), y = fields.suit(b.masks, suit);
            if (x != y) return x < y;
        }
        return a.value < b.value;
    });
    add(fields, sets, 0);
    nodes_.shrink_to_fit();
}

// Nodes for sorted sets that agree on all suits before `suit`.
void SetTree::add(const MaskFields& fields, std::span<const EndingSet> sets, std::uint8_t suit) {
    while (!sets.empty()) {
        const Masks masks = sets.front().masks;
        Masks tested = fields[suit].bits;
        const auto agree = [&](const EndingSet& set) { return ((set.masks ^ masks) & tested) == 0; };
        const auto same = static_cast<std::size_t>(std::find_if_not(sets.begin(), sets.end(), agree) - sets.begin());
        const std::span<const EndingSet> group = sets.first(same);
        // One node tests several suits where there is nothing to choose.
        auto end = static_cast<std::uint8_t>(suit + 1);
        while (end < 4 && ((group.back().masks ^ masks) & fields[end].bits) == 0) tested |= fields[end++].bits;
        const auto [low, high] = std::minmax_element(
            group.begin(), group.end(), [](const EndingSet& a, const EndingSet& b) { return a.value < b.value; });
        const std::size_t place = nodes_.size();
        nodes_.push_back({masks | ~tested, 0, low->value, high->value, suit, end});
        if (end < 4) add(fields, group, end);
        nodes_[place].next = static_cast<std::uint32_t>(nodes_.size());
        sets = sets.subspan(same);
    }
}

int SetTree::find(Masks layout) const {
    for (std::size_t i = 0; i < nodes_.size();) {
        const Node& node = nodes_[i];
        if ((layout & node.masks) != layout)
            i = node.next;
        else if (node.next == i + 1)
            return node.low;
        else
            ++i;
    }
    return -1;
}

template <class Ignore>
bool SetTree::meets(const MaskFields& fields, Masks masks, Ignore ignore) const {
    for (std::size_t i = 0; i < nodes_.size();) {
        const Node& node = nodes_[i];
        bool matches = !ignore(node);
        const Masks common = masks & node.masks;
        if (matches && common != masks)
            for (std::size_t suit = node.suit; matches && suit < node.end_suit; ++suit)
                matches = ((common ^ masks) & fields[suit].bits) == 0 || fields.can_share(common, suit);
        if (!matches)
            i = node.next;
        else if (node.next == i + 1)
            return true;
        else
            ++i;
    }
    return false;
}

bool SetTree::all_at_least(const MaskFields& fields, Masks masks, int value) const {
    return !meets(fields, masks, [value](const Node& node) { return node.low >= value; });
}

bool SetTree::all_at_most(const MaskFields& fields, Masks masks, int value) const {
    return !meets(fields, masks, [value](const Node& node) { return node.high <= value; });
}

}  // namespace setrograde

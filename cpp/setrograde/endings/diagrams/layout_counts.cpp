#include "setrograde/endings/diagrams/layout_counts.hpp"

#include <numeric>

namespace setrograde {

namespace {

constexpr std::size_t FIRST_SLOTS = std::size_t{1} << 12;

std::uint64_t sum_between(const LayoutHistogram& counts, int low, int high) {
    return std::accumulate(counts.begin() + low, counts.begin() + high + 1, std::uint64_t{0});
}

}  // namespace

void LayoutCounts::forget() {
    entries_.clear();
    slots_.assign(FIRST_SLOTS, 0);
}

void LayoutCounts::begin(const PerSuit<Split>& suits) {
    contents_ = suits;
    coming_[3] = 0;
    tail_[4] = 1;
    for (std::size_t i = 4; i-- > 0;) {
        tail_[i] = tail_[i + 1] * suits_[i]->ways(suits[i]);
        if (i > 0) coming_[i - 1] = coming_[i] << 16 | suits[i];
    }
}

LayoutHistogram LayoutCounts::count(NodeId root, const PerSuit<Split>& suits) {
    begin(suits);
    return walk(root, 0, suits[0]);
}

LayoutHistogram LayoutCounts::walk(NodeId node, std::size_t suit, Split left) {
    LayoutHistogram counts{};
    if (node < TERMINALS) {
        counts[slot_of_value(node)] = suits_[suit]->ways(left) * tail_[suit + 1];
        return counts;
    }
    std::uint64_t times = 1;
    const auto asked = static_cast<std::size_t>(suit_of_tag(diagram_[node].tag));
    if (asked > suit) {
        times = suits_[suit]->ways(left);
        for (++suit; suit < asked; ++suit) times *= suits_[suit]->ways(contents_[suit]);
        left = contents_[suit];
    }
    if (!times) return counts;
    const Key key{node, static_cast<std::uint32_t>(suit) << 16 | left, coming_[suit]};
    if (const std::uint32_t slot = slots_[find_slot(key)]) {
        counts = entries_[slot - 1].counts;
    } else {
        const unsigned mask = suits_[suit]->mask(length(left));
        for (int owner = 0; owner < PLAYERS; ++owner) {
            if (!(mask >> owner & 1) || !held(left, owner)) continue;
            const LayoutHistogram part =
                walk(step(node, suit, left, owner), suit, static_cast<Split>(left - one_card(owner)));
            for (std::size_t v = 0; v < counts.size(); ++v) counts[v] += part[v];
        }
        if (entries_.size() == MOST_ENTRIES) forget();
        entries_.push_back({key, counts});
        slots_[find_slot(key)] = static_cast<std::uint32_t>(entries_.size());
        if (entries_.size() * 2 > slots_.size()) {
            slots_.assign(slots_.size() * 2, 0);
            for (std::size_t n = 0; n < entries_.size(); ++n)
                slots_[find_slot(entries_[n].key)] = static_cast<std::uint32_t>(n + 1);
        }
    }
    for (std::uint64_t& number : counts) number *= times;
    return counts;
}

std::size_t LayoutCounts::find_slot(const Key& key) const {
    std::size_t i = mix(mix(key.node, key.left_and_suit), key.coming) >> 16 & (slots_.size() - 1);
    while (slots_[i] && entries_[slots_[i] - 1].key != key) i = (i + 1) & (slots_.size() - 1);
    return i;
}

LayoutHistogram LayoutCounts::count_same(NodeId root, const PerSuit<Split>& suits,
                                         const std::array<std::size_t, 4>& same_as) {
    begin(suits);
    std::size_t last = 0;  // the last suit that repeats another
    for (std::size_t suit = 1; suit < 4; ++suit)
        if (same_as[suit] != suit) last = suit;
    LayoutHistogram sum{};
    Layout seen;
    walk_same(root, 0, suits[0], seen, same_as, last, sum);
    return sum;
}

// Up to the suit `last` owners are gone through one by one; from there on they are counted.
void LayoutCounts::walk_same(NodeId node, std::size_t suit, Split left, Layout& seen,
                             const std::array<std::size_t, 4>& same_as, std::size_t last, LayoutHistogram& sum) {
    if (!left && suit < last) return walk_same(node, suit + 1, contents_[suit + 1], seen, same_as, last, sum);
    if (!left) {
        const LayoutHistogram part = walk(node, suit, left);
        for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += part[v];
        return;
    }
    const bool repeats = same_as[suit] != suit;
    const std::size_t place = static_cast<std::size_t>(length(contents_[suit]) - length(left));
    for (int owner = 0; owner < PLAYERS; ++owner) {
        if (!held(left, owner) || (repeats && seen[same_as[suit]][place] != owner)) continue;
        seen[suit].push_back(static_cast<std::uint8_t>(owner));
        walk_same(step(node, suit, left, owner), suit, static_cast<Split>(left - one_card(owner)), seen, same_as, last,
                  sum);
        seen[suit].pop_back();
    }
}

Layout LayoutCounts::find(NodeId root, const PerSuit<Split>& suits, std::uint64_t index, int low, int high) {
    begin(suits);
    Layout layout;
    NodeId node = root;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        for (Split left = contents_[suit]; left;) {
            const unsigned mask = suits_[suit]->mask(length(left));
            for (int owner = 0; owner < PLAYERS; ++owner) {
                if (!(mask >> owner & 1) || !held(left, owner)) continue;
                const NodeId next = step(node, suit, left, owner);
                const auto rest = static_cast<Split>(left - one_card(owner));
                const std::uint64_t here = sum_between(walk(next, suit, rest), low, high);
                if (index >= here) {
                    index -= here;
                    continue;
                }
                layout[suit].push_back(static_cast<std::uint8_t>(owner));
                node = next;
                left = rest;
                break;
            }
        }
    }
    return layout;
}

}  // namespace setrograde

#include "setrograde/endings/mining/properties.hpp"

#include <algorithm>
#include <utility>

namespace setrograde {

namespace {

// Kinds of keys: how parts are read. Cards have a bit for each part of the suit of the one before.
constexpr std::uint32_t CARDS = 0, LEADERS = 1 << 8, UNBLOCKS = 2 << 8, GREATER = 3 << 8, EMPTY = 0xFFFF'FFFF;
constexpr int UNDECIDED = -1;

// The same hands with player `first` as player 0.
Shape turned(Shape shape, int first) {
    for (Split& split : shape.suits) split = seen_from(split, first);
    return shape;
}

}  // namespace

PropertyDiagrams::PropertyDiagrams(const OrderedLevel& below, const Wanted& wanted, const StopCheck& should_stop)
    : tricks_(below.rows.tricks() + 1),
      wanted_(wanted),
      leads_(below, parts_, should_stop),
      should_stop_(should_stop),
      memo_(FIRST_SLOTS, {{{}, EMPTY}, 0}) {}

bool PropertyDiagrams::forget_if_many() {
    if (parts_.size() + made_.size() + memo_used_ < MANY_NODES) return false;
    parts_.clear();
    made_.clear();
    leads_.forget();
    memo_.assign(FIRST_SLOTS, {{{}, EMPTY}, 0});
    memo_used_ = 0;
    return true;
}

NodeId PropertyDiagrams::build(const Shape& shape) {
    switch (wanted_.property) {
        case Property::LEAD_COSTS: return leaders(shape);
        case Property::UNBLOCK: return unblocks(shape);
        case Property::VALUE: return value(shape);
        default: return cards(shape);
    }
}

NodeId PropertyDiagrams::value(const Shape& shape) {
    leads_.take(shape);
    return leads_.best();
}

NodeId PropertyDiagrams::cards(const Shape& shape) {
    const bool by_suit = wanted_.property != Property::ONLY_CARD;
    Key key{{}, CARDS};
    key.parts.fill(NO_VALUE);
    std::size_t count = 0;
    bool has_pair = false;
    leads_.take(shape);
    for (int suit = 0; suit < 4; ++suit)
        for (int number = 1; number <= held(shape.suits[suit], 0); ++number) {
            if (number > 1) {
                key.kind |= 1u << count;
                has_pair = true;
            }
            key.parts[count++] = leads_.of({suit, false, number});
        }
    if (by_suit && !has_pair) return 0;
    if (!by_suit) key.kind = CARDS;
    return join(key);
}

NodeId PropertyDiagrams::leaders(const Shape& shape) {
    Key key{{}, LEADERS};
    key.parts.fill(NO_VALUE);
    for (int leader = 0; leader < PLAYERS; ++leader) {
        leads_.take(turned(shape, leader));
        key.parts[static_cast<std::size_t>(leader)] = leads_.best();
    }
    return join(key);
}

NodeId PropertyDiagrams::unblocks(const Shape& shape) {
    leads_.take(shape);
    const NodeId best = leads_.best();
    NodeId all = 0;
    for (int suit = 0; suit < 4; ++suit) {
        const Split split = shape.suits[suit];
        if (!held(split, 0) || (held(split, 1) < 2 && held(split, 3) < 2)) continue;
        const NodeId top = leads_.of({suit, true, length(split)});
        for (const int defender : {1, 3}) {
            if (held(split, defender) < 2) continue;
            Key key{{}, UNBLOCKS};
            key.parts.fill(NO_VALUE);
            key.parts[0] = best;
            key.parts[1] = top;
            key.parts[2] = leads_.of({suit, true, length(split), defender});
            all = greater(all, join(key));
        }
    }
    return all;
}

// Walks the parts together.
NodeId PropertyDiagrams::join(Key key) {
    if (const int decided = decide(key); decided != UNDECIDED) return static_cast<NodeId>(decided);
    if (key.kind == CARDS && wanted_.property == Property::ONLY_CARD) std::sort(key.parts.begin(), key.parts.end());
    std::size_t slot;
    if (const NodeId* known = find(key, slot)) return *known;
    if (++steps_ % 1024 == 0 && should_stop_ && should_stop_()) throw Stopped{};
    int first = 64;
    Tag tag = 0;
    for (const NodeId part : key.parts)
        if (const int at = reading_order(part, parts_); at < first) {
            first = at;
            tag = parts_[part].tag;
        }
    const bool by_leader = key.kind == LEADERS;
    PerSeat<NodeId> children;
    for (std::size_t owner = 0; owner < 4; ++owner) {
        Key next = key;
        bool feasible = true;
        for (std::size_t i = 0; i < MOST_PARTS; ++i) {
            if (reading_order(key.parts[i], parts_) != first) continue;
            next.parts[i] = parts_[key.parts[i]].children[by_leader ? (owner - i) & 3 : owner];
            feasible &= next.parts[i] != INFEASIBLE;
        }
        children[owner] = feasible ? join(next) : INFEASIBLE;
    }
    const NodeId node = made_.make(tag, children);
    find(key, slot);
    remember(key, slot, node);
    return node;
}

// Of two diagrams of tricks at stake.
NodeId PropertyDiagrams::greater(NodeId a, NodeId b) {
    if (a > b) std::swap(a, b);
    if (a == b || made_.high(a) <= made_.low(b)) return b;
    if (made_.high(b) <= made_.low(a)) return a;
    Key key{{}, GREATER};
    key.parts.fill(NO_VALUE);
    key.parts[0] = a;
    key.parts[1] = b;
    std::size_t slot;
    if (const NodeId* known = find(key, slot)) return *known;
    const int order_a = reading_order(a, made_), order_b = reading_order(b, made_), first = std::min(order_a, order_b);
    const Tag tag = made_[order_a == first ? a : b].tag;
    PerSeat<NodeId> children;
    for (std::size_t owner = 0; owner < 4; ++owner) {
        const NodeId next_a = order_a == first ? made_[a].children[owner] : a;
        const NodeId next_b = order_b == first ? made_[b].children[owner] : b;
        const bool feasible = next_a != INFEASIBLE && next_b != INFEASIBLE;
        children[owner] = feasible ? greater(next_a, next_b) : INFEASIBLE;
    }
    const NodeId node = made_.make(tag, children);
    find(key, slot);
    remember(key, slot, node);
    return node;
}

PropertyDiagrams::Range PropertyDiagrams::range(NodeId part) const {
    if (part == NO_VALUE) return {tricks_ + 1, -1, false};
    const int low = parts_.low(part), high = parts_.high(part);
    if (high == static_cast<int>(NO_VALUE)) return {low, tricks_, false};
    return {low, high, true};
}

// Tricks at stake if the parts tell already, else UNDECIDED.
int PropertyDiagrams::decide(const Key& key) const {
    switch (key.kind & ~0xFFu) {
        case LEADERS: return decide_leaders(key);
        case UNBLOCKS: return decide_unblock(key);
        default: return decide_cards(key);
    }
}

int PropertyDiagrams::decide_leaders(const Key& key) const {
    // Tricks of player 0's side if it leads, and if the others do.
    Range own{0, 0, true}, other{tricks_, tricks_, true};
    for (std::size_t leader = 0; leader < 4; ++leader) {
        const Range found = range(key.parts[leader]);
        if (leader % 2 == 0) {
            own = {std::max(own.low, found.low), std::max(own.high, found.high), true};
        } else {
            other = {std::min(other.low, tricks_ - found.high), std::min(other.high, tricks_ - found.low), true};
        }
    }
    if (other.high - own.low < wanted_.least_cost) return 0;
    const Range value = range(key.parts[0]);
    if (wanted_.tricks >= 0 && (value.high < wanted_.tricks || value.low > wanted_.tricks)) return 0;
    const bool settled = own.low == own.high && other.low == other.high;
    return settled && (wanted_.tricks < 0 || value.low == value.high) ? other.low - own.low : UNDECIDED;
}

int PropertyDiagrams::decide_unblock(const Key& key) const {
    const Range best = range(key.parts[0]), top = range(key.parts[1]), low = range(key.parts[2]);
    if (key.parts[1] == NO_VALUE || key.parts[2] == NO_VALUE) return 0;
    if (low.high - top.low < wanted_.least_cost || top.high < best.low) return 0;
    if (wanted_.tricks >= 0 && (best.high < wanted_.tricks || best.low > wanted_.tricks)) return 0;
    for (std::size_t i = 0; i < 3; ++i)
        if (key.parts[i] >= TERMINALS) return UNDECIDED;
    return low.low - top.low;
}

int PropertyDiagrams::decide_cards(const Key& key) const {
    std::array<Range, MOST_PARTS> ranges;
    bool settled = true;
    int choices = 0, sure_low = -1, second_low = -1, high = -1;
    for (std::size_t i = 0; i < MOST_PARTS; ++i) {
        const Range found = ranges[i] = range(key.parts[i]);
        settled &= key.parts[i] < TERMINALS;
        if (found.high < 0) continue;
        ++choices;
        high = std::max(high, found.high);
        if (!found.sure) continue;
        if (found.low > sure_low)
            second_low = std::exchange(sure_low, found.low);
        else
            second_low = std::max(second_low, found.low);
    }
    if (choices < std::max(2, wanted_.least_choices)) return 0;
    if (wanted_.tricks >= 0 && (high < wanted_.tricks || sure_low > wanted_.tricks)) return 0;
    const unsigned same_suit = key.kind & 0xFF;
    const bool alone = wanted_.property != Property::LOW_BEATS_HIGH;
    if (alone && high - std::max(second_low, 0) < wanted_.least_cost) return 0;
    if (wanted_.property != Property::ONLY_CARD) {
        const int bound = bound_of_cards(ranges, same_suit);
        if (bound < (alone ? 1 : wanted_.least_cost)) return 0;
        if (settled && !alone) {
            const auto holding =
                std::count_if(ranges.begin(), ranges.end(), [&](const Range& r) { return r.high == high; });
            return holding > wanted_.most_holding ? 0 : bound;
        }
    }
    if (!settled) return UNDECIDED;
    // Just one card is best, and for ONLY_LOW the hand has a higher one of its suit.
    if (wanted_.property == Property::ONLY_LOW) {
        bool has_higher = false, is_low = false;
        for (std::size_t i = 0; i < MOST_PARTS; ++i) {
            if (!(same_suit >> i & 1)) has_higher = false;
            if (ranges[i].high == high) is_low = has_higher;
            has_higher |= ranges[i].high >= 0;
        }
        if (!is_low) return 0;
    }
    return high - second_low;
}

// The most by which a lower card can be better than a higher one of its suit.
int PropertyDiagrams::bound_of_cards(const std::array<Range, MOST_PARTS>& ranges, unsigned same_suit) const {
    int most = 0, higher = tricks_ + 1;
    for (std::size_t i = 0; i < MOST_PARTS; ++i) {
        if (!(same_suit >> i & 1)) higher = tricks_ + 1;
        if (ranges[i].high < 0) continue;
        most = std::max(most, ranges[i].high - higher);
        higher = std::min(higher, ranges[i].low);
    }
    return most;
}

NodeId* PropertyDiagrams::find(const Key& key, std::size_t& slot) {
    std::uint64_t hash = key.kind;
    for (std::size_t i = 0; i < MOST_PARTS; i += 2)
        hash = mix(hash, std::uint64_t{key.parts[i]} << 32 | key.parts[i + 1]);
    const std::size_t mask = memo_.size() - 1;
    slot = hash >> 16 & mask;
    while (memo_[slot].key.kind != EMPTY && memo_[slot].key != key) slot = (slot + 1) & mask;
    return memo_[slot].key.kind == EMPTY ? nullptr : &memo_[slot].node;
}

void PropertyDiagrams::remember(const Key& key, std::size_t slot, NodeId node) {
    memo_[slot] = {key, node};
    if (++memo_used_ * 2 < memo_.size()) return;
    std::vector<Entry> old(memo_.size() * 2, {{{}, EMPTY}, 0});
    old.swap(memo_);
    for (const Entry& entry : old)
        if (entry.key.kind != EMPTY) {
            find(entry.key, slot);
            memo_[slot] = entry;
        }
}

void mark_needed(const Shape& shape, Property property, const HandRows& below, std::vector<bool>& marked) {
    mark_successors(shape, below, marked);
    for (int leader = 1; property == Property::LEAD_COSTS && leader < PLAYERS; ++leader)
        mark_successors(turned(shape, leader), below, marked);
}

}  // namespace setrograde

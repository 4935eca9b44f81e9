#include "setrograde/endings/diagrams/lead_values.hpp"

#include <cassert>

namespace setrograde {

namespace {

constexpr FormulaId EMPTY = 0xFFFF'FFFF;
constexpr std::size_t FIRST_SLOTS = std::size_t{1} << 14;

}  // namespace

LeadValues::LeadValues(const OrderedLevel& below, Diagram& into, StopCheck should_stop)
    : into_(into),
      formulas_(below.rows.tricks() + 1, below.diagram),
      trick_(below, formulas_),
      should_stop_(std::move(should_stop)),
      memo_(FIRST_SLOTS, {{EMPTY, 0, 0, 0}, 0}) {}

void LeadValues::take(const Shape& shape) {
    if (formulas_.size() > MANY_FORMULAS) forget();
    trick_.take(shape);
}

void LeadValues::forget() {
    formulas_.clear();
    memo_.assign(memo_.size(), {{EMPTY, 0, 0, 0}, 0});
    memo_used_ = 0;
}

NodeId LeadValues::best() { return finish(trick_.formula(), {}, 0, trick_.shape().suits[0]); }

NodeId LeadValues::of(const Lead& lead) {
    const Search search{.open = true, .by_place = lead.by_place, .suit = lead.suit, .number = lead.number};
    return finish(trick_.after_lead(lead.suit, lead.low), search, 0, trick_.shape().suits[0]);
}

// Reads the cards to come, `left` of the suit at hand first.
NodeId LeadValues::finish(FormulaId formula, Search search, int suit, Split left) {
    if (!search.open && formulas_.is_constant(formula)) return static_cast<NodeId>(formulas_.constant_value(formula));
    unsigned asked = formulas_.support(formula);
    if (search.open) asked |= 1u << search.suit;
    while (!left || !(asked >> suit & 1)) {
        ++suit;
        assert(suit < 4);
        left = trick_.shape().suits[suit];
    }
    const auto coming = [&](int next) -> std::uint32_t {
        return next < 4 && asked >> next & 1 ? trick_.shape().suits[next] : 0;
    };
    const MemoKey key{formula, search.code() << 2 | static_cast<std::uint32_t>(suit),
                      std::uint32_t{left} << 16 | coming(suit + 1), coming(suit + 2) << 16 | coming(suit + 3)};
    if (const MemoEntry& known = memo_[slot_of(key)]; known.key == key) return known.node;
    if (++steps_ % 1024 == 0 && should_stop_ && should_stop_()) throw Stopped{};

    PerSeat<NodeId> children;
    for (int owner = 0; owner < PLAYERS; ++owner)
        children[owner] = held(left, owner) ? read(formula, search, {suit, owner, left}) : INFEASIBLE;
    const NodeId node = into_.make(make_tag(suit, length(left)), children);
    remember(key, node);
    return node;
}

NodeId LeadValues::read(FormulaId formula, Search search, const ReadCard& card) {
    const auto after = static_cast<Split>(card.left - one_card(card.owner));
    if (!search.open || card.suit != search.suit)
        return finish(formulas_.read(formula, card), search, card.suit, after);
    const bool own = card.owner == 0;
    const bool found = search.by_place ? length(card.left) == search.number : own && search.number == 1;
    if (found) {
        if (!own || search.after_own) return NO_VALUE;
        return finish(formulas_.read_led(formula, card), {}, card.suit, after);
    }
    if (!held(after, 0)) return NO_VALUE;  // all his cards are higher
    if (!search.by_place) {
        search.number -= own;
        search.after_own = own;
    }
    return finish(formulas_.read_before_led(formula, card), search, card.suit, after);
}

// The slot of a key, or the empty one where it would go.
std::size_t LeadValues::slot_of(const MemoKey& key) const {
    const std::uint64_t hash =
        mix(mix(key.formula, std::uint64_t{key.search_and_suit} << 32 | key.left_and_next), key.last_two);
    const std::size_t mask = memo_.size() - 1;
    std::size_t i = hash >> 16 & mask;
    while (memo_[i].key.formula != EMPTY && memo_[i].key != key) i = (i + 1) & mask;
    return i;
}

void LeadValues::remember(const MemoKey& key, NodeId node) {
    if (++memo_used_ * 2 > memo_.size()) {
        std::vector<MemoEntry> old(memo_.size() * 2, {{EMPTY, 0, 0, 0}, 0});
        old.swap(memo_);
        for (const MemoEntry& entry : old)
            if (entry.key.formula != EMPTY) memo_[slot_of(entry.key)] = entry;
    }
    memo_[slot_of(key)] = {key, node};
}

}  // namespace setrograde

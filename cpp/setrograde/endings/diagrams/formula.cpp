#include "setrograde/endings/diagrams/formula.hpp"

#include <algorithm>
#include <utility>

namespace setrograde {

namespace {

constexpr std::size_t FIRST_SLOTS = 1 << 12;

}  // namespace

Formulas::Formulas(int tricks, const Diagram& below)
    : tricks_(tricks),
      below_(below),
      slots_(FIRST_SLOTS, 0),
      comparisons_(14),
      clamps_(12),
      reads_(15),
      leaf_comparisons_(16) {}

void Formulas::clear() {
    formulas_.clear();
    choices_.clear();
    std::fill(slots_.begin(), slots_.end(), 0);
    comparisons_.clear();
    clamps_.clear();
    reads_.clear();
}

std::uint64_t Formulas::hash(const Formula& formula, const Choice* choices) const {
    std::uint64_t h = static_cast<std::uint64_t>(formula.kind) << 40 | std::uint64_t{formula.extra} << 8 | formula.low;
    if (formula.kind == Kind::LEAF) return mix(h, formula.nodes[0]);
    if (formula.kind == Kind::PENDING) {
        h = mix(h, std::uint64_t{formula.nodes[0]} << 32 | formula.nodes[1]);
        return mix(h, std::uint64_t{formula.nodes[2]} << 32 | formula.nodes[3]);
    }
    if (formula.kind == Kind::CONSTANT) return mix(h, 0);
    for (std::uint32_t i = 0; i < formula.extra; ++i)
        h = mix(h, std::uint64_t{choices[i].label} << 32 | choices[i].formula);
    return h;
}

// The formula's number; a branch has its choices on the stack from `choices_from`.
FormulaId Formulas::intern(const Formula& formula, std::size_t choices_from) {
    const bool is_branch = formula.kind >= Kind::MAX;
    const Choice* choices = stack_.data() + choices_from;
    std::size_t i = hash(formula, choices) >> 16 & (slots_.size() - 1);
    for (; slots_[i]; i = (i + 1) & (slots_.size() - 1)) {
        const Formula& other = formulas_[slots_[i] - 1];
        if (other.kind != formula.kind || other.extra != formula.extra || other.low != formula.low) continue;
        if (formula.kind == Kind::LEAF && other.nodes[0] != formula.nodes[0]) continue;
        if (formula.kind == Kind::PENDING && other.nodes != formula.nodes) continue;
        if (is_branch && !std::equal(choices, choices + formula.extra, &choices_[other.first])) continue;
        return slots_[i] - 1;
    }
    formulas_.push_back(formula);
    if (is_branch) {
        formulas_.back().first = static_cast<std::uint32_t>(choices_.size());
        choices_.insert(choices_.end(), choices, choices + formula.extra);
    }
    slots_[i] = static_cast<std::uint32_t>(formulas_.size());
    if (formulas_.size() * 2 > slots_.size()) grow();
    return static_cast<FormulaId>(formulas_.size() - 1);
}

void Formulas::grow() {
    slots_.assign(slots_.size() * 2, 0);
    for (std::size_t n = 0; n < formulas_.size(); ++n) {
        const Formula& formula = formulas_[n];
        const Choice* choices = formula.kind >= Kind::MAX ? &choices_[formula.first] : nullptr;
        std::size_t i = hash(formula, choices) >> 16 & (slots_.size() - 1);
        while (slots_[i]) i = (i + 1) & (slots_.size() - 1);
        slots_[i] = static_cast<std::uint32_t>(n + 1);
    }
}

// Bounds of an ending below, for the side of player 0.
Formulas::Range Formulas::range(NodeId node, int winner) const {
    const int low = below_.low(node), high = below_.high(node);
    if (winner & 1) return {tricks_ - 1 - high, tricks_ - 1 - low};
    return {1 + low, 1 + high};
}

FormulaId Formulas::constant(int value) {
    Formula formula{};
    formula.low = formula.high = static_cast<std::uint8_t>(value);
    return intern(formula, 0);
}

FormulaId Formulas::leaf(NodeId node, int winner) {
    const Range bounds = range(node, winner);
    if (bounds.low == bounds.high) return constant(bounds.low);
    Formula formula{};
    formula.kind = Kind::LEAF;
    formula.low = static_cast<std::uint8_t>(bounds.low);
    formula.high = static_cast<std::uint8_t>(bounds.high);
    formula.support = below_.support(node);
    formula.extra = static_cast<std::uint32_t>(winner);
    formula.nodes[0] = node;
    return intern(formula, 0);
}

FormulaId Formulas::pending(const PerSeat<NodeId>& nodes, int suit) {
    Formula formula{};
    formula.kind = Kind::PENDING;
    formula.support = static_cast<std::uint8_t>(1 << suit);
    formula.extra = static_cast<std::uint32_t>(suit);
    formula.nodes = nodes;
    int low = 255, high = 0;
    for (int winner = 0; winner < PLAYERS; ++winner) {
        const NodeId node = nodes[winner];
        if (node == INFEASIBLE) continue;
        const Range bounds = range(node, winner);
        low = std::min(low, bounds.low);
        high = std::max(high, bounds.high);
        formula.support = static_cast<std::uint8_t>(formula.support | below_.support(node));
    }
    if (low == high) return constant(low);
    formula.low = static_cast<std::uint8_t>(low);
    formula.high = static_cast<std::uint8_t>(high);
    return intern(formula, 0);
}

// Choices that are decided branches of the same kind give up their own choices.
void Formulas::flatten(bool is_max, std::size_t mark) {
    const Kind kind = is_max ? Kind::MAX : Kind::MIN;
    for (std::size_t i = mark; i < stack_.size();) {
        const Formula formula = formulas_[stack_[i].formula];
        if (stack_[i].label || formula.kind != kind) {
            ++i;
            continue;
        }
        stack_[i] = stack_.back();
        stack_.pop_back();
        for (std::uint32_t k = 0; k < formula.extra; ++k) stack_.push_back(choices_[formula.first + k]);
    }
}

// Of two choices with one label, the worse one goes.
void Formulas::drop_dominated(bool is_max, std::size_t mark) {
    for (std::size_t i = mark; i < stack_.size();) {
        bool drop = false;
        for (std::size_t j = mark; j < stack_.size() && !drop; ++j) {
            if (i == j || stack_[i].label != stack_[j].label) continue;
            const FormulaId mine = stack_[i].formula, other = stack_[j].formula;
            drop = is_max ? at_most(mine, other) : at_most(other, mine);
        }
        if (drop)
            stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(i));
        else
            ++i;
    }
}

// The best or worst of the choices on the stack from `mark`. Values at or below alpha are as good as
// alpha, those at or above beta as good as beta.
FormulaId Formulas::branch(bool is_max, std::size_t mark, int alpha, int beta) {
    for (std::size_t i = mark; i < stack_.size(); ++i) stack_[i].label = live_label(stack_[i].label, stack_[i].formula);
    flatten(is_max, mark);

    int bound = is_max ? alpha : beta;  // what is sure by now
    for (std::size_t i = mark; i < stack_.size(); ++i) {
        const Formula& formula = formulas_[stack_[i].formula];
        bound = is_max ? std::max<int>(bound, formula.low) : std::min<int>(bound, formula.high);
    }
    if (is_max ? bound >= beta : bound <= alpha) {
        stack_.resize(mark);
        return constant(is_max ? beta : alpha);
    }

    // Choices that cannot do better than the bound go; if they gave it, it stays as a constant.
    bool bound_is_real = false, bound_is_kept = false;
    std::size_t kept = mark;
    for (std::size_t i = mark; i < stack_.size(); ++i) {
        const Choice choice = stack_[i];
        const Formula& formula = formulas_[choice.formula];
        bound_is_real |= (is_max ? formula.low : formula.high) == bound;
        if (is_max ? formula.high <= bound : formula.low >= bound) continue;
        const FormulaId clamped = is_max ? clamp(choice.formula, bound, beta) : clamp(choice.formula, alpha, bound);
        const Formula& after = formulas_[clamped];
        bound_is_kept |= is_max ? after.low >= bound : after.high <= bound;
        stack_[kept++] = {live_label(choice.label, clamped), clamped};
    }
    stack_.resize(kept);
    if (kept == mark) return constant(bound);
    if (bound_is_real && !bound_is_kept) stack_.push_back({0, constant(bound)});

    const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(mark);
    std::sort(first, stack_.end());
    stack_.erase(std::unique(first, stack_.end()), stack_.end());
    if (stack_.size() - mark > 1) drop_dominated(is_max, mark);

    if (stack_.size() - mark == 1 && stack_[mark].label == 0) {
        const FormulaId only = stack_[mark].formula;
        stack_.resize(mark);
        return only;
    }
    Formula formula{};
    formula.kind = is_max ? Kind::MAX : Kind::MIN;
    formula.low = formula.high = is_max ? 0 : 255;
    for (std::size_t i = mark; i < stack_.size(); ++i) {
        const Formula& choice = formulas_[stack_[i].formula];
        formula.low = is_max ? std::max(formula.low, choice.low) : std::min(formula.low, choice.low);
        formula.high = is_max ? std::max(formula.high, choice.high) : std::min(formula.high, choice.high);
        formula.support = static_cast<std::uint8_t>(formula.support | choice.support);
    }
    FormulaId id;
    if (formula.low == formula.high) {
        id = constant(formula.low);
    } else {
        formula.extra = static_cast<std::uint32_t>(stack_.size() - mark);
        id = intern(formula, mark);
    }
    stack_.resize(mark);
    return id;
}

FormulaId Formulas::clamp(FormulaId id, int alpha, int beta) {
    const Formula formula = formulas_[id];
    if (formula.high <= alpha) return constant(alpha);
    if (formula.low >= beta) return constant(beta);
    if (formula.kind < Kind::MAX || (formula.low >= alpha && formula.high <= beta)) return id;
    const std::uint64_t key =
        std::uint64_t{id} << 16 | static_cast<std::uint64_t>(alpha) << 8 | static_cast<std::uint64_t>(beta);
    if (const CacheEntry& entry = clamps_.at(key); entry.key == key) return static_cast<FormulaId>(entry.value);
    const std::size_t mark = open();
    for (std::uint32_t k = 0; k < formula.extra; ++k) stack_.push_back(choices_[formula.first + k]);
    const FormulaId result = branch(formula.kind == Kind::MAX, mark, alpha, beta);
    clamps_.at(key) = {key, result};
    return result;
}

// True if the ending `a` is worth no more than `b` however the unread cards lie.
bool Formulas::leaf_at_most(NodeId a, int winner_a, NodeId b, int winner_b) {
    if (a == b && winner_a == winner_b) return true;
    const Range range_a = range(a, winner_a), range_b = range(b, winner_b);
    if (range_a.high <= range_b.low) return true;
    if (range_a.low > range_b.low || range_a.high > range_b.high) return false;
    const std::uint64_t key = (std::uint64_t{a} << 32 | b) * 16 + static_cast<std::uint64_t>(winner_a * 4 + winner_b);
    if (const CacheEntry& entry = leaf_comparisons_.at(key); entry.key == key) return entry.value;

    // Suits in order, high cards first: the node that asks about the earlier card steps.
    const auto order = [&](NodeId node) {
        if (node < TERMINALS) return 64;
        const Tag tag = below_[node].tag;
        return suit_of_tag(tag) * 16 + 15 - unread_of_tag(tag);
    };
    const int order_a = order(a), order_b = order(b), first = std::min(order_a, order_b);
    bool result = true;
    for (int owner = 0; owner < PLAYERS && result; ++owner) {
        const auto seen = [&](int winner) { return static_cast<std::size_t>((owner - winner) & 3); };
        const NodeId next_a = order_a == first ? below_[a].children[seen(winner_a)] : a;
        const NodeId next_b = order_b == first ? below_[b].children[seen(winner_b)] : b;
        if (next_a == INFEASIBLE || next_b == INFEASIBLE) continue;
        result = leaf_at_most(next_a, winner_a, next_b, winner_b);
    }
    leaf_comparisons_.at(key) = {key, result};
    return result;
}

// True if `a` is known to be worth no more than `b` however the unread cards lie.
bool Formulas::at_most(FormulaId a, FormulaId b) {
    if (a == b) return true;
    const Formula &x = formulas_[a], &y = formulas_[b];
    if (x.high <= y.low) return true;
    if (x.low > y.high) return false;
    if (x.kind <= Kind::LEAF && y.kind <= Kind::LEAF) {
        if (x.kind != y.kind) return false;
        return leaf_at_most(x.nodes[0], static_cast<int>(x.extra), y.nodes[0], static_cast<int>(y.extra));
    }
    const std::uint64_t key = std::uint64_t{a} << 32 | b;
    if (const CacheEntry& entry = comparisons_.at(key); entry.key == key) return entry.value;
    const bool result = compare(a, b);
    comparisons_.at(key) = {key, result};
    return result;
}

bool Formulas::compare(FormulaId a, FormulaId b) {
    const Formula &x = formulas_[a], &y = formulas_[b];
    const auto choices = [&](const Formula& formula) {
        return std::pair{&choices_[formula.first], &choices_[formula.first] + formula.extra};
    };
    if (x.kind == Kind::PENDING && y.kind == Kind::PENDING) {
        if (x.extra != y.extra) return false;
        for (std::size_t w = 0; w < 4; ++w) {
            if ((x.nodes[w] == INFEASIBLE) != (y.nodes[w] == INFEASIBLE)) return false;
            if (x.nodes[w] != INFEASIBLE &&
                !leaf_at_most(x.nodes[w], static_cast<int>(w), y.nodes[w], static_cast<int>(w)))
                return false;
        }
        return true;
    }
    if (x.kind == Kind::PENDING && y.kind == Kind::LEAF) {
        for (std::size_t w = 0; w < 4; ++w)
            if (x.nodes[w] != INFEASIBLE &&
                !leaf_at_most(x.nodes[w], static_cast<int>(w), y.nodes[0], static_cast<int>(y.extra)))
                return false;
        return true;
    }
    if (x.kind == Kind::LEAF && y.kind == Kind::PENDING) {
        for (std::size_t w = 0; w < 4; ++w)
            if (y.nodes[w] != INFEASIBLE &&
                !leaf_at_most(x.nodes[0], static_cast<int>(x.extra), y.nodes[w], static_cast<int>(w)))
                return false;
        return true;
    }
    // Every choice of a maximum must be at most b; a labelled one only if b has one to match it.
    if (x.kind == Kind::MAX) {
        const auto [from, to] = choices(x);
        return std::all_of(from, to, [&](const Choice& mine) {
            if (!mine.label) return at_most(mine.formula, b);
            if (formulas_[mine.formula].high <= y.low) return true;
            if (y.kind != Kind::MAX) return false;
            const auto [others, end] = choices(y);
            return std::any_of(others, end, [&](const Choice& other) {
                return other.label == mine.label && at_most(mine.formula, other.formula);
            });
        });
    }
    if (y.kind == Kind::MIN) {
        const auto [from, to] = choices(y);
        return std::all_of(from, to, [&](const Choice& mine) {
            if (!mine.label) return at_most(a, mine.formula);
            if (x.high <= formulas_[mine.formula].low) return true;
            if (x.kind != Kind::MIN) return false;
            const auto [others, end] = choices(x);
            return std::any_of(others, end, [&](const Choice& other) {
                return other.label == mine.label && at_most(other.formula, mine.formula);
            });
        });
    }
    if (x.kind == Kind::MIN) {
        const auto [from, to] = choices(x);
        if (std::any_of(from, to, [&](const Choice& mine) { return !mine.label && at_most(mine.formula, b); }))
            return true;
    }
    if (y.kind == Kind::MAX) {
        const auto [from, to] = choices(y);
        return std::any_of(from, to, [&](const Choice& mine) { return !mine.label && at_most(a, mine.formula); });
    }
    return false;
}

NodeId Formulas::step(NodeId node, int suit, int unread, int owner) const {
    if (node < TERMINALS || node == INFEASIBLE) return node;
    const DiagramNode& at = below_[node];
    return at.tag == make_tag(suit, unread) ? at.children[owner] : node;
}

FormulaId Formulas::read(FormulaId id, const ReadCard& card) {
    return read(id, {card.suit, card.owner, held(card.left, card.owner) > 1}, length(card.left), false);
}

FormulaId Formulas::read_led(FormulaId id, const ReadCard& card) {
    return read(id, {card.suit, card.owner, held(card.left, card.owner) > 1}, length(card.left), true);
}

FormulaId Formulas::read_before_led(FormulaId id, const ReadCard& card) {
    return read(id, {card.suit, card.owner, held(card.left, card.owner) > 1}, length(card.left) - 1, false);
}

// `unread_below`: cards of the suit still unread in the ending below, this one included unless it is
// `played` to the trick.
FormulaId Formulas::read(FormulaId id, const Reading& card, int unread_below, bool played) {
    const Formula formula = formulas_[id];
    if (!(formula.support >> card.suit & 1)) return id;
    if (formula.kind == Kind::LEAF) {
        if (played) return id;
        const int winner = static_cast<int>(formula.extra);
        const NodeId node = step(formula.nodes[0], card.suit, unread_below, (card.owner - winner) & 3);
        return node == formula.nodes[0] ? id : leaf(node, winner);
    }
    if (formula.kind == Kind::PENDING) {
        if (played) {
            if (static_cast<int>(formula.extra) != card.suit) return id;
            return leaf(formula.nodes[card.owner], card.owner);
        }
        PerSeat<NodeId> nodes;
        for (std::size_t w = 0; w < 4; ++w)
            nodes[w] = step(formula.nodes[w], card.suit, unread_below, (card.owner - static_cast<int>(w)) & 3);
        return nodes == formula.nodes ? id : pending(nodes, static_cast<int>(formula.extra));
    }
    const std::uint64_t key = std::uint64_t{id} << 10 | static_cast<std::uint64_t>(unread_below) << 6 |
                              static_cast<std::uint64_t>(card.suit) << 4 | static_cast<std::uint64_t>(card.owner) << 2 |
                              static_cast<std::uint64_t>(played) << 1 | static_cast<std::uint64_t>(card.more);
    if (const CacheEntry& entry = reads_.at(key); entry.key == key) return static_cast<FormulaId>(entry.value);
    const std::size_t mark = open();
    for (std::uint32_t k = 0; k < formula.extra; ++k) {
        const Choice choice = choices_[formula.first + k];
        if (!choice.label || suit_of_label(choice.label) != card.suit) {
            add(choice.label, read(choice.formula, card, unread_below, played));
        } else if (player_of_label(choice.label) != card.owner) {
            add(choice.label, read(choice.formula, card, unread_below - 1, played));
        } else {
            if (!card.more || !(choice.label & LOWEST)) add(0, read(choice.formula, card, unread_below, true));
            if (card.more) add(choice.label, read(choice.formula, card, unread_below - 1, false));
        }
    }
    const FormulaId result = close(formula.kind == Kind::MAX, mark);
    reads_.at(key) = {key, result};
    return result;
}

}  // namespace setrograde

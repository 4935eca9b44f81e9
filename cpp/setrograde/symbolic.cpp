#include "symbolic.hpp"

#include <cassert>

namespace setrograde {

namespace {

constexpr std::uint32_t EMPTY = 0xFFFF'FFFF;

// The suits played by the four players to one trick, two bits each.
constexpr int suit_played(unsigned suits, int player) {
    return static_cast<int>(suits >> (2 * player) & 3);
}

// The suit that wins: trumps if any were played, else the suit led.
int winning_suit(unsigned suits, int led, bool has_trumps) {
    for (int player = 0; has_trumps && player < PLAYERS; ++player)
        if (suit_played(suits, player) == 3) return 3;
    return led;
}

bool may_play(const Shape& shape, int player, int suit, int led) {
    if (!held(shape.suits[static_cast<std::size_t>(suit)], player)) return false;
    return player == 0 || suit == led || !held(shape.suits[static_cast<std::size_t>(led)], player);
}

// Row numbers below by player and by suit played.
std::array<std::array<std::uint16_t, 4>, 4> rows_after(const Shape& shape, const HandRows& below) {
    std::array<std::array<std::uint16_t, 4>, 4> after;
    for (int player = 0; player < PLAYERS; ++player)
        for (int suit = 0; suit < 4; ++suit) {
            const bool has = held(shape.suits[static_cast<std::size_t>(suit)], player) > 0;
            const int row = HandRows::row_of(shape, player) - (has ? 1 << (12 - 4 * suit) : 0);
            after[static_cast<std::size_t>(player)][static_cast<std::size_t>(suit)] =
                has ? below.number(static_cast<std::uint16_t>(row)) : HandRows::NONE;
        }
    return after;
}

// The number of the shape after a trick, with the winner on lead.
std::size_t number_below(const std::array<std::array<std::uint16_t, 4>, 4>& after,
                         const Shape& shape, const HandRows& below, unsigned suits, int winner) {
    std::array<std::uint16_t, 4> numbers;
    int trumps = 0;
    for (int i = 0; i < PLAYERS; ++i) {
        const int player = (winner + i) & 3, suit = suit_played(suits, player);
        numbers[static_cast<std::size_t>(i)] =
            after[static_cast<std::size_t>(player)][static_cast<std::size_t>(suit)];
        trumps += held(shape.suits[3], player) - (suit == 3);
    }
    return below.shape_number(numbers, shape.has_trumps && trumps > 0);
}

}  // namespace

ShapeBuilder::ShapeBuilder(const OrderedLevel& below, Diagram& into)
    : below_(below), into_(into), formulas_(below.rows.tricks() + 1, below.diagram) {
    memo_.assign(std::size_t{1} << 14, {{EMPTY, 0, 0}, 0});
}

NodeId ShapeBuilder::build(const Shape& shape) {
    if (formulas_.size() > MANY_FORMULAS) forget();
    shape_ = shape;
    rows_after_ = rows_after(shape, below_.rows);
    return finish(start(0, 0, 0), 0, shape.suits[0]);
}

NodeId ShapeBuilder::below_root(unsigned suits, int winner) const {
    const NodeId root = below_.roots[number_below(rows_after_, shape_, below_.rows, suits, winner)];
    assert(root != INFEASIBLE);
    return root;
}

// The formula before any card is read: all ways to choose suits.
FormulaId ShapeBuilder::start(int player, unsigned suits, int led) {
    if (player == PLAYERS) {
        const int suit = winning_suit(suits, led, shape_.has_trumps);
        std::array<NodeId, 4> nodes;
        nodes.fill(INFEASIBLE);
        int winners = 0, last = 0;
        for (int winner = 0; winner < PLAYERS; ++winner) {
            if (suit_played(suits, winner) != suit) continue;
            nodes[static_cast<std::size_t>(winner)] = below_root(suits, winner);
            last = winner;
            ++winners;
        }
        return winners == 1 ? formulas_.leaf(nodes[static_cast<std::size_t>(last)], last)
                            : formulas_.pending(nodes, suit);
    }
    const std::size_t mark = formulas_.open();
    for (int suit = 0; suit < 4; ++suit) {
        if (!may_play(shape_, player, suit, led)) continue;
        const FormulaId then =
            start(player + 1, suits | static_cast<unsigned>(suit) << (2 * player), player ? led : suit);
        formulas_.add(make_label(player, suit), then);
    }
    return formulas_.close(player % 2 == 0, mark);
}

// Reads the cards to come, `left` of the suit at hand first.
NodeId ShapeBuilder::finish(FormulaId formula, int suit, Split left) {
    if (formulas_.is_constant(formula)) return static_cast<NodeId>(formulas_.constant_value(formula));
    const unsigned support = formulas_.support(formula);
    while (!left || !(support >> suit & 1)) {
        ++suit;
        assert(suit < 4);
        left = shape_.suits[static_cast<std::size_t>(suit)];
    }
    const auto coming = [&](int next) -> std::uint32_t {
        return next < 4 && support >> next & 1 ? shape_.suits[static_cast<std::size_t>(next)] : 0;
    };
    const MemoKey key{formula << 2 | static_cast<std::uint32_t>(suit),
                      std::uint32_t{left} << 16 | coming(suit + 1),
                      coming(suit + 2) << 16 | coming(suit + 3)};
    if (const MemoEntry* known = find(key)) return known->node;

    std::array<NodeId, 4> children;
    for (int owner = 0; owner < PLAYERS; ++owner) {
        NodeId& child = children[static_cast<std::size_t>(owner)];
        child = INFEASIBLE;
        if (!held(left, owner)) continue;
        const FormulaId next = formulas_.read(formula, {suit, owner, left});
        child = finish(next, suit, static_cast<Split>(left - one_card(owner)));
    }
    const NodeId node = into_.make(make_tag(suit, length(left)), children);
    remember(key, node);
    return node;
}

namespace {

std::size_t hash_words(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    return mix(mix(a, b), c) >> 16;
}

}  // namespace

ShapeBuilder::MemoEntry* ShapeBuilder::find(const MemoKey& key) {
    const std::size_t mask = memo_.size() - 1;
    for (std::size_t i = hash_words(key.formula_and_suit, key.left_and_next, key.last_two) & mask;;
         i = (i + 1) & mask) {
        if (memo_[i].key == key) return &memo_[i];
        if (memo_[i].key.formula_and_suit == EMPTY) return nullptr;
    }
}

void ShapeBuilder::remember(const MemoKey& key, NodeId node) {
    if (++memo_used_ * 2 > memo_.size()) {
        std::vector<MemoEntry> old(memo_.size() * 2, {{EMPTY, 0, 0}, 0});
        old.swap(memo_);
        memo_used_ = 1;
        for (const MemoEntry& entry : old)
            if (entry.key.formula_and_suit != EMPTY) remember(entry.key, entry.node);
    }
    const std::size_t mask = memo_.size() - 1;
    std::size_t i = hash_words(key.formula_and_suit, key.left_and_next, key.last_two) & mask;
    while (memo_[i].key.formula_and_suit != EMPTY) i = (i + 1) & mask;
    memo_[i] = {key, node};
}

void ShapeBuilder::forget() {
    formulas_.clear();
    memo_.assign(memo_.size(), {{EMPTY, 0, 0}, 0});
    memo_used_ = 0;
}

void mark_successors(const Shape& shape, const HandRows& below, std::vector<bool>& marked) {
    const auto after = rows_after(shape, below);
    const auto visit = [&](auto& self, int player, unsigned suits, int led) -> void {
        if (player == PLAYERS) {
            const int suit = winning_suit(suits, led, shape.has_trumps);
            for (int winner = 0; winner < PLAYERS; ++winner)
                if (suit_played(suits, winner) == suit)
                    marked[number_below(after, shape, below, suits, winner)] = true;
            return;
        }
        for (int suit = 0; suit < 4; ++suit)
            if (may_play(shape, player, suit, led))
                self(self, player + 1, suits | static_cast<unsigned>(suit) << (2 * player),
                     player ? led : suit);
    };
    visit(visit, 0, 0, 0);
}

}  // namespace setrograde

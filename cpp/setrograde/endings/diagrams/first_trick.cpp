#include "setrograde/endings/diagrams/first_trick.hpp"

#include <cassert>

#include "setrograde/endings/diagrams/shape_builder.hpp"

namespace setrograde {

namespace {

// The suits played by the four players to one trick, two bits each.
constexpr int suit_played(unsigned suits, int player) { return static_cast<int>(suits >> (2 * player) & 3); }

// The suit that wins: trumps if any were played, else the suit led.
int winning_suit(unsigned suits, int led, bool has_trumps) {
    for (int player = 0; has_trumps && player < PLAYERS; ++player)
        if (suit_played(suits, player) == 3) return 3;
    return led;
}

bool may_play(const Shape& shape, int player, int suit, int led) {
    if (!held(shape.suits[suit], player)) return false;
    return player == 0 || suit == led || !held(shape.suits[led], player);
}

// Row numbers below by player and by suit played.
RowsAfter rows_after(const Shape& shape, const HandRows& below) {
    RowsAfter after;
    for (int player = 0; player < PLAYERS; ++player)
        for (int suit = 0; suit < 4; ++suit) {
            const bool has = held(shape.suits[suit], player) > 0;
            const int row = HandRows::row_of(shape, player) - (has ? 1 << (12 - 4 * suit) : 0);
            after[player][suit] = has ? below.number(static_cast<std::uint16_t>(row)) : HandRows::NONE;
        }
    return after;
}

// The number of the shape after a trick, with the winner on lead.
std::size_t number_below(const RowsAfter& after, const Shape& shape, const HandRows& below, unsigned suits,
                         int winner) {
    PerSeat<std::uint16_t> numbers;
    int trumps = 0;
    for (int i = 0; i < PLAYERS; ++i) {
        const int player = (winner + i) & 3, suit = suit_played(suits, player);
        numbers[i] = after[player][suit];
        trumps += held(shape.suits[3], player) - (suit == 3);
    }
    return below.shape_number(numbers, shape.has_trumps && trumps > 0);
}

}  // namespace

void FirstTrick::take(const Shape& shape) {
    shape_ = shape;
    rows_after_ = rows_after(shape, below_.rows);
}

NodeId FirstTrick::below_root(unsigned suits, int winner) const {
    const NodeId root = below_.roots[number_below(rows_after_, shape_, below_.rows, suits, winner)];
    assert(root != INFEASIBLE);
    return root;
}

// The formula before any card is read: all ways to choose suits.
FormulaId FirstTrick::start(int player, unsigned suits, int led, int low) {
    if (player == PLAYERS) {
        const int suit = winning_suit(suits, led, shape_.has_trumps);
        PerSeat<NodeId> nodes;
        nodes.fill(INFEASIBLE);
        int winners = 0, last = 0;
        for (int winner = 0; winner < PLAYERS; ++winner) {
            if (suit_played(suits, winner) != suit) continue;
            nodes[winner] = below_root(suits, winner);
            last = winner;
            ++winners;
        }
        return winners == 1 ? formulas_.leaf(nodes[last], last) : formulas_.pending(nodes, suit);
    }
    const std::size_t mark = formulas_.open();
    for (int suit = 0; suit < 4; ++suit) {
        if (!may_play(shape_, player, suit, led)) continue;
        const FormulaId then =
            start(player + 1, suits | static_cast<unsigned>(suit) << (2 * player), player ? led : suit, low);
        const Label label = make_label(player, suit);
        formulas_.add(player == low && suit == led ? lowest_of(label) : label, then);
    }
    return formulas_.close(player % 2 == 0, mark);
}

void mark_successors(const Shape& shape, const HandRows& below, std::vector<bool>& marked) {
    const auto after = rows_after(shape, below);
    const auto visit = [&](auto& self, int player, unsigned suits, int led) -> void {
        if (player == PLAYERS) {
            const int suit = winning_suit(suits, led, shape.has_trumps);
            for (int winner = 0; winner < PLAYERS; ++winner)
                if (suit_played(suits, winner) == suit) marked[number_below(after, shape, below, suits, winner)] = true;
            return;
        }
        for (int suit = 0; suit < 4; ++suit)
            if (may_play(shape, player, suit, led))
                self(self, player + 1, suits | static_cast<unsigned>(suit) << (2 * player), player ? led : suit);
    };
    visit(visit, 0, 0, 0);
}

}  // namespace setrograde

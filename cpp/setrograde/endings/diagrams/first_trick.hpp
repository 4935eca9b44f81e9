// First trick: the ways to play one trick, by suits alone
//
// Who has how many cards of each suit tells which suits each player may play, before any card is
// seen. From that comes the formula (endings/diagrams/formula.hpp) that the cards are then read into, and the list of
// the shapes one trick below.
#pragma once

#include "setrograde/endings/diagrams/formula.hpp"
#include "setrograde/endings/shapes/hand_rows.hpp"

namespace setrograde {

struct OrderedLevel;

// Row numbers below (endings/shapes/hand_rows.hpp) by player and by suit played.
using RowsAfter = std::array<std::array<std::uint16_t, 4>, 4>;

// Makes the formulas of one shape after another.
class FirstTrick {
public:
    // `below` must have all shapes that a trick leads to (`mark_successors`).
    FirstTrick(const OrderedLevel& below, Formulas& formulas) : below_(below), formulas_(formulas) {}

    void take(const Shape& shape);
    const Shape& shape() const { return shape_; }

    // All ways to play the trick.
    FormulaId formula() { return start(0, 0, 0, -1); }

    // Those after the lead of a suit; which of the leader's cards of it is for the reader to say. If
    // `low` is a player, he follows to it with his lowest card.
    FormulaId after_lead(int suit, int low = -1) { return start(1, static_cast<unsigned>(suit), suit, low); }

private:
    FormulaId start(int player, unsigned suits, int led, int low);
    NodeId below_root(unsigned suits, int winner) const;

    const OrderedLevel& below_;
    Formulas& formulas_;
    Shape shape_;
    RowsAfter rows_after_{};
};

// Marks the shapes one trick below `shape` that a builder may ask for.
void mark_successors(const Shape& shape, const HandRows& below, std::vector<bool>& marked);

}  // namespace setrograde

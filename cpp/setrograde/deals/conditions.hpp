// Conditions: what is asked of a hand, in a form that can be counted suit by suit
//
// A measure gives every holding of every suit a number; a hand is worth the sum over its suits. High-card
// points, controls, cards of a set and losers are all measures. A condition bounds measures, names the
// shapes allowed, and may have lists of alternatives. It can also be asked of two hands together, such as
// the points of a partnership.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "setrograde/cards/cards.hpp"

namespace setrograde {

inline constexpr int HOLDINGS = 1 << 13;
inline constexpr int HAND_SIZE = 13;

struct Measure {
    PerSuit<std::vector<std::int16_t>> worth;  // by holding; HOLDINGS numbers for each suit

    int of(CardSet cards) const {
        int sum = 0;
        for (int suit = 0; suit < SUITS; ++suit) sum += worth[suit][cards >> (16 * suit) & SUIT_MASK];
        return sum;
    }
};

// Hands worth from `low` to `high` by one of the measures.
struct MeasureBound {
    std::size_t measure;
    int low, high;
};

struct Condition {
    std::optional<std::vector<PerSuit<int>>> shapes;  // lengths allowed, clubs first; none: any
    std::vector<MeasureBound> bounds;                 // all must hold
    std::vector<std::vector<Condition>> clauses;      // of each list, at least one must hold
};

// A condition on the cards of one or more seats together; bit `seat` is set for each. Shapes are for one
// seat only.
struct Watch {
    unsigned seats;
    Condition condition;
};

// Deals of 52 cards: cards known to be in each hand, cards that a hand does not have, and conditions.
struct DealProblem {
    PerSeat<CardSet> known{}, denied{};
    std::vector<Measure> measures;
    std::vector<Watch> watches;
};

// True if the cards meet the condition.
bool allows(const Condition& condition, const std::vector<Measure>& measures, CardSet cards);

}  // namespace setrograde

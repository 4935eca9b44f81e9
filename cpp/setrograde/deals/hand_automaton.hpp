// Hand automaton: a condition read suit by suit
//
// The automaton reads one letter for each suit, the kind of holding that a hand has there, and ends in
// "yes" or "no". States that no further suit can tell apart are one state: points beyond the highest bound,
// shapes that allow the same rests. So a state says just as much of the suits already read as still matters,
// and there are few of them.
#pragma once

#include <vector>

#include "setrograde/deals/conditions.hpp"

namespace setrograde {

// Thrown when exact counting would need more work or memory than is allowed.
struct TooManyCases {};

// The order in which suits are read.
using SuitOrder = PerSuit<int>;

class HandAutomaton {
public:
    static constexpr int DEAD = -1;

    // `holdings` are, by suit, all holdings that may occur. With `has_size` only hands of 13 cards count;
    // without it the lengths are left to others, and the condition must name no shapes.
    HandAutomaton(const Condition& condition, const std::vector<Measure>& measures,
                  const PerSuit<std::vector<std::uint16_t>>& holdings, const SuitOrder& order, bool has_size);

    // The letter of a holding in the suit read at this place, or DEAD if no hand with it is allowed.
    int letter(int place, unsigned holding) const { return letter_of_[place][holding]; }
    int letters(int place) const { return letters_[place]; }

    // States before the suit at this place is read; 0 is the first. There is one after the last suit, "yes".
    int states(int place) const { return states_[place]; }

    // The states reached by each letter, or DEAD.
    const std::int32_t* next(int place, int state) const {
        return next_[place].data() + static_cast<std::size_t>(state) * static_cast<std::size_t>(letters_[place]);
    }

    bool is_empty() const { return states_[0] == 0; }

private:
    PerSuit<std::vector<std::int16_t>> letter_of_;
    PerSuit<int> letters_{};
    Per<int, SUITS + 1> states_{};
    PerSuit<std::vector<std::int32_t>> next_;
};

}  // namespace setrograde

// Layout classes: all layouts of the hidden cards, those that hardly differ taken together
//
// Hidden cards with no seen card between them are a run, and a class is told by how many cards of each run the
// first hidden hand has. So a few hundred classes stand for tens of thousands of layouts, each with the exact
// number of layouts as its weight. What a class leaves open is which of the two hidden hands has the higher
// card of a run: one layout, drawn at random, stands for all. With one card in each group classes are layouts.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "setrograde/cards/cards.hpp"

namespace setrograde {

enum class Grouping {
    LAYOUTS,  // every card by itself
    RUNS,     // cards with no seen card between them
    SMALL,    // the same, and all cards of a suit below its top few
};

struct LayoutProblem {
    CardSet hidden = 0;
    CardSet others = 0;  // seen cards and cards on the table: what may lie between hidden ones
    int length = 0;      // number of cards of the first hidden hand
    CardSet held = 0;    // cards it is known to have
    CardSet denied = 0;  // cards it is known not to have
    PerSuit<int> shortest{0, 0, 0, 0}, longest{13, 13, 13, 13};
    Grouping grouping = Grouping::RUNS;
    int small = 3;  // for SMALL: cards with at least this many higher ones in the suit
    std::uint64_t seed = 0;
};

struct LayoutClasses {
    std::vector<CardSet> groups;         // cards that are not told apart
    std::vector<CardSet> layouts;        // the first hidden hand in one layout of each class
    std::vector<std::uint64_t> weights;  // number of layouts
};

// None if there are more classes than `limit`.
std::optional<LayoutClasses> find_layout_classes(const LayoutProblem& problem, std::size_t limit);

}  // namespace setrograde

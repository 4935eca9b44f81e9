// Strategy search: the card that wins in most worlds, when later cards must be chosen blind too
//
// Plain Monte Carlo solves every world double dummy after each card and takes the best average. It believes
// that every later guess will be right. Here the chooser has to play the same card in all worlds that look
// alike: a position gives a set of outcome vectors, none of them contained in another, each for one way to
// play on. Where the chooser is on turn, the vectors of his cards are joined; where the opponents are, who see
// everything, every vector of one card meets every vector of the others. After `depth` cards of the chooser,
// double dummy is the leaf; so depth 1 is plain Monte Carlo, and a search to the last card is exact.
// (Cazenave and Ventos, "The alpha-mu search algorithm for the game of bridge", 2019.) Two things are new: the
// plan, which keeps later searches from undoing what an earlier one promised, and labels (labels.hpp).
#pragma once

#include <cstdint>
#include <vector>

#include "setrograde/play/budget.hpp"
#include "setrograde/play/labels.hpp"
#include "setrograde/play/outcomes.hpp"
#include "setrograde/play/worlds.hpp"

namespace setrograde {

// Ways to search less that leave the value of the best card as it is. Each can be switched off.
enum Cut : unsigned {
    CUT_EARLY = 1,     // an opponent's node ends when all it has left is no better than what is known above
    CUT_ROOT = 2,      // the root ends when no card can do better than the best so far
    CUT_USEFUL = 4,    // worlds already lost are dropped
    CUT_WIN = 8,       // a card that wins in every world ends the node
    CUT_BOUND = 16,    // a card whose double-dummy vector is no better than what is known is not searched
    CUT_SCORE = 32,    // vectors that cannot beat the best score at the root are no use
    CUT_SINGLE = 64,   // with one world left double dummy is exact
    CUT_DEEP = 128,    // what is known above: in all nodes, not only in the one just above
    CUT_ORDER = 256,   // the most promising cards first
    CUT_EQUALS = 512,  // a hidden card gives what its equal gave, with the worlds renamed (equal_cards.hpp)
    ALL_CUTS = 1023,
};

// Worlds times numbers of tricks that matter; the latter each begin a new word.
inline constexpr int MAX_FACT_WORDS = 64;

struct Step {
    int need;      // tricks our side still has to take, the current one included
    double worth;  // what reaching them adds; never negative
};

struct StrategyProblem {
    PlayProblem play;
    std::vector<double> weights;     // by world; all one if empty
    std::vector<Step> steps;         // fewest tricks first
    std::vector<std::uint8_t> plan;  // facts promised before, steps first, then worlds; none if empty
    int depth = 4;                   // cards of the chooser until double dummy
    bool has_labels = true;          // else every card is told apart
    int small = 3;                   // for labels
    unsigned cuts = ALL_CUTS;
    bool breaks_ties = true;             // by one trick more and one trick less, if there is one step
    bool searches_forced_cards = false;  // else a chooser with one card learns no more than double dummy
    std::uint64_t work_limit = ~std::uint64_t{0};
    double seconds = 1e9;
};

struct CandidateValue {
    Place card;
    double value;                      // worth in all worlds together, by the strategy found
    double double_dummy;               // the same if all were seen after this card
    bool is_bound;                     // the value is only known to be no higher
    std::vector<std::uint8_t> vector;  // facts reached, steps first, then worlds
};

struct StrategyAnswer {
    std::vector<CandidateValue> candidates;  // best first; none if it is not the chooser's turn
    double value = 0;                        // of the best strategy found
    double double_dummy = 0;
    std::vector<std::uint8_t> vector;  // facts the best strategy reaches
    int depth = 0;                     // the last one that was finished
    bool is_limited = false;           // the budget ended the search
    bool is_complete = false;          // searched to the last card
    std::uint64_t nodes = 0, asks = 0, work = 0;
};

// What is wrong with a problem, in words, or nothing.
const char* check(const StrategyProblem& problem);

// The problem must have passed its check. Throws Stopped.
StrategyAnswer search_strategy(const StrategyProblem& problem, Outcomes& outcomes, const StopCheck& should_stop);

}  // namespace setrograde

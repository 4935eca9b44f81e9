// Settle: all layouts of the hidden cards answered, set by set
//
// Of every layout it is decided whether North-South take enough tricks, but not of one layout at a time.
//
// The method of patterns: a search answers for one layout and names the cards it relies on. All layouts
// with the same lengths and the same owners of these cards have the same answer, and what is left is
// divided. One search is kept for all of it.
//
// The method of classes tells fewer layouts apart: a set says only how many cards of each run (layouts.hpp)
// East has, at least and at most. Two games with ties (search/search.hpp) bracket all layouts of such a
// set: if North-South get there although the defence decides ties, they do in every layout; if they do not
// although declarer decides, in none. Where the two games differ, the ranks in one suit after the other are
// told apart, down to the game as it is. It settles larger sets, but searches twice, and endings from a
// database are of no use to it: the method of patterns is the faster one, and the two check each other.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "setrograde/odds/layouts.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {

// Layouts with one answer: all bounds hold.
struct OddsSet {
    bool makes;
    std::uint64_t layouts;
    std::vector<OddsBound> bounds;
};

struct OddsProgress {
    std::uint64_t yes = 0, no = 0;  // layouts settled
    std::uint64_t sets = 0, solves = 0;
    std::uint64_t told_apart = 0;  // layouts for which the games with ties were not enough
};

struct OddsResult {
    OddsProgress counts;
    std::uint64_t open = 0;  // layouts not settled when the work was stopped
    std::uint64_t nodes = 0;
    std::vector<OddsSet> sets = {};
};

enum class SettleMethod { PATTERNS, CLASSES };

struct SettleOptions {
    SettleMethod method = SettleMethod::PATTERNS;
    int threads = 1;
    std::size_t limit_bytes = std::size_t{1} << 30;  // for all threads together
    Endings endings;
};

// Asked now and then by the calling thread; true stops the work.
using OddsWatch = std::function<bool(const OddsProgress&)>;

// Settles "do North-South take at least `need` of the tricks left?" for all layouts. Counts do not depend
// on the number of threads, sets may. Once stopped, returns what was settled until then.
OddsResult settle(const Layouts& layouts, int need, const SettleOptions& options, const OddsWatch& watch);

}  // namespace setrograde

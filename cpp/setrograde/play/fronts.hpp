// Fronts: outcome vectors of one node, none contained in another
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "setrograde/play/budget.hpp"
#include "setrograde/play/world_set.hpp"

namespace setrograde {

template <int WORDS>
using Front = std::vector<WorldSet<WORDS>>;

template <int WORDS>
bool is_covered(const WorldSet<WORDS>& vector, const Front<WORDS>& front) {
    for (const WorldSet<WORDS>& other : front)
        if (vector.is_within(other)) return true;
    return false;
}

// Adds a vector unless another contains it, and drops those that it contains.
template <int WORDS>
void add(Front<WORDS>& front, const WorldSet<WORDS>& vector) {
    if (is_covered(vector, front)) return;
    std::erase_if(front, [&](const WorldSet<WORDS>& other) { return other.is_within(vector); });
    front.push_back(vector);
}

// What is left where both must hold: the minima of all pairs, without those that are not wanted. True if none
// was left out for that. Throws BudgetSpent, Stopped.
template <int WORDS, class IsWanted>
bool meet(Front<WORDS>& front, const Front<WORDS>& other, Budget& budget, IsWanted is_wanted) {
    Front<WORDS> both;
    bool is_whole = true;
    for (const WorldSet<WORDS>& x : front) {
        for (const WorldSet<WORDS>& y : other) {
            const WorldSet<WORDS> least = x & y;
            if (is_wanted(least))
                add(both, least);
            else
                is_whole = false;
        }
        budget.spend(other.size() + both.size() / 4);
    }
    front = std::move(both);
    return is_whole;
}

}  // namespace setrograde

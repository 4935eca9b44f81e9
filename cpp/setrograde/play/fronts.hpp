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

// What is left where one of both must hold: the minima of all pairs. Throws BudgetSpent, Stopped.
template <int WORDS>
Front<WORDS> meet(const Front<WORDS>& a, const Front<WORDS>& b, Budget& budget) {
    Front<WORDS> both;
    for (const WorldSet<WORDS>& x : a) {
        for (const WorldSet<WORDS>& y : b) add(both, x & y);
        budget.spend(b.size() + both.size() / 16);
    }
    return both;
}

}  // namespace setrograde

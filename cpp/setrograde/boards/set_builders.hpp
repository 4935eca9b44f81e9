// Set builders: sets made from lists of strings, and from sums over their symbols
#pragma once

#include <cstdint>
#include <vector>

#include "setrograde/boards/forest.hpp"

namespace setrograde {

// The set of `count` strings, which follow one another, a symbol for each place. Throws
// std::invalid_argument for symbols that are not of their places.
Branch set_of_strings(Forest& forest, const std::uint8_t* strings, std::size_t count);

// What each symbol of each place counts.
using SymbolWeights = std::vector<std::vector<std::int32_t>>;

// Throws std::invalid_argument unless there is a weight for each symbol of each place.
void check_weights(const Places& places, const SymbolWeights& weights);

// The strings whose symbols together count `least` to `most`. The weights must have been checked.
Branch set_by_sum(Forest& forest, const SymbolWeights& weights, std::int64_t least, std::int64_t most);

}  // namespace setrograde

#include "setrograde/boards/set_builders.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace setrograde {

namespace {

// A layer may have several places: each of its symbols counts the sum of theirs.
SymbolWeights weights_by_layer(const Places& places, const SymbolWeights& weights) {
    SymbolWeights by_layer(places.layers());
    for (std::size_t l = 0; l < places.layers(); ++l)
        for (std::size_t symbol = 0; symbol < places.symbols_of_layer(l); ++symbol) {
            std::int32_t& sum = by_layer[l].emplace_back(0);
            for (std::size_t place = places.first_of(l); place < places.end_of(l); ++place)
                sum += weights[place][places.at(place, symbol)];
        }
    return by_layer;
}

}  // namespace

Branch set_of_strings(Forest& forest, const std::uint8_t* strings, std::size_t count) {
    const Places& places = forest.places();
    places.check_strings(strings, count);
    std::vector<Branch> branches, row;
    branches.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        Branch branch = EVERYTHING;
        for (std::size_t l = forest.layers(); l-- > 0;) {
            row.assign(forest.symbols(l), NOTHING);
            // The last layer may have symbols that differ only where there is no place: all of them.
            const std::size_t symbol = places.join(l, strings + i * places.size());
            std::fill_n(row.data() + symbol, places.stride(places.end_of(l) - 1), branch);
            branch = forest.add(l, row.data());
        }
        branches.push_back(branch);
    }
    return forest.join_all(std::move(branches));
}

void check_weights(const Places& places, const SymbolWeights& weights) {
    if (weights.size() != places.size()) throw std::invalid_argument("not a row of weights for each place");
    for (std::size_t place = 0; place < weights.size(); ++place)
        if (weights[place].size() != places.symbols(place)) throw std::invalid_argument("not a weight for each symbol");
}

Branch set_by_sum(Forest& forest, const SymbolWeights& weights, std::int64_t least, std::int64_t most) {
    const SymbolWeights by_layer = weights_by_layer(forest.places(), weights);
    // Step 1. By layer, all sums that what comes before can have.
    std::vector<std::map<std::int64_t, Branch>> by_sum(forest.layers() + 1);
    by_sum[0][0] = NOTHING;
    for (std::size_t l = 0; l < forest.layers(); ++l)
        for (const auto& [sum, unused] : by_sum[l]) {
            forest.poll();
            for (const std::int32_t weight : by_layer[l]) by_sum[l + 1].try_emplace(sum + weight, NOTHING);
        }
    // Step 2. From the end, the strings that may follow each sum.
    for (auto& [sum, branch] : by_sum.back()) branch = sum >= least && sum <= most ? EVERYTHING : NOTHING;
    std::vector<Branch> row;
    for (std::size_t l = forest.layers(); l-- > 0;)
        for (auto& [sum, branch] : by_sum[l]) {
            forest.poll();
            row.clear();
            for (const std::int32_t weight : by_layer[l]) row.push_back(by_sum[l + 1].at(sum + weight));
            branch = forest.add(l, row.data());
        }
    return by_sum[0].at(0);
}

}  // namespace setrograde

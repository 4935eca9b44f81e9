// Places: where the symbols of a string stand, one or more to a layer of a forest
//
// A layer with two places of three symbols has nine. Sets then have half as many layers and nodes, each of them
// wider: operations look up less, and what they will look at for all nine symbols is fetched at once. Whoever asks
// about single places sees nothing of it: see boards/automaton.hpp.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace setrograde {

class Places {
public:
    static constexpr std::size_t MOST_JOINED_SYMBOLS = 9;

    // One place to a layer.
    explicit Places(std::vector<std::size_t> symbols) : symbols_(std::move(symbols)), layers_(symbols_.size()) {}

    // As many places to a layer as give it at most 9 symbols, if all have the same number of symbols. Places that
    // nothing looks at fill up the last layer, so that all layers have as many.
    static Places joined(std::vector<std::size_t> symbols) {
        Places places(std::move(symbols));
        const auto& each = places.symbols_;
        if (each.empty() || each[0] < 2 || std::any_of(each.begin(), each.end(), [&](auto n) { return n != each[0]; }))
            return places;
        for (std::size_t all = each[0]; all * each[0] <= MOST_JOINED_SYMBOLS && places.a_layer_ < each.size();
             all *= each[0])
            ++places.a_layer_;
        places.layers_ = (each.size() + places.a_layer_ - 1) / places.a_layer_;
        return places;
    }

    std::size_t size() const { return symbols_.size(); }
    std::size_t symbols(std::size_t place) const { return symbols_[place]; }
    std::size_t layers() const { return layers_; }
    std::size_t layer_of(std::size_t place) const { return place / a_layer_; }
    std::size_t first_of(std::size_t layer) const { return layer * a_layer_; }
    std::size_t end_of(std::size_t layer) const { return std::min(first_of(layer + 1), size()); }

    std::size_t symbols_of_layer(std::size_t layer) const {
        return stride(first_of(layer)) * symbols_[first_of(layer)];
    }

    // How far apart symbols of a layer are that differ by one at this place: the first place counts most.
    std::size_t stride(std::size_t place) const {
        std::size_t stride = 1;
        for (std::size_t i = place % a_layer_ + 1; i < a_layer_; ++i) stride *= symbols_[place];
        return stride;
    }

    // What a symbol of its layer has at a place.
    std::size_t at(std::size_t place, std::size_t symbol) const { return symbol / stride(place) % symbols_[place]; }

    // The symbol of a layer, and nothing where nothing looks.
    std::size_t join(std::size_t layer, const std::uint8_t* string) const {
        std::size_t symbol = 0;
        for (std::size_t place = first_of(layer); place < end_of(layer); ++place)
            symbol += string[place] * stride(place);
        return symbol;
    }

    // Throws std::invalid_argument unless each of `count` strings, which follow one another, has symbols of
    // its places only.
    void check_strings(const std::uint8_t* strings, std::size_t count) const {
        for (std::size_t i = 0; i < count; ++i)
            for (std::size_t place = 0; place < size(); ++place)
                if (*strings++ >= symbols_[place]) throw std::invalid_argument("not a symbol of its place");
    }

private:
    std::vector<std::size_t> symbols_;
    std::size_t a_layer_ = 1;
    std::size_t layers_;
};

}  // namespace setrograde

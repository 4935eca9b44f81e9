// Equal cards: worlds that look the same once one of two equal hidden cards is gone
//
// If only hidden cards lie between two hidden cards, then it does not matter which of them a player has put on
// the table: what is left looks the same, if the cards between are thought one place up or down. So the world
// in which he played the one has a twin in which he played the other, and the vectors after one card are those
// after the other with the worlds renamed. Unlike a label, this loses nothing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "setrograde/cards/cards.hpp"
#include "setrograde/common/hash.hpp"

namespace setrograde {

class Twins {
public:
    // `worlds`: the cards of the first hidden hand. They must outlive this.
    explicit Twins(const std::vector<CardSet>& worlds) : worlds_(worlds) {}

    // For each world the number of its twin, or -1. `cards`: the two cards and the hidden ones between them.
    // The hidden hand `player` has played the highest in the world if `is_highest`, and the lowest in its
    // twin; else the other way round.
    const std::vector<std::int16_t>& of(CardSet cards, int player, bool is_highest) {
        const std::uint64_t key = mix(mix(1, cards), static_cast<std::uint64_t>(2 * player + (is_highest ? 1 : 0)));
        std::vector<std::int16_t>& twins = found_[key];
        if (twins.empty()) find(twins, cards, player, is_highest);
        return twins;
    }

private:
    void find(std::vector<std::int16_t>& twins, CardSet cards, int player, bool is_highest) {
        if (numbers_.empty())
            for (std::size_t i = 0; i < worlds_.size(); ++i) numbers_.emplace(worlds_[i], static_cast<std::int16_t>(i));
        std::vector<Place> places;
        for (CardSet rest = cards; rest; rest &= rest - 1) places.push_back(lowest(rest));
        if (!is_highest) std::reverse(places.begin(), places.end());
        twins.resize(worlds_.size(), -1);
        for (std::size_t i = 0; i < worlds_.size(); ++i) {
            // The owners move one place towards the card that was played; the player has its counterpart.
            const CardSet first = worlds_[i];
            CardSet twin = first & ~cards;
            if (player == 0) twin |= bit_of(places[0]);
            for (std::size_t k = 1; k < places.size(); ++k)
                if (first & bit_of(places[k - 1])) twin |= bit_of(places[k]);
            const auto found = numbers_.find(twin);
            if (found != numbers_.end()) twins[i] = found->second;
        }
    }

    const std::vector<CardSet>& worlds_;
    std::unordered_map<CardSet, std::int16_t> numbers_;  // of worlds
    std::unordered_map<std::uint64_t, std::vector<std::int16_t>> found_;
};

}  // namespace setrograde

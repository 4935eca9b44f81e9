// Columns: following the play of a recorded deal
//
// Files list a trick as four cards, a column for each seat, whoever led. Here they are put in the
// order played and checked against the laws, card by card.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setrograde/cards/cards.hpp"

namespace setrograde {

inline constexpr std::uint8_t UNKNOWN_CARD = 64;  // not told, or not played

enum class ColumnStop { NONE, UNKNOWN, NOT_HELD, REVOKE };

struct ColumnRun {
    std::vector<std::uint8_t> played;  // places of legal cards, in the order played
    std::array<int, 2> won{};          // complete tricks of North-South and East-West
    int stop = -1;                     // which code ended it; -1 if all whole rows were used
    int seat = 0;                      // whose turn it was then
    ColumnStop why = ColumnStop::NONE;
};

// `codes`: places of cards row by row, the first column being `first`'s. Rows are followed as they
// stand or, `by_holder`, with each card under the seat that holds it (a row with two cards of one
// hand stays as it is).
ColumnRun run_columns(const std::array<CardSet, 4>& hands, const std::uint8_t* codes, std::size_t size, int first,
                      int leader, int strain, bool by_holder);

}  // namespace setrograde

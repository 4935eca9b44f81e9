// Columns: following the play of a recorded deal
//
// Files list a trick as a row of four cards with one column for each seat, whoever led. Here the
// cards are put into the order played and checked against the laws, card by card.
#pragma once

#include <cstdint>
#include <vector>

#include "setrograde/cards/cards.hpp"

namespace setrograde {

inline constexpr std::uint8_t UNKNOWN_CARD = 64;  // not told, or not played

enum class ColumnStop { NONE, UNKNOWN, NOT_HELD, REVOKE };

struct ColumnRun {
    std::vector<std::uint8_t> played;  // places of legal cards, in the order played
    Per<int, 2> won{};                 // complete tricks of North-South and East-West
    int stop = -1;                     // index of the code that ended the run; -1 if all whole rows were used
    int seat = 0;                      // the seat on turn when it ended
    ColumnStop why = ColumnStop::NONE;
};

// Follows rows of cards. `codes` holds the places of the cards row by row; the first column belongs to
// seat `first`. With `by_holder` each card is moved to the column of the seat that holds it, unless the
// row has two cards of one hand.
ColumnRun run_columns(const PerSeat<CardSet>& hands, const std::uint8_t* codes, std::size_t size, int first, int leader,
                      int strain, bool by_holder);

}  // namespace setrograde

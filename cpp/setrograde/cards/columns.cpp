#include "setrograde/cards/columns.hpp"

#include "setrograde/cards/position.hpp"

namespace setrograde {

namespace {

CardSet card_set(std::uint8_t code) { return code < UNKNOWN_CARD ? bit_of(code) & ALL_CARDS : 0; }

using Row = PerSeat<std::uint8_t>;

Row placed_by_holder(const Row& row, const PerSeat<CardSet>& hands) {
    Row placed{UNKNOWN_CARD, UNKNOWN_CARD, UNKNOWN_CARD, UNKNOWN_CARD};
    int known = 0, kept = 0;
    for (const std::uint8_t code : row) {
        if (!card_set(code)) continue;
        ++known;
        for (int seat = 0; seat < SEATS; ++seat)
            if (hands[seat] & card_set(code)) placed[seat] = code;
    }
    for (const std::uint8_t code : placed) kept += code != UNKNOWN_CARD;
    return kept == known ? placed : row;
}

}  // namespace

ColumnRun run_columns(const PerSeat<CardSet>& hands, const std::uint8_t* codes, std::size_t size, int first, int leader,
                      int strain, bool by_holder) {
    ColumnRun run;
    run.played.reserve(size);
    PerSeat<CardSet> held = hands;
    int turn = leader;
    for (std::size_t base = 0; base + 4 <= size; base += 4) {
        Row row;
        for (int column = 0; column < 4; ++column)
            row[(first + column) & 3] = codes[base + static_cast<std::size_t>(column)];
        if (by_holder) row = placed_by_holder(row, hands);
        Place best = -1;
        int winner = turn, led = 0;
        for (int step = 0; step < 4; ++step) {
            const int seat = (turn + step) & 3;
            const CardSet card = card_set(row[seat]);
            run.seat = seat;
            if (!card)
                run.why = ColumnStop::UNKNOWN;
            else if (!(held[seat] & card))
                run.why = ColumnStop::NOT_HELD;
            else if (step > 0 && suit_of(row[seat]) != led && cards_of(held[seat], led))
                run.why = ColumnStop::REVOKE;
            if (run.why != ColumnStop::NONE) {
                run.stop = static_cast<int>(base) + (run.seat - first + 4) % 4;
                return run;
            }
            held[seat] ^= card;
            run.played.push_back(row[seat]);
            const Place place = row[seat];
            if (step == 0) led = suit_of(place);
            if (step == 0 || beats(place, best, strain)) best = place, winner = seat;
        }
        turn = winner;
        ++run.won[turn & 1];
    }
    return run;
}

}  // namespace setrograde

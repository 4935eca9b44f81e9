// Solver: exact double-dummy answers from zero-window questions
//
// A solver is a context worth keeping: its table serves every question about the same strain, whoever
// leads and however the cards are dealt. Several threads must not use one solver at the same time;
// several solvers run side by side and share nothing.
#pragma once

#include <optional>
#include <vector>

#include "setrograde/search/search.hpp"

namespace setrograde {

struct Value {
    int tricks_ns;  // North-South's tricks from here on, the current trick included
    CardSet named;  // cards that mattered: with the same owners and the same shape, the value is the same
};

struct CardValue {
    Place card;
    int tricks_ns;  // after it, the current trick included
};

// North-South's tricks by the seat that leads.
using LeaderTricks = PerSeat<int>;

class Solver {
public:
    Solver(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop, Endings endings = {});

    // The exact value. The first question asked is about `guess` tricks. Throws Stopped.
    Value solve(const Position& position, std::optional<int> guess = {});

    // Whether North-South take at least `need` tricks, with the cards the answer relies on.
    Answer ask(const Position& position, int need);

    // The value after each legal card: spades first, high cards first within a suit.
    std::vector<CardValue> solve_cards(const Position& position);

    // The values of a full or partial deal for each of the four leaders.
    LeaderTricks solve_leaders(const PerSeat<CardSet>& hands, int strain);

    // Forgets what was learned.
    void reset();
    Statistics statistics() const { return search_->statistics(); }
    Search& search() { return *search_; }

private:
    void use_strain(int strain);
    int first_guess(const Position& position) const;
    int value_after(const Position& position, Place card, int best);

    std::unique_ptr<Search> search_;
    unsigned techniques_;
    int strain_ = -1;
};

// Tables of many deals on several threads. `should_stop` hears the number of finished strains, five a
// deal; if it says true, Stopped is thrown. Each thread has an equal share of `limit_bytes`, and no more
// threads run than have MIN_LIMIT_BYTES each.
std::vector<PerStrain<LeaderTricks>> solve_tables(const std::vector<PerSeat<CardSet>>& deals, int threads,
                                                  std::size_t limit_bytes, const ProgressCheck& should_stop,
                                                  const Endings& endings = {});

// North-South's tricks from many positions on, by the same means; `should_stop` hears the number of
// finished positions.
std::vector<int> solve_many(const std::vector<Position>& positions, int threads, std::size_t limit_bytes,
                            const ProgressCheck& should_stop, const Endings& endings = {});

}  // namespace setrograde

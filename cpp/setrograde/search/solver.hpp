// Solver: exact double-dummy answers from zero-window questions
//
// A solver is a context that can be kept: its table serves every question about the same strain,
// whoever leads and wherever the cards lie. It is not to be shared between threads; several
// solvers run side by side without any common state.
#pragma once

#include <optional>
#include <vector>

#include "setrograde/search/search.hpp"

namespace setrograde {

struct Value {
    int tricks_ns;  // North-South's tricks from here on, the current trick included
    CardSet named;  // cards that mattered: same owners and same shape, same value
};

struct CardValue {
    Place card;
    int tricks_ns;
};

class Solver {
public:
    Solver(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop, Endings endings = {});

    // Exact value; `guess` starts the search. Throws Stopped.
    Value solve(const Position& position, std::optional<int> guess = {});

    // True if North-South take at least `need`, with the cards that answer relies on.
    Answer ask(const Position& position, int need);

    // The value after each legal card, in the order of the cards, high to low by suit.
    std::vector<CardValue> solve_cards(const Position& position);

    // Tricks of North-South for the four leaders N, E, S, W of a full or partial deal.
    std::array<int, 4> solve_leaders(const std::array<CardSet, 4>& hands, int strain);

    void reset();
    Statistics statistics() const { return search_->statistics(); }
    Search& search() { return *search_; }

private:
    void use_strain(int strain);
    int first_guess(const Position& position) const;

    std::unique_ptr<Search> search_;
    unsigned techniques_;
    int strain_ = -1;
};

// Tables of many deals on several threads: out[deal][strain][leader] is North-South's tricks.
// `progress` counts finished strains. Throws Stopped if `should_stop` says so.
std::vector<std::array<std::array<int, 4>, 5>> solve_tables(const std::vector<std::array<CardSet, 4>>& deals,
                                                            int threads, std::size_t limit_bytes,
                                                            const StopCheck& should_stop,
                                                            std::atomic<std::size_t>& progress,
                                                            const Endings& endings = {});

// Values of many positions on several threads.
std::vector<int> solve_many(const std::vector<Position>& positions, int threads, std::size_t limit_bytes,
                            const StopCheck& should_stop, std::atomic<std::size_t>& progress,
                            const Endings& endings = {});

}  // namespace setrograde

// Outcomes: double-dummy answers for many worlds of one board
//
// One solver is kept for the board, since its table serves every layout of the same strain, and every answer
// is remembered as one bit. Strategy search asks the same questions again and again, most of them about
// positions that another card led to before.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "setrograde/search/solver.hpp"

namespace setrograde {

class Outcomes {
public:
    // All it allocates is within `limit_bytes`, of which an eighth remembers answers.
    Outcomes(std::size_t limit_bytes, StopCheck should_stop, Endings endings = {});

    // Whether North-South take at least `need` of the tricks left, the current one included. Throws Stopped.
    bool ask(const Position& position, int need);

    // The same for one position in each world; `answers` gets a one or a zero for each. Throws Stopped.
    void ask_all(std::span<const Position> positions, int need, std::span<std::uint8_t> answers);

    // Forgets what was learned.
    void reset();

    std::uint64_t asked() const { return asked_; }    // questions, remembered answers included
    std::uint64_t solved() const { return solved_; }  // questions that had to be searched

private:
    Solver solver_;
    std::vector<std::uint64_t> answers_;  // hash of a question with the answer in its lowest bit
    int shift_;
    std::uint64_t asked_ = 0, solved_ = 0;
};

}  // namespace setrograde

// Budget: how much a strategy search may do, how long, and whether it was told to stop
//
// Work is counted in nodes, in outcomes combined and in questions asked, so that a limit falls at the same
// place on every machine. A limit of time does not; it is there for those who must play a card now.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "setrograde/common/stop.hpp"

namespace setrograde {

// Thrown when the budget is used up.
struct BudgetSpent {};

class Budget {
public:
    using Clock = std::chrono::steady_clock;

    explicit Budget(StopCheck should_stop = {}) : should_stop_(std::move(should_stop)) {}

    // From now on there is a limit.
    void limit(std::uint64_t work, double seconds) {
        limit_ = spent_ + std::min(work, ~std::uint64_t{0} - spent_);
        has_deadline_ = seconds < 1e9;
        if (has_deadline_)
            deadline_ =
                Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
    }

    // Throws BudgetSpent, Stopped.
    void spend(std::uint64_t work) {
        spent_ += work;
        if (spent_ > limit_) throw BudgetSpent{};
        since_look_ += work;
        if (since_look_ < BETWEEN_LOOKS) return;
        since_look_ = 0;
        if (has_deadline_ && Clock::now() > deadline_) throw BudgetSpent{};
        if (should_stop_ && should_stop_()) throw Stopped{};
    }

    std::uint64_t spent() const { return spent_; }

private:
    static constexpr std::uint64_t BETWEEN_LOOKS = 256;  // fewer than 256 double-dummy questions

    StopCheck should_stop_;
    std::uint64_t spent_ = 0, limit_ = ~std::uint64_t{0}, since_look_ = 0;
    bool has_deadline_ = false;
    Clock::time_point deadline_;
};

}  // namespace setrograde

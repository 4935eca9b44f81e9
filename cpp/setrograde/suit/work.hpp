// Work: how much a search in one suit may do, and whether it was told to stop
//
// Work is counted in comparisons of outcomes, so that a limit falls at the same place on every machine.
// Time would not: then the answer would depend on the load.
#pragma once

#include <cstdint>
#include <utility>

#include "setrograde/common/stop.hpp"

namespace setrograde {

inline constexpr std::uint64_t ANY_WORK = ~std::uint64_t{0};
inline constexpr std::uint64_t WORK_OF_STATE = 64;            // of a state, besides comparing its outcomes
inline constexpr std::uint64_t WORK_BETWEEN_LOOKS = 1 << 13;  // a few milliseconds

// Thrown by a search that needs more work than it was allowed.
struct WorkLimit {};

class WorkMeter {
public:
    explicit WorkMeter(StopCheck should_stop = {}, std::uint64_t allowed = ANY_WORK)
        : should_stop_(std::move(should_stop)), left_(allowed) {}

    // Counts work against the limit. Throws WorkLimit, Stopped.
    void spend(std::uint64_t work) {
        if (work > left_) throw WorkLimit{};
        left_ -= work;
        pass(work);
    }

    // Work that no limit counts. Throws Stopped.
    void pass(std::uint64_t work) {
        since_look_ += work;
        if (since_look_ < WORK_BETWEEN_LOOKS) return;
        since_look_ = 0;
        if (should_stop_ && should_stop_()) throw Stopped{};
    }

private:
    StopCheck should_stop_;
    std::uint64_t left_, since_look_ = 0;
};

}  // namespace setrograde

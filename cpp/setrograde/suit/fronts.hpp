// Fronts of outcomes: those that no other outcome matches in every lie
//
// An outcome is a bit set of `width` words; one matches another if it contains it. Fronts have up to
// hundreds of thousands of outcomes, so that leaving out what others match is where the time goes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "setrograde/common/stop.hpp"

namespace setrograde {

// More work than was allowed.
struct WorkLimit {};

// Work done in comparisons of outcomes, the same on every machine; looks now and then whether to stop.
class WorkMeter {
public:
    explicit WorkMeter(StopCheck should_stop = {}) : should_stop_(std::move(should_stop)) {}

    void allow(std::uint64_t work) { left_ = work; }
    // Throws WorkLimit, Stopped.
    void spend(std::uint64_t work);

private:
    StopCheck should_stop_;
    std::uint64_t left_ = ~std::uint64_t{0}, unseen_ = 0;
};

// Outcomes one after another.
struct OutcomeFront {
    std::vector<std::uint64_t> bits;
    std::size_t size = 0;
};

void append(OutcomeFront& front, const std::uint64_t* outcome, std::size_t width);
void append(OutcomeFront& front, const OutcomeFront& others);
bool is_covered(const std::uint64_t* outcome, const OutcomeFront& front, std::size_t width);

// Leaves out what another outcome matches.
void thin(OutcomeFront& front, std::size_t width, WorkMeter& meter);

// Outcomes written column by column: for each bit which of 64 outcomes have it. An outcome is matched by
// one of the 64 if something is left of all its columns; with the rare ones first that is settled after
// a few.
class CoverIndex {
public:
    // `front`: outcomes like those to come; what they all win needs no column.
    CoverIndex(const OutcomeFront& front, std::size_t width);

    void add(const std::uint64_t* outcome);
    bool covers(const std::uint64_t* outcome);
    std::size_t blocks() const { return size_ / 64 + 1; }

private:
    std::size_t width_, size_ = 0;
    std::vector<std::size_t> order_;  // bits that differ, rare ones first
    std::vector<std::size_t> place_;  // of each bit in `order_`, from 1; 0 if it does not differ
    std::vector<std::size_t> wanted_;
    std::vector<std::uint64_t> columns_;
};

// Whether outcomes are matched by one of a front: one by one, or with an index where they are many.
class CoverTest {
public:
    CoverTest(const OutcomeFront& front, std::size_t width, WorkMeter& meter);
    bool covers(const std::uint64_t* outcome);
    // Without the outcomes that are matched.
    OutcomeFront rest(const OutcomeFront& front);

private:
    const OutcomeFront& front_;
    std::size_t width_;
    WorkMeter& meter_;
    std::vector<CoverIndex> index_;  // one, or none
};

// The minima of pairs, one outcome of each front, less those that are matched or not `wanted`.
// `counted`: outcomes as they count for the combination.
using IsWanted = std::function<bool(const std::uint64_t*)>;
OutcomeFront minima(const OutcomeFront& front, const OutcomeFront& counted, std::size_t width, WorkMeter& meter,
                    const IsWanted& is_wanted = {});

}  // namespace setrograde

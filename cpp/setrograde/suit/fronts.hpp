// Fronts: the outcomes of one suit that no other outcome matches in every layout
//
// An outcome is a bit set of `width` words; one matches another if it contains it. Fronts have up to
// hundreds of thousands of outcomes, and leaving out those that others match is where the time goes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "setrograde/suit/work.hpp"

namespace setrograde {

// Outcomes one after another.
struct OutcomeFront {
    std::vector<std::uint64_t> bits;
    std::size_t size = 0;

    const std::uint64_t* at(std::size_t i, std::size_t width) const { return bits.data() + i * width; }
};

// Calls `use` with the number of each bit of a word, where its lowest bit is number `first`.
template <typename Use>
void for_each_bit(std::uint64_t word, std::size_t first, Use use) {
    for (; word; word &= word - 1) use(first + static_cast<std::size_t>(std::countr_zero(word)));
}

void append(OutcomeFront& front, const std::uint64_t* outcome, std::size_t width);
void append(OutcomeFront& front, const OutcomeFront& others);
// True if an outcome of the front matches this one.
bool is_covered(const std::uint64_t* outcome, const OutcomeFront& front, std::size_t width);

// Leaves out every outcome that another one matches. Throws WorkLimit, Stopped.
void thin(OutcomeFront& front, std::size_t width, WorkMeter& meter);

// Outcomes written column by column: for each bit, which of 64 outcomes have it. The outcomes that match
// a given one are in all of its columns. With rare bits first, few columns need to be looked at before
// none of the 64 is left.
class CoverIndex {
public:
    // `front`: outcomes like those that will be added; bits that all of them have need no column.
    CoverIndex(const OutcomeFront& front, std::size_t width, WorkMeter& meter);

    void add(const std::uint64_t* outcome);
    bool covers(const std::uint64_t* outcome);
    std::size_t blocks() const { return size_ / 64 + 1; }

private:
    std::size_t width_, size_ = 0;
    std::vector<std::size_t> order_;   // bits that differ, rare ones first
    std::vector<std::size_t> place_;   // of each bit in `order_`, from 1; 0 if it does not differ
    std::vector<std::size_t> wanted_;  // columns of the outcome asked about; kept to save allocations
    std::vector<std::uint64_t> columns_;
};

// Tells whether a front matches outcomes: one by one, or with an index if the front is large.
class CoverTest {
public:
    // The front and the meter must outlive it.
    CoverTest(const OutcomeFront& front, std::size_t width, WorkMeter& meter);
    bool covers(const std::uint64_t* outcome);
    // The outcomes of another front that this one does not match.
    OutcomeFront rest(const OutcomeFront& front);

private:
    const OutcomeFront& front_;
    std::size_t width_;
    WorkMeter& meter_;
    std::optional<CoverIndex> index_;
};

// The minima of all pairs, one outcome of each front, without those that others match or that are not
// wanted. `counted`: the second front, as its outcomes count for the combination.
using IsWanted = std::function<bool(const std::uint64_t*)>;
OutcomeFront minima(const OutcomeFront& front, const OutcomeFront& counted, std::size_t width, WorkMeter& meter,
                    const IsWanted& is_wanted = {});

}  // namespace setrograde

#include "setrograde/suit/fronts.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "setrograde/common/hash.hpp"

namespace setrograde {

namespace {

// Fewer outcomes than FEW are compared one by one. About BATCH minima are written down before those that
// others match are left out.
constexpr std::size_t FEW = 64;
constexpr std::size_t BATCH = 1 << 14;

bool is_within(const std::uint64_t* inner, const std::uint64_t* outer, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i)
        if (inner[i] & ~outer[i]) return false;
    return true;
}

template <typename Use>
void for_each_bit_of(const std::uint64_t* outcome, std::size_t width, Use use) {
    for (std::size_t i = 0; i < width; ++i) for_each_bit(outcome[i], 64 * i, use);
}

// Places in a front, the largest sets first: then none is matched by a later one, unless they are equal.
std::vector<std::size_t> largest_first(const OutcomeFront& front, std::size_t width) {
    std::vector<std::pair<int, std::size_t>> order(front.size);
    for (std::size_t i = 0; i < front.size; ++i) {
        int count = 0;
        for (std::size_t k = 0; k < width; ++k) count += std::popcount(front.at(i, width)[k]);
        order[i] = {-count, i};
    }
    std::ranges::sort(order);
    std::vector<std::size_t> places(front.size);
    std::ranges::transform(order, places.begin(), [](const auto& entry) { return entry.second; });
    return places;
}

// Remembers where outcomes were written lately, to write none of them twice. Many minima are the same.
class RecentOutcomes {
public:
    RecentOutcomes(std::size_t most, std::size_t width) : width_(width), places_(std::bit_ceil(most)) {}

    // Appends the outcome unless it was found lately.
    void append_new(OutcomeFront& front, const std::vector<std::uint64_t>& outcome) {
        std::size_t& place = places_[hash_of(outcome) & (places_.size() - 1)];
        if (place && std::ranges::equal(outcome, std::span(front.at(place - 1, width_), width_))) return;
        append(front, outcome.data(), width_);
        place = front.size;
    }
    void forget() { std::ranges::fill(places_, 0); }

private:
    std::size_t width_;
    std::vector<std::size_t> places_;  // from 1
};

}  // namespace

void append(OutcomeFront& front, const std::uint64_t* outcome, std::size_t width) {
    front.bits.insert(front.bits.end(), outcome, outcome + width);
    ++front.size;
}

void append(OutcomeFront& front, const OutcomeFront& others) {
    front.bits.insert(front.bits.end(), others.bits.begin(), others.bits.end());
    front.size += others.size;
}

bool is_covered(const std::uint64_t* outcome, const OutcomeFront& front, std::size_t width) {
    for (std::size_t i = 0; i < front.size; ++i)
        if (is_within(outcome, front.at(i, width), width)) return true;
    return false;
}

CoverIndex::CoverIndex(const OutcomeFront& front, std::size_t width, WorkMeter& meter)
    : width_(width), place_(64 * width) {
    std::vector<std::size_t> counts(64 * width);
    for (std::size_t i = 0; i < front.size; ++i) {
        meter.pass(width);
        for_each_bit_of(front.at(i, width), width, [&](std::size_t bit) { ++counts[bit]; });
    }
    for (std::size_t bit = 0; bit < counts.size(); ++bit)
        if (counts[bit] < front.size) order_.push_back(bit);
    std::ranges::sort(order_, {}, [&](std::size_t bit) { return counts[bit]; });
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i + 1;
}

void CoverIndex::add(const std::uint64_t* outcome) {
    if (size_ % 64 == 0) columns_.resize(columns_.size() + order_.size());
    std::uint64_t* block = columns_.data() + size_ / 64 * order_.size();
    for_each_bit_of(outcome, width_, [&](std::size_t bit) {
        if (place_[bit]) block[place_[bit] - 1] |= std::uint64_t{1} << size_ % 64;
    });
    ++size_;
}

bool CoverIndex::covers(const std::uint64_t* outcome) {
    wanted_.clear();
    for (std::size_t i = 0; i < order_.size(); ++i)
        if (outcome[order_[i] / 64] >> order_[i] % 64 & 1) wanted_.push_back(i);
    for (std::size_t start = 0; start < size_; start += 64) {
        const std::uint64_t* block = columns_.data() + start / 64 * order_.size();
        const std::size_t count = std::min<std::size_t>(64, size_ - start);
        std::uint64_t left = ~std::uint64_t{0} >> (64 - count);
        for (const std::size_t i : wanted_) {
            left &= block[i];
            if (!left) break;
        }
        if (left) return true;
    }
    return false;
}

CoverTest::CoverTest(const OutcomeFront& front, std::size_t width, WorkMeter& meter)
    : front_(front), width_(width), meter_(meter) {
    if (front.size < FEW) return;
    index_.emplace(front, width, meter);
    for (std::size_t i = 0; i < front.size; ++i) index_->add(front.at(i, width));
}

bool CoverTest::covers(const std::uint64_t* outcome) {
    meter_.spend(index_ ? index_->blocks() : 1);
    return index_ ? index_->covers(outcome) : is_covered(outcome, front_, width_);
}

OutcomeFront CoverTest::rest(const OutcomeFront& front) {
    if (front_.size == 0) return front;
    OutcomeFront kept;
    for (std::size_t i = 0; i < front.size; ++i)
        if (!covers(front.at(i, width_))) append(kept, front.at(i, width_), width_);
    return kept;
}

void thin(OutcomeFront& front, std::size_t width, WorkMeter& meter) {
    if (front.size < 2) return;
    OutcomeFront kept;
    if (front.size < FEW) {
        meter.spend(front.size);
        for (const std::size_t i : largest_first(front, width))
            if (!is_covered(front.at(i, width), kept, width)) append(kept, front.at(i, width), width);
    } else {
        CoverIndex index(front, width, meter);
        for (const std::size_t i : largest_first(front, width)) {
            meter.spend(index.blocks());
            if (index.covers(front.at(i, width))) continue;
            index.add(front.at(i, width));
            append(kept, front.at(i, width), width);
        }
    }
    front = std::move(kept);
}

OutcomeFront minima(const OutcomeFront& front, const OutcomeFront& counted, std::size_t width, WorkMeter& meter,
                    const IsWanted& is_wanted) {
    RecentOutcomes recent(std::min(front.size * counted.size, BATCH), width);
    std::size_t limit = BATCH;
    OutcomeFront combined;
    std::vector<std::uint64_t> minimum(width);
    for (std::size_t j = 0; j < counted.size; ++j) {
        meter.spend(front.size);
        for (std::size_t i = 0; i < front.size; ++i) {
            for (std::size_t k = 0; k < width; ++k) minimum[k] = front.at(i, width)[k] & counted.at(j, width)[k];
            if (is_wanted && !is_wanted(minimum.data())) continue;
            recent.append_new(combined, minimum);
        }
        if (combined.size > limit) {
            thin(combined, width, meter);
            recent.forget();
            limit = 2 * combined.size + BATCH;
        }
    }
    thin(combined, width, meter);
    return combined;
}

}  // namespace setrograde

#include "setrograde/suit/fronts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace setrograde {

namespace {

// Fewer than FEW outcomes are compared one by one, and about BATCH are written down before those that
// others match are left out.
constexpr std::size_t FEW = 64;
constexpr std::size_t BATCH = 1 << 14;
constexpr std::uint64_t WORK_BETWEEN_LOOKS = 1 << 16;

bool is_within(const std::uint64_t* inner, const std::uint64_t* outer, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i)
        if (inner[i] & ~outer[i]) return false;
    return true;
}

std::size_t hash_of(const std::vector<std::uint64_t>& words) {
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = (hash ^ word ^ hash >> 29) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 32;
}

template <typename Use>
void for_each_bit(const std::uint64_t* outcome, std::size_t width, Use use) {
    for (std::size_t i = 0; i < width; ++i)
        for (std::uint64_t word = outcome[i]; word; word &= word - 1)
            use(64 * i + static_cast<std::size_t>(std::countr_zero(word)));
}

}  // namespace

void WorkMeter::spend(std::uint64_t work) {
    if (work > left_) throw WorkLimit{};
    left_ -= work;
    unseen_ += work;
    if (unseen_ < WORK_BETWEEN_LOOKS) return;
    unseen_ = 0;
    if (should_stop_ && should_stop_()) throw Stopped{};
}

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
        if (is_within(outcome, front.bits.data() + i * width, width)) return true;
    return false;
}

CoverIndex::CoverIndex(const OutcomeFront& front, std::size_t width) : width_(width), place_(64 * width) {
    std::vector<std::size_t> counts(64 * width);
    for (std::size_t i = 0; i < front.size; ++i)
        for_each_bit(front.bits.data() + i * width, width, [&](std::size_t bit) { ++counts[bit]; });
    for (std::size_t bit = 0; bit < counts.size(); ++bit)
        if (counts[bit] < front.size) order_.push_back(bit);
    std::ranges::sort(order_, {}, [&](std::size_t bit) { return counts[bit]; });
    for (std::size_t i = 0; i < order_.size(); ++i) place_[order_[i]] = i + 1;
}

void CoverIndex::add(const std::uint64_t* outcome) {
    if (size_ % 64 == 0) columns_.resize(columns_.size() + order_.size());
    std::uint64_t* block = columns_.data() + size_ / 64 * order_.size();
    for_each_bit(outcome, width_, [&](std::size_t bit) {
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
    index_.emplace_back(front, width);
    for (std::size_t i = 0; i < front.size; ++i) index_[0].add(front.bits.data() + i * width);
}

bool CoverTest::covers(const std::uint64_t* outcome) {
    meter_.spend(index_.empty() ? 1 : index_[0].blocks());
    return index_.empty() ? is_covered(outcome, front_, width_) : index_[0].covers(outcome);
}

OutcomeFront CoverTest::rest(const OutcomeFront& front) {
    if (front_.size == 0) return front;
    OutcomeFront kept;
    for (std::size_t i = 0; i < front.size; ++i) {
        const std::uint64_t* outcome = front.bits.data() + i * width_;
        if (!covers(outcome)) append(kept, outcome, width_);
    }
    return kept;
}

// The largest sets first: then one that is kept is never matched by a later one.
void thin(OutcomeFront& front, std::size_t width, WorkMeter& meter) {
    if (front.size < 2) return;
    std::vector<std::pair<int, std::size_t>> order(front.size);
    for (std::size_t i = 0; i < front.size; ++i) {
        int count = 0;
        for (std::size_t k = 0; k < width; ++k) count += std::popcount(front.bits[i * width + k]);
        order[i] = {-count, i};
    }
    std::ranges::sort(order);
    OutcomeFront kept;
    if (front.size < FEW) {
        meter.spend(front.size);
        for (const auto& [count, i] : order) {
            const std::uint64_t* outcome = front.bits.data() + i * width;
            if (!is_covered(outcome, kept, width)) append(kept, outcome, width);
        }
    } else {
        CoverIndex index(front, width);
        for (const auto& [count, i] : order) {
            const std::uint64_t* outcome = front.bits.data() + i * width;
            meter.spend(index.blocks());
            if (index.covers(outcome)) continue;
            index.add(outcome);
            append(kept, outcome, width);
        }
    }
    front = std::move(kept);
}

// Many of the minima are the same; those seen lately are not written again.
OutcomeFront minima(const OutcomeFront& front, const OutcomeFront& counted, std::size_t width, WorkMeter& meter,
                    const IsWanted& is_wanted) {
    const std::size_t pairs = front.size * counted.size;
    std::vector<std::size_t> recent(std::bit_ceil(std::min(pairs, BATCH)));  // places, from 1
    std::size_t limit = BATCH;
    OutcomeFront combined;
    std::vector<std::uint64_t> minimum(width);
    for (std::size_t j = 0; j < counted.size; ++j) {
        meter.spend(front.size);
        for (std::size_t i = 0; i < front.size; ++i) {
            for (std::size_t k = 0; k < width; ++k)
                minimum[k] = front.bits[i * width + k] & counted.bits[j * width + k];
            if (is_wanted && !is_wanted(minimum.data())) continue;
            std::size_t& place = recent[hash_of(minimum) & (recent.size() - 1)];
            const std::uint64_t* seen = combined.bits.data() + (place ? place - 1 : 0) * width;
            if (place && std::equal(minimum.begin(), minimum.end(), seen)) continue;
            append(combined, minimum.data(), width);
            place = combined.size;
        }
        if (combined.size > limit) {
            thin(combined, width, meter);
            std::ranges::fill(recent, 0);
            limit = 2 * combined.size + BATCH;
        }
    }
    thin(combined, width, meter);
    return combined;
}

}  // namespace setrograde

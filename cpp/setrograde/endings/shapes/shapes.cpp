#include "setrograde/endings/shapes/shapes.hpp"

#include <algorithm>
#include <iterator>

namespace setrograde {

namespace {

// No player has more cards in the split than in the box: no field of the difference borrows.
constexpr bool fits(Split split, Split box) {
    const std::uint32_t low = 0x0F0F, even = split & low, odd = split >> 4 & low;
    return ((((box & low) | 0x1010) - even) & 0x1010) == 0x1010 &&
           ((((box >> 4 & low) | 0x1010) - odd) & 0x1010) == 0x1010;
}

}  // namespace

std::uint64_t count_strings(Split split) {
    std::uint64_t ways = 1;
    int cards = 0;
    for (int player = 0; player < PLAYERS; ++player)
        for (int i = 1; i <= held(split, player); ++i)
            ways = ways * static_cast<std::uint64_t>(++cards) / static_cast<std::uint64_t>(i);
    return ways;
}

int Shape::tricks() const {
    int cards = 0;
    for (Split split : suits) cards += held(split, 0);
    return cards;
}

std::uint64_t Shape::layouts() const {
    std::uint64_t product = 1;
    for (Split split : suits) product *= count_strings(split);
    return product;
}

Canonical canonical(const Shape& shape) {
    Canonical result{shape, {0, 1, 2, 3}};
    result.shape.has_trumps = shape.has_trumps && shape.suits[3];
    const std::size_t sides = result.shape.has_trumps ? 3 : 4;
    std::array<std::uint32_t, 4> keys;
    for (std::size_t i = 0; i < 4; ++i) keys[i] = sort_key(shape.suits[i]);
    for (std::size_t i = 1; i < sides; ++i)
        for (std::size_t j = i; j > 0 && keys[j] < keys[j - 1]; --j) {
            std::swap(keys[j], keys[j - 1]);
            std::swap(result.from[j], result.from[j - 1]);
        }
    for (std::size_t i = 0; i < 4; ++i) result.shape.suits[i] = shape.suits[result.from[i]];
    return result;
}

// `in_box`: for each box, the splits that fit in it, in ascending order. Taking a split from a box
// reverses the order, so the third suits that go with two others lie side by side.
void ShapeIndex::list_families(const std::vector<std::vector<Split>>& in_box) {
    std::uint32_t rank = 0;
    for (const bool trumps : {false, true}) {
        const int sides = trumps ? 3 : 4;
        for (std::size_t i = 0; i < splits_.size() && length(splits_[i]) * sides <= 4 * tricks_; ++i) {
            const Split first = splits_[i], left = static_cast<Split>(full_ - first);
            const int longest = length(left) / (sides - 1);
            for (std::size_t j = i; j < splits_.size() && length(splits_[j]) <= longest; ++j) {
                const Split second = splits_[j];
                if (!fits(second, left)) continue;
                const Split box = static_cast<Split>(left - second);
                const std::vector<Split>& thirds = in_box[radix(box)];
                const int shortest = std::max(length(second), length(box) - LONGEST_SUIT);
                const auto is_early = [&](Split third) {
                    return sort_key(third) < sort_key(second) || length(third) < shortest;
                };
                const auto is_good = [&](Split third) {
                    const Split fourth = static_cast<Split>(box - third);
                    return length(third) <= LONGEST_SUIT &&
                           (trumps ? fourth != 0 : sort_key(fourth) >= sort_key(third));
                };
                const auto from = std::partition_point(thirds.begin(), thirds.end(), is_early);
                const auto to = std::partition_point(from, thirds.end(), is_good);
                if (to == from) continue;
                const auto place = static_cast<std::uint32_t>(from - thirds.begin());
                const auto end = static_cast<std::uint32_t>(to - thirds.begin());
                families_.push_back({rank, place, end, first, second, trumps});
                base_[trumps][radix(first) * radixes_ + radix(second)] = rank - place;
                rank += end - place;
            }
        }
    }
    size_ = rank;
}

ShapeIndex::ShapeIndex(int tricks) : tricks_(tricks), full_(static_cast<Split>(0x1111 * tricks)) {
    const auto n = static_cast<std::uint32_t>(tricks + 1);
    radixes_ = n * n * n * n;
    for (std::uint32_t code = 0; code <= full_; ++code) {
        const auto split = static_cast<Split>(code);
        if (fits(split, full_)) splits_.push_back(split);
    }
    std::sort(splits_.begin(), splits_.end(), [](Split a, Split b) { return sort_key(a) < sort_key(b); });
    place_.resize(std::size_t{radixes_} * radixes_);
    std::vector<std::vector<Split>> in_box(radixes_);
    for (const Split box : splits_) {
        std::vector<Split>& inside = in_box[radix(box)];
        std::uint16_t* const places = &place_[radix(box) * radixes_];
        for (const Split split : splits_) {
            if (!fits(split, box)) continue;
            places[radix(split)] = static_cast<std::uint16_t>(inside.size());
            inside.push_back(split);
        }
    }
    for (auto& base : base_) base.resize(std::size_t{radixes_} * radixes_);
    list_families(in_box);
}

// Calls visit(shape) for the shapes of a family in order.
template <class Visit>
void ShapeIndex::visit(const Family& family, Visit visit) const {
    const Split box = static_cast<Split>(full_ - family.first - family.second);
    std::uint32_t place = 0;
    for (const Split third : splits_) {
        if (!fits(third, box)) continue;
        if (place >= family.from && place < family.to)
            visit(Shape{{family.first, family.second, third, static_cast<Split>(box - third)}, family.trumps});
        ++place;
    }
}

Shape ShapeIndex::shape(std::size_t rank) const {
    const auto after = std::upper_bound(families_.begin(), families_.end(), rank,
                                        [](std::size_t r, const Family& f) { return r < f.rank; });
    const Family& family = *std::prev(after);
    Shape found;
    std::size_t at = family.rank;
    visit(family, [&](const Shape& shape) {
        if (at++ == rank) found = shape;
    });
    return found;
}

std::vector<Shape> ShapeIndex::shapes(const StopCheck& should_stop) const {
    std::vector<Shape> all;
    all.reserve(size_);
    for (std::size_t i = 0; i < families_.size(); ++i) {
        if (i % 256 == 0 && should_stop && should_stop()) throw Stopped{};
        visit(families_[i], [&](const Shape& shape) { all.push_back(shape); });
    }
    return all;
}

}  // namespace setrograde

#include "setrograde/endings/sets/compaction.hpp"

#include <algorithm>
#include <utility>

namespace setrograde {

namespace {

// How many parts a set may fall into before it is kept without more ado.
constexpr std::size_t MOST_PARTS = 200;

void sort_largest_first(const MaskFields& fields, std::vector<EndingSet>& sets) {
    std::vector<std::pair<std::uint64_t, EndingSet>> counted;
    counted.reserve(sets.size());
    for (const EndingSet& set : sets) counted.emplace_back(fields.count(set.masks), set);
    std::stable_sort(counted.begin(), counted.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (std::size_t i = 0; i < sets.size(); ++i) sets[i] = counted[i].second;
}

// Widens sets against those of other values.
class Expansion {
public:
    Expansion(const MaskFields& fields, const std::vector<EndingSet>& sets) : fields_(fields), all_(sets), left_(sets) {
        for (EndingSet& set : left_) set.masks = fields.tightened(set.masks);
        done_.assign(left_.size(), false);
    }

    std::vector<EndingSet> run(const StopCheck& should_stop) {
        std::vector<EndingSet> wide;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            if (done_[i]) continue;
            if (should_stop()) throw Stopped{};
            const EndingSet set = widened(left_[i]);
            wide.push_back(set);
            for (std::size_t j = i; j < left_.size(); ++j)
                if (left_[j].value == set.value && MaskFields::holds(set.masks, left_[j].masks)) done_[j] = true;
        }
        return wide;
    }

private:
    // First by other sets whole, which makes these superfluous, then by single owners of a card.
    EndingSet widened(EndingSet set) const {
        for (std::size_t i = 0; i < left_.size(); ++i)
            if (!done_[i] && left_[i].value == set.value) widen(set, left_[i].masks);
        for (int bit = 4 * fields_.cards() - 1; bit >= 0; --bit) widen(set, Masks{1} << bit);
        return set;
    }

    void widen(EndingSet& set, Masks more) const {
        const Masks wider = set.masks | more;
        if (wider == set.masks) return;
        for (const EndingSet& other : all_)
            if (other.value != set.value && fields_.overlaps(wider, other.masks)) return;
        set.masks = wider;
    }

    const MaskFields& fields_;
    const std::vector<EndingSet>& all_;
    std::vector<EndingSet> left_;
    std::vector<bool> done_;  // inside a set that was widened
};

// Drops sets, the smallest first, all of whose endings are in others.
void drop_superfluous(const MaskFields& fields, std::vector<EndingSet>& sets, const StopCheck& should_stop) {
    sort_largest_first(fields, sets);
    std::vector<Masks> rest, parts;
    const auto is_superfluous = [&](std::size_t i) {
        rest.assign(1, sets[i].masks);
        for (std::size_t j = 0; j < sets.size() && !rest.empty(); ++j) {
            if (j == i || sets[j].value != sets[i].value) continue;
            parts.clear();
            for (const Masks part : rest) fields.subtract(part, sets[j].masks, parts);
            rest.swap(parts);
            if (rest.size() > MOST_PARTS) return false;
        }
        return rest.empty();
    };
    for (std::size_t i = sets.size(); i-- > 0;) {
        if (should_stop()) throw Stopped{};
        if (is_superfluous(i)) sets.erase(sets.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// The same set without owners who have no card of the suit; with them where it makes an x.
Masks tidied(const MaskFields& fields, Masks masks) {
    Masks tidy = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const SuitField& field = fields[suit];
        Masks holders = 0;
        for (int player = 0; player < PLAYERS; ++player)
            if (held(field.split, player) > 0) holders |= Masks{1} << player;
        for (int card = field.first; card < field.first + field.cards; ++card) {
            const Masks owners = masks >> (4 * card) & holders;
            tidy |= (owners == holders ? ANYONE : owners) << (4 * card);
        }
    }
    return tidy;
}

}  // namespace

std::vector<EndingSet> united(const MaskFields& fields, std::vector<EndingSet> sets) {
    for (std::size_t before = 0; before != sets.size();) {
        before = sets.size();
        for (int card = fields.cards() - 1; card >= 0; --card) {
            const Masks others = ~(ANYONE << (4 * card));
            const auto key = [others](const EndingSet& set) { return std::pair(set.value, set.masks & others); };
            std::stable_sort(sets.begin(), sets.end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
            std::size_t kept = 0;
            for (const EndingSet& set : sets)
                if (kept > 0 && key(sets[kept - 1]) == key(set))
                    sets[kept - 1].masks |= set.masks;
                else
                    sets[kept++] = set;
            sets.resize(kept);
        }
    }
    return sets;
}

std::vector<EndingSet> compacted(const MaskFields& fields, std::vector<EndingSet> sets, const StopCheck& should_stop) {
    sets = united(fields, std::move(sets));
    sort_largest_first(fields, sets);
    sets = Expansion(fields, sets).run(should_stop);
    drop_superfluous(fields, sets, should_stop);
    for (EndingSet& set : sets) set.masks = tidied(fields, set.masks);
    return sets;
}

}  // namespace setrograde

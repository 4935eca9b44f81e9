#include "set_query.hpp"

#include <algorithm>
#include <numeric>

namespace setrograde {

namespace {

constexpr bool fits(Split split, Split box) {
    for (int player = 0; player < PLAYERS; ++player)
        if (held(split, player) > held(box, player)) return false;
    return true;
}

// One suit of the set: in how many ways its lowest cards can be shared out.
class SuitWays {
public:
    SuitWays(const std::vector<std::uint8_t>& masks, int tricks)
        : masks_(masks), base_(static_cast<std::size_t>(tricks) + 1), splits_(base_ * base_ * base_ * base_) {
        ways_.assign((masks.size() + 1) * splits_, 0);
        ways_[0] = 1;
        std::vector<Split> reached{0};
        for (std::size_t unread = 1; unread <= masks.size(); ++unread) {
            std::vector<Split> next;
            for (const Split split : reached) {
                for (int owner = 0; owner < PLAYERS; ++owner) {
                    if (!(mask(static_cast<int>(unread)) >> owner & 1) || held(split, owner) == tricks) continue;
                    const Split more = static_cast<Split>(split + one_card(owner));
                    std::uint64_t& ways = ways_[unread * splits_ + radix(more)];
                    if (!ways) next.push_back(more);
                    ways += ways_[(unread - 1) * splits_ + radix(split)];
                }
            }
            reached = std::move(next);
        }
        full_ = std::move(reached);
        std::sort(full_.begin(), full_.end());
    }

    unsigned mask(int unread) const { return masks_[masks_.size() - static_cast<std::size_t>(unread)]; }
    std::uint64_t ways(Split left) const {
        return ways_[static_cast<std::size_t>(length(left)) * splits_ + radix(left)];
    }
    // Splits of the whole suit that occur.
    const std::vector<Split>& splits() const { return full_; }

private:
    std::size_t radix(Split split) const {
        std::size_t code = 0;
        for (int player = 0; player < PLAYERS; ++player)
            code = code * base_ + static_cast<std::size_t>(held(split, player));
        return code;
    }

    const std::vector<std::uint8_t>& masks_;
    std::size_t base_, splits_;
    std::vector<std::uint64_t> ways_;  // [unread][split]
    std::vector<Split> full_;
};

// VALUES: one more than the tricks, or more.
template <std::size_t VALUES>
class Query {
public:
    Query(const DiagramLevel& level, const DealSet& set)
        : level_(level), set_(set), suits_{SuitWays(set.masks[0], level.tricks()), SuitWays(set.masks[1], level.tricks()),
                                           SuitWays(set.masks[2], level.tricks()), SuitWays(set.masks[3], level.tricks())} {
    }

    SetAnswer run(const StopCheck& should_stop) {
        SetAnswer answer;
        const auto box = static_cast<Split>(0x1111 * level_.tricks());
        Histogram sum{};
        std::array<std::vector<Split>, 4> splits;
        for (std::size_t suit = 0; suit < 4; ++suit)
            for (const Split split : suits_[suit].splits())
                if (is_allowed(suit, split)) splits[suit].push_back(split);
        std::array<Split, 4> suits;
        for (const Split first : splits[0]) {
            if (!fits(first, box)) continue;
            suits[0] = first;
            const auto left = static_cast<Split>(box - first);
            for (const Split second : splits[1]) {
                if (!fits(second, left)) continue;
                if (should_stop()) throw Stopped{};
                suits[1] = second;
                const auto rest = static_cast<Split>(left - second);
                for (const Split third : splits[2]) {
                    if (!fits(third, rest)) continue;
                    suits[2] = third;
                    suits[3] = static_cast<Split>(rest - third);
                    if (!std::binary_search(splits[3].begin(), splits[3].end(), suits[3])) continue;
                    add_shape(suits, sum);
                    ++answer.shapes;
                }
            }
        }
        std::copy(sum.begin(), sum.end(), answer.deals.begin());
        return answer;
    }

private:
    using Histogram = std::array<std::uint64_t, VALUES>;

    // What is left to walk: an edge, the unread cards of its suit, and those suits to come that it
    // may ask about.
    struct Key {
        Edge edge;
        std::uint32_t left_and_suit;
        std::uint64_t coming;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key{NO_EDGE, 0, 0};
        Histogram counts{};  // over the cards of these suits alone
    };
    static constexpr std::size_t FIRST_ENTRIES = 1 << 12, MOST_ENTRIES = 1 << 20;

    bool is_allowed(std::size_t suit, Split split) const {
        for (int player = 0; player < PLAYERS; ++player) {
            const auto p = static_cast<std::size_t>(player);
            if (held(split, player) < set_.least[p][suit] || held(split, player) > set_.most[p][suit]) return false;
        }
        return true;
    }

    void add_shape(const std::array<Split, 4>& suits, Histogram& sum) {
        // Trumps last, as a shape has them; `from` leads back to the suits of the set.
        std::array<std::uint8_t, 4> order{0, 1, 2, 3};
        if (set_.strain < NOTRUMP) std::swap(order[static_cast<std::size_t>(set_.strain)], order[3]);
        Shape shape;
        for (std::size_t i = 0; i < 4; ++i) shape.suits[i] = suits[order[i]];
        shape.has_trumps = set_.strain < NOTRUMP;
        const Canonical found = canonical(shape);
        contents_ = found.shape.suits;
        for (std::size_t i = 0; i < 4; ++i) from_[i] = order[found.from[i]];
        for (std::size_t i = 0; i < 4; ++i) {
            whole_[i] = suits_[from_[i]].ways(contents_[i]);
            // 18 bits a suit: which, and its split.
            parts_[i] = i ? (std::uint64_t{from_[i]} << 16 | contents_[i]) << (18 * (i - 1)) : 0;
        }
        add(level_.root(level_.index().rank(found.shape)), 0, contents_[0], 0b1110, 1, sum);
    }

    // Ways to share out the suits after `suit` that are in `scope`.
    std::uint64_t ways_after(std::size_t suit, unsigned scope) const {
        std::uint64_t ways = 1;
        for (std::size_t later = suit + 1; later < 4; ++later)
            if (scope >> later & 1) ways *= whole_[later];
        return ways;
    }

    // Adds `times` the counts behind an edge. `left` of the suit at hand are unread; of the suits
    // after it those in `scope` are to be shared out.
    void add(Edge edge, std::size_t suit, Split left, unsigned scope, std::uint64_t times, Histogram& sum) {
        if (is_value(edge)) {
            if (target_of(edge) >= VALUES) level_.refuse_edge();
            sum[target_of(edge)] += times * suits_[from_[suit]].ways(left) * ways_after(suit, scope);
            return;
        }
        const auto asked = static_cast<std::size_t>(suit_of_tag(tag_of(edge)));
        if (asked < suit) level_.refuse_edge();
        if (asked > suit) {
            times *= suits_[from_[suit]].ways(left);
            for (++suit; suit < asked; ++suit)
                if (scope >> suit & 1) times *= whole_[suit];
            left = contents_[suit];
        }
        const int unread = length(left);
        if (unread_of_tag(tag_of(edge)) > unread) level_.refuse_edge();
        const unsigned support = level_.support(edge) & scope;
        times *= ways_after(suit, scope & ~support);
        if (!times) return;
        Key key{edge, std::uint32_t{from_[suit]} << 16 | left, 0};
        for (std::size_t later = suit + 1; later < 4; ++later)
            if (support >> later & 1) key.coming |= parts_[later];
        if (const Entry& entry = *find(key); entry.key == key) {
            for (std::size_t v = 0; v < VALUES; ++v) sum[v] += times * entry.counts[v];
            return;
        }
        Histogram counts{};
        const bool asks = unread_of_tag(tag_of(edge)) == unread;
        for (int owner = 0; owner < PLAYERS; ++owner) {
            if (!(suits_[from_[suit]].mask(unread) >> owner & 1) || !held(left, owner)) continue;
            add(asks ? level_.follow(edge, owner) : edge, suit, static_cast<Split>(left - one_card(owner)),
                support, 1, counts);
        }
        for (std::size_t v = 0; v < VALUES; ++v) sum[v] += times * counts[v];
        remember(key, counts);
    }

    Entry* find(const Key& key) {
        const std::size_t mask = entries_.size() - 1;
        std::size_t i = mix(mix(key.edge, key.left_and_suit), key.coming) >> 16 & mask;
        while (entries_[i].key != key && entries_[i].key.edge != NO_EDGE) i = (i + 1) & mask;
        return &entries_[i];
    }

    void remember(const Key& key, const Histogram& counts) {
        if (++used_ * 2 > entries_.size()) {
            std::vector<Entry> old(std::min(entries_.size() * 2, MOST_ENTRIES));
            old.swap(entries_);
            used_ = 1;
            if (old.size() < MOST_ENTRIES)
                for (const Entry& entry : old)
                    if (entry.key.edge != NO_EDGE) {
                        *find(entry.key) = entry;
                        ++used_;
                    }
        }
        *find(key) = {key, counts};
    }

    const DiagramLevel& level_;
    const DealSet& set_;
    std::array<SuitWays, 4> suits_;
    // The shape at hand, in the order of the diagram.
    std::array<Split, 4> contents_{};
    std::array<std::uint8_t, 4> from_{};
    std::array<std::uint64_t, 4> whole_{};   // ways to share out each suit
    std::array<std::uint64_t, 4> parts_{};   // of keys
    std::vector<Entry> entries_ = std::vector<Entry>(FIRST_ENTRIES);
    std::size_t used_ = 0;
};

}  // namespace

bool is_set_of(const DealSet& set, int tricks) {
    std::size_t cards = 0;
    for (const auto& masks : set.masks) {
        if (masks.size() > LONGEST_SUIT) return false;
        if (std::any_of(masks.begin(), masks.end(), [](std::uint8_t mask) { return mask > 15; })) return false;
        cards += masks.size();
    }
    return cards == static_cast<std::size_t>(4 * tricks) && set.strain >= 0 && set.strain <= NOTRUMP;
}

SetAnswer query(const DiagramLevel& level, const DealSet& set, const StopCheck& should_stop) {
    // Entries of the memory fill a cache line each up to five tricks.
    if (level.tricks() <= 5) return Query<6>(level, set).run(should_stop);
    return Query<MAX_INDEXED_TRICKS + 1>(level, set).run(should_stop);
}

}  // namespace setrograde

#include "set_query.hpp"

#include <algorithm>
#include <numeric>

namespace setrograde {

namespace {

constexpr std::size_t VALUES = MAX_INDEXED_TRICKS + 1;
using Histogram = std::array<std::uint64_t, VALUES>;

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

class Query {
public:
    Query(const DiagramLevel& level, const DealSet& set)
        : level_(level), set_(set), suits_{SuitWays(set.masks[0], level.tricks()), SuitWays(set.masks[1], level.tricks()),
                                           SuitWays(set.masks[2], level.tricks()), SuitWays(set.masks[3], level.tricks())} {
        entries_.resize(FIRST_ENTRIES);
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
    static constexpr std::size_t FIRST_ENTRIES = 1 << 12, MOST_ENTRIES = 1 << 20;

    // What is left to walk: an edge, the unread cards of its suit, the suits to come.
    struct Key {
        Edge edge;
        std::uint32_t left_and_suit;
        std::uint64_t coming;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key{NO_EDGE, 0, 0};
        Histogram counts{};
    };

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
        coming_[3] = 0;
        tail_[4] = 1;
        for (std::size_t i = 4; i-- > 0;) {
            tail_[i] = tail_[i + 1] * suits_[from_[i]].ways(contents_[i]);
            // 18 bits a suit: which, and its split.
            if (i > 0) coming_[i - 1] = coming_[i] << 18 | std::uint64_t{from_[i]} << 16 | contents_[i];
        }
        add(level_.root(level_.index().rank(found.shape)), 0, contents_[0], 1, sum);
    }

    // Adds `times` the counts behind an edge, `left` of the suit at hand being unread.
    void add(Edge edge, std::size_t suit, Split left, std::uint64_t times, Histogram& sum) {
        if (is_value(edge)) {
            if (target_of(edge) >= VALUES) level_.refuse_edge();
            sum[target_of(edge)] += times * suits_[from_[suit]].ways(left) * tail_[suit + 1];
            return;
        }
        const auto asked = static_cast<std::size_t>(suit_of_tag(tag_of(edge)));
        if (asked < suit) level_.refuse_edge();
        if (asked > suit) {
            times *= suits_[from_[suit]].ways(left);
            for (++suit; suit < asked; ++suit) times *= suits_[from_[suit]].ways(contents_[suit]);
            left = contents_[suit];
        }
        if (!times) return;
        const int unread = length(left);
        if (unread_of_tag(tag_of(edge)) > unread) level_.refuse_edge();
        const Key key{edge, std::uint32_t{from_[suit]} << 16 | left, coming_[suit]};
        if (const Entry& entry = *find(key); entry.key == key) {
            for (std::size_t v = 0; v < VALUES; ++v) sum[v] += times * entry.counts[v];
            return;
        }
        Histogram counts{};
        const bool asks = unread_of_tag(tag_of(edge)) == unread;
        for (int owner = 0; owner < PLAYERS; ++owner) {
            if (!(suits_[from_[suit]].mask(unread) >> owner & 1) || !held(left, owner)) continue;
            add(asks ? level_.follow(edge, owner) : edge, suit, static_cast<Split>(left - one_card(owner)), 1, counts);
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
    std::array<std::uint64_t, 5> tail_{};    // ways for the suits from here on
    std::array<std::uint64_t, 4> coming_{};
    std::vector<Entry> entries_;
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
    return Query(level, set).run(should_stop);
}

}  // namespace setrograde

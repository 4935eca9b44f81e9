#include "setrograde/endings/queries/set_query.hpp"

#include <algorithm>
#include <memory>

#include "setrograde/endings/shapes/suit_ways.hpp"

namespace setrograde {

namespace {

constexpr bool fits(Split split, Split box) {
    for (int player = 0; player < PLAYERS; ++player)
        if (held(split, player) > held(box, player)) return false;
    return true;
}

// VALUES: one more than the tricks, or more.
template <std::size_t VALUES>
class Query {
public:
    Query(const ShapeIndex& index, const DealSet& set)
        : index_(index),
          set_(set),
          suits_{SuitWays(set.masks[0], index.tricks()), SuitWays(set.masks[1], index.tricks()),
                 SuitWays(set.masks[2], index.tricks()), SuitWays(set.masks[3], index.tricks())} {
        for (std::uint8_t suit = 0; suit < 4; ++suit) {
            alike_[suit] = suit;
            for (std::uint8_t other = 0; other < suit && alike_[suit] == suit; ++other)
                if (are_alike(suit, other)) alike_[suit] = other;
        }
    }

    SetAnswer run(const DiagramLevel& level, const StopCheck& should_stop) {
        level_ = &level;
        SetAnswer answer;
        Histogram sum{};
        std::array<Waiting, AHEAD> waiting{};
        std::size_t visited = 0;
        visit_shapes(should_stop, [&](const PerSuit<Split>& suits, std::uint64_t orders) {
            answer.shapes += orders;
            // A few shapes ahead, so that their memory is on its way.
            Waiting& slot = waiting[visited++ % AHEAD];
            if (visited > AHEAD) add_shape(slot, sum);
            slot = prepare(suits, orders);
            level.prefetch_root(slot.rank);
            const Waiting& half = waiting[(visited + AHEAD / 2) % AHEAD];
            level.prefetch(level.root(half.rank));
        });
        const std::size_t last = std::min(visited, AHEAD);
        for (std::size_t i = visited - last; i < visited; ++i) add_shape(waiting[i % AHEAD], sum);
        std::copy(sum.begin(), sum.end(), answer.deals.begin());
        return answer;
    }

    // Shapes of one shard are counted together: what was counted before is of no use in another one.
    SetAnswer run(const ShardedLevel& level, const StopCheck& should_stop) {
        SetAnswer answer;
        std::vector<std::pair<std::size_t, Waiting>> found;
        visit_shapes(should_stop, [&](const PerSuit<Split>& suits, std::uint64_t orders) {
            answer.shapes += orders;
            const Waiting shape = prepare(suits, orders);
            found.emplace_back(level.shard_of({shape.suits, shape.has_trumps}), shape);
        });
        std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        Histogram sum{};
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (i == 0 || found[i].first != found[i - 1].first) {
                level_ = &level.shard(found[i].first);
                forget();
            }
            if (i % 64 == 0 && should_stop && should_stop()) throw Stopped{};
            add_shape(found[i].second, sum);
        }
        std::copy(sum.begin(), sum.end(), answer.deals.begin());
        return answer;
    }

private:
    using Histogram = std::array<std::uint64_t, VALUES>;

    // What is left to walk: an edge, the unread cards of its suit, the suits to come.
    struct Key {
        Edge edge;
        std::uint32_t left_and_suit;
        std::uint64_t coming;
        bool operator==(const Key&) const = default;
    };
    struct Entry {
        Key key;
        Histogram counts;
    };
    static constexpr std::size_t FIRST_SLOTS = 1 << 12, CHUNK = 1 << 12, MOST_ENTRIES = 1 << 20;

    // A shape in the order of the diagram: its suits, which of the set they are, its number.
    struct Waiting {
        PerSuit<Split> suits;
        std::array<std::uint8_t, 4> from;
        std::uint32_t rank;
        bool has_trumps;
        std::uint64_t orders;  // how many shapes it stands for
    };
    static constexpr std::size_t AHEAD = 16;

    // Calls visit(suits, orders) for the shapes of the set.
    template <class Visit>
    void visit_shapes(const StopCheck& should_stop, Visit visit) const {
        const auto box = static_cast<Split>(0x1111 * index_.tricks());
        std::array<std::vector<Split>, 4> splits;
        for (std::size_t suit = 0; suit < 4; ++suit)
            for (const Split split : suits_[suit].splits())
                if (is_allowed(suit, split)) splits[suit].push_back(split);
        PerSuit<Split> suits;
        std::size_t seen = 0;
        for (const Split first : splits[0]) {
            if (!fits(first, box)) continue;
            suits[0] = first;
            const auto left = static_cast<Split>(box - first);
            for (const Split second : splits[1]) {
                if (!fits(second, left)) continue;
                suits[1] = second;
                const auto rest = static_cast<Split>(left - second);
                for (const Split third : splits[2]) {
                    if (!fits(third, rest)) continue;
                    if (seen++ % 64 == 0 && should_stop && should_stop()) throw Stopped{};
                    suits[2] = third;
                    suits[3] = static_cast<Split>(rest - third);
                    if (!std::binary_search(splits[3].begin(), splits[3].end(), suits[3])) continue;
                    if (const std::uint64_t orders = orders_of(suits)) visit(suits, orders);
                }
            }
        }
    }

    // The same is known of both suits, so they may be exchanged.
    bool are_alike(std::size_t a, std::size_t b) const {
        const auto trumps = static_cast<std::size_t>(set_.strain);
        if (a == trumps || b == trumps || set_.masks[a] != set_.masks[b]) return false;
        for (std::size_t player = 0; player < 4; ++player)
            if (set_.least[player][a] != set_.least[player][b] || set_.most[player][a] != set_.most[player][b])
                return false;
        return true;
    }

    // In how many orders the splits of suits that are alike can come; 0 unless this is the first.
    std::uint64_t orders_of(const PerSuit<Split>& suits) const {
        std::uint64_t orders = 1;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            std::uint64_t before = 0, same = 1;  // alike, and of them with the same split
            for (std::size_t other = 0; other < suit; ++other) {
                if (alike_[other] != alike_[suit]) continue;
                if (suits[other] > suits[suit]) return 0;
                ++before;
                same += suits[other] == suits[suit];
            }
            orders = orders * (before + 1) / same;
        }
        return orders;
    }

    bool is_allowed(std::size_t suit, Split split) const {
        for (int player = 0; player < PLAYERS; ++player) {
            if (held(split, player) < set_.least[player][suit] || held(split, player) > set_.most[player][suit])
                return false;
        }
        return true;
    }

    Waiting prepare(const PerSuit<Split>& suits, std::uint64_t orders) const {
        // Trumps last, as a shape has them; `from` leads back to the suits of the set.
        std::array<std::uint8_t, 4> order{0, 1, 2, 3};
        if (set_.strain < NOTRUMP) std::swap(order[set_.strain], order[3]);
        Shape shape;
        for (std::size_t i = 0; i < 4; ++i) shape.suits[i] = suits[order[i]];
        shape.has_trumps = set_.strain < NOTRUMP;
        const Canonical found = canonical(shape);
        Waiting shape_to_come{found.shape.suits, {}, index_.rank(found.shape), found.shape.has_trumps, orders};
        for (std::size_t i = 0; i < 4; ++i) shape_to_come.from[i] = order[found.from[i]];
        return shape_to_come;
    }

    void add_shape(const Waiting& shape, Histogram& sum) {
        contents_ = shape.suits;
        from_ = shape.from;
        coming_[3] = 0;
        tail_[4] = 1;
        for (std::size_t i = 4; i-- > 0;) {
            tail_[i] = tail_[i + 1] * suits_[from_[i]].ways(contents_[i]);
            // 18 bits a suit: which, and its split.
            if (i > 0) coming_[i - 1] = coming_[i] << 18 | std::uint64_t{alike_[from_[i]]} << 16 | contents_[i];
        }
        Stop start;
        if (arrive(level_->root(shape.rank), 0, contents_[0], shape.orders, sum, start)) add(start, sum);
    }

    // An edge to a node, the unread cards of its suit, and how often it comes.
    struct Stop {
        Edge edge;
        std::size_t suit;
        Split left;
        std::uint64_t times;
    };

    // Where an edge leads with `left` of a suit unread: a value is counted at once. False if there is
    // nothing more to do.
    bool arrive(Edge edge, std::size_t suit, Split left, std::uint64_t times, Histogram& sum, Stop& stop) {
        if (is_value(edge)) {
            if (target_of(edge) >= VALUES) level_->refuse_edge();
            sum[target_of(edge)] += times * suits_[from_[suit]].ways(left) * tail_[suit + 1];
            return false;
        }
        const auto asked = static_cast<std::size_t>(suit_of_tag(tag_of(edge)));
        if (asked < suit) level_->refuse_edge();
        if (asked > suit) {
            times *= suits_[from_[suit]].ways(left);
            for (++suit; suit < asked; ++suit) times *= suits_[from_[suit]].ways(contents_[suit]);
            left = contents_[suit];
        }
        if (unread_of_tag(tag_of(edge)) > length(left)) level_->refuse_edge();
        stop = {edge, suit, left, times};
        return times != 0;
    }

    Key key_of(const Stop& stop) const {
        return {stop.edge, std::uint32_t{alike_[from_[stop.suit]]} << 16 | stop.left, coming_[stop.suit]};
    }

    // Adds the counts behind a stop.
    void add(const Stop& stop, Histogram& sum) {
        const Key key = key_of(stop);
        if (const std::uint32_t slot = slots_[find(key)]) {
            const Histogram& counts = entry(slot - 1).counts;
            for (std::size_t v = 0; v < VALUES; ++v) sum[v] += stop.times * counts[v];
            return;
        }
        Histogram counts{};
        const int unread = length(stop.left);
        const bool asks = unread_of_tag(tag_of(stop.edge)) == unread;
        const unsigned mask = suits_[from_[stop.suit]].mask(unread);
        // First look where all owners lead, so that the memory for one is fetched during another.
        std::array<Stop, 4> next;
        std::size_t stops = 0;
        for (int owner = 0; owner < PLAYERS; ++owner) {
            if (!(mask >> owner & 1) || !held(stop.left, owner)) continue;
            const Edge edge = asks ? level_->follow(stop.edge, owner) : stop.edge;
            const auto left = static_cast<Split>(stop.left - one_card(owner));
            if (!arrive(edge, stop.suit, left, 1, counts, next[stops])) continue;
            __builtin_prefetch(&slots_[home(key_of(next[stops]))]);
            level_->prefetch(next[stops].edge);
            ++stops;
        }
        for (std::size_t i = 0; i < stops; ++i) add(next[i], counts);
        for (std::size_t v = 0; v < VALUES; ++v) sum[v] += stop.times * counts[v];
        remember(key, counts);
    }

    std::size_t home(const Key& key) const {
        return mix(mix(key.edge, key.left_and_suit), key.coming) >> 16 & (slots_.size() - 1);
    }

    Entry& entry(std::size_t number) { return chunks_[number / CHUNK][number % CHUNK]; }

    // The slot of a key, or the empty one where it would go.
    std::size_t find(const Key& key) {
        std::size_t i = home(key);
        while (slots_[i] && entry(slots_[i] - 1).key != key) i = (i + 1) & (slots_.size() - 1);
        return i;
    }

    void forget() {
        used_ = 0;
        std::fill(slots_.begin(), slots_.end(), 0);
    }

    void remember(const Key& key, const Histogram& counts) {
        if (used_ == MOST_ENTRIES) {
            forget();
        } else if (used_ * 2 >= slots_.size()) {
            slots_.assign(slots_.size() * 4, 0);
            for (std::size_t n = 0; n < used_; ++n) slots_[find(entry(n).key)] = static_cast<std::uint32_t>(n + 1);
        }
        if (used_ == chunks_.size() * CHUNK) chunks_.push_back(std::make_unique_for_overwrite<Entry[]>(CHUNK));
        const std::size_t slot = find(key);
        entry(used_) = {key, counts};
        slots_[slot] = static_cast<std::uint32_t>(++used_);
    }

    const ShapeIndex& index_;
    const DiagramLevel* level_ = nullptr;  // the one at hand
    const DealSet& set_;
    std::array<SuitWays, 4> suits_;
    std::array<std::uint8_t, 4> alike_{};  // the first suit of which the same is known
    // The shape at hand, in the order of the diagram.
    PerSuit<Split> contents_{};
    std::array<std::uint8_t, 4> from_{};
    std::array<std::uint64_t, 5> tail_{};  // ways for the suits from here on
    std::array<std::uint64_t, 4> coming_{};
    // What was counted before: entries in the order they came, and their numbers plus one by hash.
    std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(FIRST_SLOTS);
    std::vector<std::unique_ptr<Entry[]>> chunks_;
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

namespace {

template <class Level>
SetAnswer query_any(const Level& level, const DealSet& set, const StopCheck& should_stop) {
    if (level.tricks() <= 5) return Query<6>(level.index(), set).run(level, should_stop);
    return Query<MAX_INDEXED_TRICKS + 1>(level.index(), set).run(level, should_stop);
}

}  // namespace

SetAnswer query(const DiagramLevel& level, const DealSet& set, const StopCheck& should_stop) {
    return query_any(level, set, should_stop);
}

SetAnswer query(const ShardedLevel& level, const DealSet& set, const StopCheck& should_stop) {
    return query_any(level, set, should_stop);
}

}  // namespace setrograde

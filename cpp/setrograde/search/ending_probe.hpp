// Ending probe: the database's answer inside the search, with the cards it rests on
//
// A walk through the threshold diagram settles the question. The cards asked about on the way would
// do as the reason for the answer, but they are scattered over the suits, and every card named here is
// named in the sets above. So the reason is made as small as possible: on the way back, a card is dropped
// if every other owner of it gives the same answer while the cards kept so far stay where they are. A
// named card brings all higher cards of its suit with it, so those come free.
//
// Compiled once for each kind of processor, like the search it serves.
#pragma once

#include <vector>

#include "setrograde/cards/pack.hpp"
#include "setrograde/common/hash.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

struct EndingAnswer {
    bool yes;       // the leader's side takes at least the threshold
    CardSet named;  // cards of which the owners matter
};

// For one strain at a time; `forget` before another.
class EndingProbe {
public:
    // Without a level it takes no memory; with one, `limit_bytes` at most, and a few kilobytes at least.
    EndingProbe(const ThresholdLevel* level, std::size_t limit_bytes) : level_(level) {
        if (!level_) return;
        bits_ = MAX_BITS;
        while (bits_ > MIN_BITS && (sizeof(Entry) << bits_) > limit_bytes) --bits_;
        entries_.resize(std::size_t{1} << bits_);
    }

    // The number of tricks it can answer for; 0 without a database.
    int tricks() const { return level_ ? level_->tricks() : 0; }
    std::size_t bytes() const { return entries_.size() * sizeof(Entry); }
    void forget() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

    // `lengths`: cards by seat and suit, four bits each at 4 * (4 * seat + suit); `key`: unique for
    // lengths and leader, not 0. Threshold 1 to tricks().
    EndingAnswer ask(const PerSeat<CardSet>& hands, CardSet all, std::uint64_t lengths, std::uint64_t key, int leader,
                     int trump, int threshold) {
        Entry& entry = entries_[home(key)];
        if (entry.key != key) describe(entry, lengths, key, leader, trump);
        const CardSet second = hands[(leader + 1) & 3], third = hands[(leader + 2) & 3],
                      fourth = hands[(leader + 3) & 3];
        entry_ = &entry;
        plane0_ = static_cast<std::uint32_t>(pack(second | fourth, all));
        plane1_ = static_cast<std::uint32_t>(pack(third | fourth, all));

        const Edge root = entry.roots[threshold - 1];
        fetch(root);
        if (const KnownSet* set = entry.find(plane0_, plane1_, threshold)) return {set->yes, unpack(set->named, all)};
        Edge edge = root;
        Step path[MAX_STEPS];
        int steps = 0;
        while (!is_value(edge)) {
            if (steps == MAX_STEPS) level_->refuse_edge();
            const Step step = step_of(edge);
            path[steps++] = step;
            for (int i = 0; i < 4; ++i) fetch(step.node[i]);  // the way back asks about all of them
            edge = step.node[owner(step.place)];
        }
        const bool yes = edge == YES_EDGE;
        const std::uint32_t named = shrink(path, steps, yes ? NO_ANSWER_EDGE : YES_EDGE);
        entry.keep({known_, plane0_ & known_, plane1_ & known_, named, static_cast<std::uint8_t>(threshold), yes});
        return {yes, unpack(named, all)};
    }

private:
    static constexpr int MIN_BITS = 6, MAX_BITS = 14;
    static constexpr int MAX_STEPS = 4 * MAX_INDEXED_TRICKS;
    static constexpr int MAX_WORK = 400;  // nodes to look at for one reason
    static constexpr int KNOWN_SETS = 4;

    // A set that was asked about before: cards known, their owners, and the answer.
    struct KnownSet {
        std::uint32_t mask, plane0, plane1;
        std::uint32_t named;  // the lowest known card of each suit
        std::uint8_t threshold;
        bool yes;

        bool answers(std::uint32_t p0, std::uint32_t p1, int asked) const {
            return (((p0 ^ plane0) | (p1 ^ plane1)) & mask) == 0 && (yes ? asked <= threshold : asked >= threshold);
        }
    };

    // What a shape and leader have in common, and the last sets that answered.
    struct alignas(64) Entry {
        std::uint64_t key = 0;
        Edge roots[MAX_INDEXED_TRICKS] = {};
        PerSuit<std::uint8_t> first{};  // by suit of the diagram: where its lowest card is packed
        PerSuit<std::uint8_t> end{};    // and where the next suit begins
        std::uint8_t sets = 0, oldest = 0;
        KnownSet known[KNOWN_SETS] = {};

        // The broadest set that answers: what it does not name, the sets above need not name.
        const KnownSet* find(std::uint32_t p0, std::uint32_t p1, int asked) const {
            const KnownSet* best = nullptr;
            int least = 33;
            for (int i = 0; i < sets; ++i) {
                if (!known[i].answers(p0, p1, asked)) continue;
                const int cards = std::popcount(known[i].mask);
                if (cards < least) best = &known[i], least = cards;
            }
            return best;
        }

        void keep(const KnownSet& set) {
            known[oldest] = set;
            if (sets < KNOWN_SETS) ++sets;
            oldest = static_cast<std::uint8_t>((oldest + 1) % KNOWN_SETS);
        }
    };

    struct Step {
        const Edge* node;
        int place;  // of the card in the planes
        int suit;   // of the diagram
    };

    std::size_t home(std::uint64_t key) const { return key * HASH_MULTIPLIER >> (64 - bits_); }

    int owner(int place) const { return static_cast<int>((plane0_ >> place & 1) | (plane1_ >> place & 1) << 1); }

    void fetch(Edge edge) const {
        if (!is_value(edge)) level_->prefetch(edge);
    }

    Step step_of(Edge edge) const {
        const int suit = suit_of_tag(tag_of(edge));
        return {level_->node(edge), (entry_->first[suit] + unread_of_tag(tag_of(edge)) - 1) & 31, suit};
    }

    // Finds the diagrams of a shape and leader, and where the cards of their suits are packed.
    void describe(Entry& entry, std::uint64_t lengths, std::uint64_t key, int leader, int trump) const {
        // A shape has trumps last: they change places with the last suit.
        PerSuit<int> order{0, 1, 2, 3};
        if (trump < SUITS) std::swap(order[trump], order[SUITS - 1]);
        Shape shape;
        shape.has_trumps = trump < SUITS;
        for (int i = 0; i < SUITS; ++i) shape.suits[i] = split_of(lengths, leader, order[i]);
        Per<std::uint8_t, SUITS + 1> starts{};  // cards are packed suit by suit
        for (int suit = 0; suit < SUITS; ++suit)
            starts[suit + 1] = static_cast<std::uint8_t>(starts[suit] + length(shape.suits[order[suit]]));
        const Canonical found = canonical(shape);
        const std::uint32_t rank = level_->index().rank(found.shape);
        entry = Entry{};  // void, should the file turn out to be damaged
        for (int threshold = 1; threshold <= level_->tricks(); ++threshold)
            entry.roots[threshold - 1] = level_->root(rank, threshold);
        for (int i = 0; i < SUITS; ++i) {
            const int suit = order[found.from[i]];
            entry.first[i] = starts[suit];
            entry.end[i] = starts[suit + 1];
        }
        entry.key = key;
    }

    // One suit's lengths from the leader on.
    static Split split_of(std::uint64_t lengths, int leader, int suit) {
        unsigned split = 0;
        for (int player = 0; player < PLAYERS; ++player) {
            const int seat = (leader + player) & 3;
            split = split << 4 | (lengths >> (4 * (4 * seat + suit)) & 15);
        }
        return static_cast<Split>(split);
    }

    // The cards of the path that are needed: `other` is the answer they rule out.
    std::uint32_t shrink(const Step* path, int steps, Edge other) {
        known_ = 0;
        other_ = other;
        work_ = MAX_WORK;
        std::uint32_t after = 0;
        for (int suit = SUITS; suit-- > 0;) {
            after |= bits_between(entry_->first[suit], entry_->end[suit]);
            from_suit_[suit] = after;
        }
        std::uint32_t named = 0;
        for (int i = steps - 1; i >= 0;) {
            const int suit = path[i].suit;
            while (i >= 0 && path[i].suit == suit && can_drop(path[i])) --i;
            if (i < 0 || path[i].suit != suit) continue;
            named |= std::uint32_t{1} << path[i].place;
            known_ |= bits_between(path[i].place, entry_->end[suit]);
            while (i >= 0 && path[i].suit == suit) --i;
        }
        return named;
    }

    static std::uint32_t bits_between(int from, int to) {
        return static_cast<std::uint32_t>((std::uint64_t{1} << to) - (std::uint64_t{1} << from));
    }

    // True if the answer is the same whoever has the card.
    bool can_drop(const Step& step) {
        const Edge* node = step.node;
        if (node[0] == other_ || node[1] == other_ || node[2] == other_ || node[3] == other_) return false;
        const Edge mine = node[owner(step.place)];
        for (int i = 0; i < 4; ++i) {
            if (node[i] == mine || is_value(node[i]) || is_repeated(node, i)) continue;
            if (!settles(node[i])) return false;
        }
        return true;
    }

    static bool is_repeated(const Edge* node, int i) {
        for (int j = 0; j < i; ++j)
            if (node[j] == node[i]) return true;
        return false;
    }

    // True if the other answer is impossible wherever the cards are that are not known.
    bool settles(Edge edge) {
        for (;;) {
            if (is_value(edge)) return edge != other_;
            const Step step = step_of(edge);
            // With nothing known to come both answers occur, or there would be no node.
            if (!(known_ & from_suit_[step.suit]) || --work_ < 0) return false;
            if (known_ >> step.place & 1) {
                edge = step.node[owner(step.place)];
                continue;
            }
            const Edge* node = step.node;
            if (node[0] == other_ || node[1] == other_ || node[2] == other_ || node[3] == other_) return false;
            int last = 3;
            while (is_repeated(node, last)) --last;
            for (int i = 0; i < last; ++i)
                if (!is_value(node[i]) && !is_repeated(node, i) && !settles(node[i])) return false;
            edge = node[last];
        }
    }

    const ThresholdLevel* level_;
    int bits_ = 0;
    std::vector<Entry> entries_;  // by hash of shape and leader
    const Entry* entry_ = nullptr;
    std::uint32_t plane0_ = 0, plane1_ = 0, known_ = 0;
    PerSuit<std::uint32_t> from_suit_{};  // cards of this suit and of those read after it
    Edge other_ = 0;
    int work_ = 0;
};

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde

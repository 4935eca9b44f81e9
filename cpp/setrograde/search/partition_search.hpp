// Partition search: the search itself, for play as it is and for play with ties
//
// Compiled once for each kind of processor, with SETROGRADE_ARCH naming the namespace; everything
// inlined here lives in it, so no code of one kind can be linked into the other.
//
// With ties (search/search.hpp) East and West hold cards of which only the number in each run is known: a
// run is a sequence of their cards in one suit with no card of North-South between. A position has
// East's cards at the top of every run, West's below. When both play cards of the same run to a
// trick and would win it, one side decides which of them does. When a card of North-South goes, the
// runs above and below it become one, and East's cards move up in it.
//
// Named cards are read as follows: "East, East" at the top of a run says that East has at least two of
// its cards; a card of West says that the number of East's cards in the run is known.
#pragma once

#include <cstring>

#include "setrograde/search/ending_probe.hpp"
#include "setrograde/search/move_order.hpp"
#include "setrograde/search/pattern_table.hpp"
#include "setrograde/search/quick_tricks.hpp"
#include "setrograde/search/search.hpp"

namespace setrograde {
namespace SETROGRADE_ARCH {

// A result is a card set with one flag in an unused bit: the cards that mattered, and YES if
// North-South reach what was asked.
using Result = std::uint64_t;
inline constexpr Result YES = Result{1} << 15;
static_assert((YES & ALL_CARDS) == 0);

// How many cards of each suit each seat holds, 4 bits each.
using Lengths = std::uint64_t;
constexpr Lengths length_unit(int seat, int suit) { return Lengths{1} << (4 * (4 * seat + suit)); }

// Unique for lengths and leader: North's club length follows from the rest, its place is free.
constexpr std::uint64_t table_key(Lengths lengths, int leader) {
    return (lengths & ~Lengths{15}) | static_cast<Lengths>(leader + 1);
}

// What all plies of one trick share.
struct TrickState {
    CardSet all;    // cards in hands when the trick began
    CardSet known;  // those of North-South, which divide runs
    int tricks;     // tricks left, this one included
    int need;       // North-South's, from this trick on
    int led;        // suit
    Place cards[4];
};

// What the cards of a side that fails have in common. It fails whatever it plays, so the cards that
// mattered after each of its cards are collected. But the cards of a suit below the lowest rank that
// mattered are all alike, and need not be tried one by one.
class Refuted {
public:
    // `result`: what happened after one of the touching cards low..high was played.
    void add(Result result, Place low, Place high, bool skip_irrelevant) {
        const CardSet suit = suit_mask(suit_of(low));
        const CardSet ranks = result & suit;
        mattered |= result & ALL_CARDS;
        if (!ranks || lowest(ranks) > high) {
            if (skip_irrelevant) skip |= ranks ? suit & (bit_of(lowest(ranks)) - 1) : suit;
        } else {
            // Touching cards were not tried: had another been played, it would have mattered.
            mattered |= bit_of(low);
        }
    }

    CardSet mattered = 0;
    CardSet skip = 0;
};

// Cards that cut off before, by situation. A tag keeps strangers out: a card remembered from another
// situation is worse than none (32K entries without tags cost a fifth more nodes than this).
class History {
public:
    struct Hint {
        std::uint16_t& entry;
        std::uint16_t tag;

        Place card() const { return (entry & 0xFF00) == tag ? static_cast<Place>(entry & 0xFF) : -1; }
        void remember(Place card) { entry = static_cast<std::uint16_t>(tag | card); }
    };

    void forget() { std::memset(entries_, 0xFF, sizeof entries_); }

    Hint hint(std::uint64_t situation) {
        const std::uint64_t hash = situation * 0xD6E8FEB86659FD93u;
        return {entries_[hash >> (64 - BITS)], static_cast<std::uint16_t>(hash >> 8 & 0x7F00)};
    }

private:
    static constexpr int BITS = 17;
    std::uint16_t entries_[1 << BITS];
};

struct Histories {
    History leads, follows;

    void forget() {
        leads.forget();
        follows.forget();
    }
};

template <bool HAS_TRUMP, Ties TIES>
class StrainSearch {
public:
    StrainSearch(Table& table, Histories& histories, EndingProbe& endings, unsigned techniques,
                 const StopCheck& should_stop)
        : table_(table), histories_(histories), endings_(endings), techniques_(techniques), should_stop_(should_stop) {}

    Answer ask(const Position& position, int need, unsigned loose) {
        loose_ = loose;
        hands_ = position.hands;
        Lengths lengths = 0;
        CardSet all = 0;
        for (int seat = 0; seat < 4; ++seat) {
            all |= hands_[seat];
            for (int suit = 0; suit < SUITS; ++suit)
                lengths += length_unit(seat, suit) * static_cast<Lengths>(count(cards_of(hands_[seat], suit)));
        }
        const int leader = position.leader;
        const int tricks = count(hands_[position.turn()]);
        Result result;
        if (position.trick_size == 0) {
            result = search_trick(leader, tricks, need, lengths);
        } else if (need <= 0 || need > tricks) {
            result = need <= 0 ? YES : 0;
        } else {
            // Cards on the table are known cards, whoever played them.
            TrickState trick{all, hands_[NORTH] | hands_[SOUTH], tricks, need, suit_of(position.trick[0]), {}};
            Place best = position.trick[0];
            int winner = leader;
            for (int i = 0; i < position.trick_size; ++i) {
                const Place card = position.trick[i];
                trick.cards[i] = card;
                trick.all |= bit_of(card);
                trick.known |= bit_of(card);
                if (beats<HAS_TRUMP>(card, best)) best = card, winner = (leader + i) & 3;
            }
            const int turn = position.turn();
            const bool ours = is_north_south(turn);
            if (position.trick_size == 1)
                result = ours ? follow<1, true>(trick, turn, best, winner, lengths)
                              : follow<1, false>(trick, turn, best, winner, lengths);
            else if (position.trick_size == 2)
                result = ours ? follow<2, true>(trick, turn, best, winner, lengths)
                              : follow<2, false>(trick, turn, best, winner, lengths);
            else
                result = ours ? follow<3, true>(trick, turn, best, winner, lengths)
                              : follow<3, false>(trick, turn, best, winner, lengths);
        }
        return {(result & YES) != 0, close_up(result & ALL_CARDS) & all};
    }

    Statistics statistics;
    std::function<void(const EndingUse&)> observer;

private:
    bool uses(Technique technique) const { return techniques_ & technique; }

    // --- the start of a trick ---

    Result search_trick(int seat, int tricks, int need, Lengths lengths) {
        if (need <= 0) return YES;
        if (need > tricks) return 0;
        ++statistics.tricks;
        if (tricks == 1) return last_trick(seat);
        const std::uint64_t key = key_of(lengths, seat);
        const CardSet all = hands_[0] | hands_[1] | hands_[2] | hands_[3];

        // Step 1. The database of endings: no tricks below are ever searched. It comes before the
        // sure tricks because it names fewer cards.
        if (tricks == endings_.tricks()) return ask_endings(seat, tricks, need, lengths, all);
        table_.prefetch(key);

        // Step 2. Tricks that are sure. Cheap, and what they name is little.
        const bool ours = is_north_south(seat);
        if (uses(QUICK_TRICKS)) {
            const int target = ours ? need : tricks - need + 1;
            SureTricks quick = TIES == Ties::DECLARER && !ours && loose_
                                   ? tied_quick_tricks<HAS_TRUMP>(hands_, seat, tricks, target)
                                   : quick_tricks<HAS_TRUMP>(hands_, seat, all, tricks, target);
            if (HAS_TRUMP && quick.tricks == 0 && target == 1)
                quick = slow_trump_trick(hands_, seat, all, true, tricks);
            if (quick.tricks == 0 && target == 1) quick = last_stand<HAS_TRUMP>(hands_, seat, all, tricks);
            if (quick.tricks >= target) {
                ++statistics.quick;
                return widened(quick.named, all) | (ours ? YES : 0);
            }
        }
        if (uses(SLOW_TRICKS)) {
            const int target = ours ? tricks - need + 1 : need;
            SureTricks slow = slow_tricks<HAS_TRUMP>(hands_, seat, all, tricks);
            // Declarer may give the first of these tricks to the hand without the others.
            if (TIES == Ties::DECLARER && ours && loose_ && !(HAS_TRUMP && (all & TRUMPS)))
                slow.tricks = std::min(slow.tricks, 1);
            if (slow.tricks == 0 && target == 1) slow = last_stand<HAS_TRUMP>(hands_, next_seat(seat), all, tricks);
            if (slow.tricks >= target) {
                ++statistics.slow;
                return widened(slow.named, all) | (ours ? 0 : YES);
            }
        }

        // Step 3. A set in the table that holds this position.
        const Layout layout{pack(hands_[1] | hands_[3], all), pack(hands_[2] | hands_[3], all)};
        const TableHit hit = table_.lookup(key, tricks, layout, need);
        if (hit.found) return unpack(hit.mask, all) | (hit.bounds.lower >= need ? YES : 0);

        // Step 4. Search, and store the set the proof speaks of.
        if ((++visits_ & 1023) == 0 && should_stop_ && should_stop_()) throw Stopped{};
        TrickState trick{all, hands_[NORTH] | hands_[SOUTH], tricks, need, 0, {}};
        const Result result = ours ? lead<true>(trick, seat, lengths) : lead<false>(trick, seat, lengths);
        const bool yes = result & YES;
        const CardSet named = widened(close_up(result & ALL_CARDS) & all, all);
        table_.store(key, tricks, layout, pack(named, all),
                     yes ? Bounds{static_cast<std::uint8_t>(need), static_cast<std::uint8_t>(tricks)}
                         : Bounds{0, static_cast<std::uint8_t>(need - 1)});
        return named | (result & YES);
    }

    Result ask_endings(int seat, int tricks, int need, Lengths lengths, CardSet all) {
        ++statistics.probes;
        const bool ours = is_north_south(seat);
        const EndingAnswer found = endings_.ask(hands_, all, lengths, table_key(lengths, seat), seat,
                                                HAS_TRUMP ? TRUMP : NOTRUMP, ours ? need : tricks - need + 1);
        if (observer) [[unlikely]] {
            const Position position{.hands = hands_, .strain = HAS_TRUMP ? TRUMP : NOTRUMP, .leader = seat};
            observer({position, need, {found.yes == ours, close_up(found.named) & all}});
        }
        return widened(found.named, all) | (found.yes == ours ? YES : 0);
    }

    // Without patterns every card counts, and the table is a plain one.
    CardSet widened(CardSet named, CardSet all) const { return uses(PATTERNS) ? named : all; }

    Result last_trick(int seat) const {
        Place best = lowest(hands_[seat]);
        int winner = seat;
        for (int step = 1; step < 4; ++step) {
            const int later = (seat + step) & 3;
            const Place card = lowest(hands_[later]);
            if (beats<HAS_TRUMP>(card, best)) best = card, winner = later;
        }
        const CardSet all = hands_[0] | hands_[1] | hands_[2] | hands_[3];
        const bool beat_its_suit = cards_of(all, suit_of(best)) != bit_of(best);
        return widened(beat_its_suit ? bit_of(best) : 0, all) | (is_north_south(winner) ? YES : 0);
    }

    // --- one card ---

    // Cards whose next lower neighbour among `all` is held too; a run is led by its lowest card.
    CardSet not_lowest(CardSet held, CardSet all) const { return uses(EQUALS) ? held & next_up(held, all) : 0; }

    static Place run_low(Place card, CardSet held, CardSet touching) {
        return highest(held & ~touching & ((bit_of(card) << 1) - 1));
    }

    static Place run_high(Place low, CardSet held, CardSet touching) {
        CardSet higher = held & above(low);
        Place high = low;
        while (higher & touching & (0 - higher)) {
            high = lowest(higher);
            higher &= higher - 1;
        }
        return high;
    }

    template <bool OURS>
    Result lead(TrickState& trick, int seat, Lengths lengths) {
        ++statistics.nodes;
        const CardSet held = hands_[seat];
        const CardSet touching = not_lowest(held, trick.all);
        History::Hint hint = histories_.leads.hint(held * 4 + static_cast<unsigned>(seat));
        CardSet untried = held & ~touching;
        Refuted refuted;
        MoveOrder order;
        bool ordered = false;
        Place low = -1;
        if (const Place card = uses(HISTORY) ? hint.card() : -1; card >= 0 && (held & bit_of(card)))
            low = run_low(card, held, touching);
        for (bool first = true;; first = false) {
            if (low < 0) {
                if (!ordered) {
                    if (uses(ORDER))
                        order_leads<HAS_TRUMP>(hands_, seat, trick.all, untried, order);
                    else
                        order.upward(untried);
                    ordered = true;
                }
                low = order.next(refuted.skip);
                if (low < 0) break;
            }
            untried &= ~bit_of(low);
            const Place high = run_high(low, held, touching);
            trick.led = suit_of(high);
            trick.cards[0] = high;
            hands_[seat] ^= bit_of(high);
            const Result result =
                follow<1, !OURS>(trick, next_seat(seat), high, seat, lengths - length_unit(seat, trick.led));
            hands_[seat] ^= bit_of(high);
            if (((result & YES) != 0) == OURS) {
                ++statistics.leads_cut;
                statistics.leads_cut_first += first;
                hint.remember(high);
                return result;
            }
            refuted.add(result, low, high, uses(IRRELEVANT));
            low = -1;
        }
        return refuted.mattered | (OURS ? 0 : YES);
    }

    template <int POSITION, bool OURS>
    Result follow(TrickState& trick, int seat, Place best, int winner, Lengths lengths) {
        ++statistics.nodes;
        const CardSet hand = hands_[seat];
        const CardSet following = cards_of(hand, trick.led);
        const CardSet held = following ? following : hand;
        const CardSet touching = not_lowest(held, trick.all);
        CardSet untried = held & ~touching;
        Refuted refuted;
        Place low = -1;
        if ((untried & (untried - 1)) == 0) {
            low = lowest(untried);
            const Place high = run_high(low, held, touching);
            const Place card = beats<HAS_TRUMP>(high, best) ? high : low;
            const Result result = play<POSITION, OURS>(trick, seat, card, best, winner, lengths);
            if (((result & YES) != 0) == OURS) return result;
            refuted.add(result, low, high, false);
            return refuted.mattered | (result & YES);
        }
        History::Hint hint = histories_.follows.hint(situation<POSITION>(trick, seat, hand, following, best, winner));
        MoveOrder order;
        bool ordered = false;
        if (const Place card = uses(HISTORY) ? hint.card() : -1; card >= 0 && (held & bit_of(card)))
            low = run_low(card, held, touching);
        for (;;) {
            if (low < 0) {
                if (!ordered) {
                    const TrickView view{hands_, seat, trick.led, best, winner, POSITION};
                    if (!uses(ORDER))
                        order.upward(untried);
                    else if (following)
                        order_following<HAS_TRUMP>(view, untried, order);
                    else
                        order_void<HAS_TRUMP>(view, untried, order);
                    ordered = true;
                }
                low = order.next(refuted.skip);
                if (low < 0) break;
            }
            untried &= ~bit_of(low);
            const Place high = run_high(low, held, touching);
            const Place card = beats<HAS_TRUMP>(high, best) ? high : low;
            const Result result = play<POSITION, OURS>(trick, seat, card, best, winner, lengths);
            if (((result & YES) != 0) == OURS) {
                hint.remember(card);
                return result;
            }
            refuted.add(result, low, high, uses(IRRELEVANT));
            low = -1;
        }
        return refuted.mattered | (OURS ? 0 : YES);
    }

    template <int POSITION, bool OURS>
    Result play(TrickState& trick, int seat, Place card, Place best, int winner, Lengths lengths) {
        if (beats<HAS_TRUMP>(card, best)) best = card, winner = seat;
        hands_[seat] ^= bit_of(card);
        trick.cards[POSITION] = card;
        lengths -= length_unit(seat, suit_of(card));
        Result result;
        if constexpr (POSITION < 3) {
            result = follow<POSITION + 1, !OURS>(trick, next_seat(seat), best, winner, lengths);
        } else if constexpr (TIES == Ties::NONE) {
            result = next_trick(trick, winner, lengths) | beaten(trick, best);
        } else {
            result = tied_trick(trick, seat, best, winner, lengths);
        }
        hands_[seat] ^= bit_of(card);
        return result;
    }

    // --- the end of a trick ---

    // The winner's rank mattered if it beat a card of its own suit.
    static CardSet beaten(const TrickState& trick, Place best) {
        const int suit = suit_of(best);
        const int same = (suit_of(trick.cards[0]) == suit) + (suit_of(trick.cards[1]) == suit) +
                         (suit_of(trick.cards[2]) == suit) + (suit_of(trick.cards[3]) == suit);
        return same > 1 ? bit_of(best) : 0;
    }

    Result next_trick(const TrickState& trick, int winner, Lengths lengths) {
        return search_trick(winner, trick.tricks - 1, trick.need - (is_north_south(winner) ? 1 : 0), lengths);
    }

    bool is_loose(int suit) const { return loose_ >> suit & 1; }

    // `last` played the fourth card. If the defenders' cards may be of one run, whoever decides ties
    // has the choice; whether there is one is named if it matters.
    Result tied_trick(const TrickState& trick, int last, Place best, int winner, Lengths lengths) {
        const Result result = sorted_next_trick(trick, winner, lengths) | beaten(trick, best);
        const int suit = suit_of(best);
        if (is_north_south(winner) || !is_loose(suit)) return result;
        const Place other = trick.cards[(partner(winner) - last - 1) & 3];
        if (suit_of(other) != suit || pleases_chooser(result)) return result;
        const CardSet between = trick.known & above(other) & (bit_of(best) - 1);
        if (between) return result | bit_of(highest(between));
        const Result tied = sorted_next_trick(trick, partner(winner), lengths);
        if (pleases_chooser(tied)) return tied | bit_of(other);
        return result | tied;
    }

    static bool pleases_chooser(Result result) { return ((result & YES) != 0) == (TIES == Ties::DECLARER); }

    // As next_trick, with the runs made one that are divided no more.
    Result sorted_next_trick(const TrickState& trick, int winner, Lengths lengths) {
        CardSet gone = 0;
        for (const Place card : trick.cards)
            if (is_loose(suit_of(card))) gone |= bit_of(card);
        gone &= trick.known;
        if (!gone) return next_trick(trick, winner, lengths);
        const CardSet east = hands_[EAST], west = hands_[WEST];
        for (CardSet cards = gone; cards; cards &= cards - 1) {
            const CardSet run = run_around(lowest(cards));
            const CardSet top = top_cards(run, count(run & hands_[EAST]));
            hands_[EAST] = (hands_[EAST] & ~run) | top;
            hands_[WEST] = (hands_[WEST] & ~run) | (run ^ top);
        }
        Result result = next_trick(trick, winner, lengths);
        for (CardSet cards = gone; cards;) {
            const CardSet suit = suit_mask(suit_of(lowest(cards)));
            cards &= ~suit;
            result |= before_sorting(result & suit, suit, east, trick.all);
        }
        hands_[EAST] = east;
        hands_[WEST] = west;
        return result;
    }

    // Cards of East and West around a place, with none of North-South between.
    CardSet run_around(Place place) const {
        const CardSet suit = suit_mask(suit_of(place));
        const CardSet known = (hands_[NORTH] | hands_[SOUTH]) & suit;
        CardSet run = (hands_[EAST] | hands_[WEST]) & suit;
        if (const CardSet higher = known & above(place)) run &= (higher & (0 - higher)) - 1;
        if (const CardSet lower = known & (bit_of(place) - 1)) run &= above(highest(lower));
        return run;
    }

    // What to name before runs were joined and sorted so that `named`, of one suit in which a card of
    // North-South has gone, means the same after it.
    CardSet before_sorting(CardSet named, CardSet suit, CardSet east, CardSet all) const {
        if (!named) return 0;
        const Place last = lowest(named);
        if (hands_[WEST] & bit_of(last)) {
            // The number of East's cards in the run is known: name down to the card that ends it.
            const CardSet lower = (hands_[NORTH] | hands_[SOUTH]) & suit & (bit_of(last) - 1);
            return bit_of(lower ? highest(lower) : lowest(all & suit));
        }
        if (hands_[EAST] & bit_of(last)) {
            // East has at least `held` cards of the run: name the place where the last of them was.
            const CardSet run = run_around(last);
            const int held = count(run & hands_[EAST] & ~(bit_of(last) - 1));
            return bit_of(lowest(top_cards(run & east, held)));
        }
        return 0;
    }

    // East's club length follows from the other lengths, too: its place tells which suits are loose.
    std::uint64_t key_of(Lengths lengths, int leader) const {
        const std::uint64_t key = table_key(lengths, leader);
        if constexpr (TIES == Ties::NONE) return key;
        return (key & ~(length_unit(EAST, 0) * 15)) | length_unit(EAST, 0) * loose_;
    }

    // Following suit: what is out in the suit and the card to beat. Else: the hand and the winner.
    template <int POSITION>
    static std::uint64_t situation(const TrickState& trick, int seat, CardSet hand, CardSet following, Place best,
                                   int winner) {
        std::uint64_t key;
        if (following)
            key = (trick.all >> (16 * trick.led) & SUIT_MASK) << 8 | static_cast<std::uint64_t>(trick.led << 6 | best);
        else
            key = hand * HASH_MULTIPLIER >> 13 ^ static_cast<std::uint64_t>(HAS_TRUMP ? best : winner);
        return key * 16 + static_cast<std::uint64_t>(4 * POSITION + seat);
    }

    Table& table_;
    Histories& histories_;
    EndingProbe& endings_;
    const unsigned techniques_;
    const StopCheck& should_stop_;
    std::uint64_t visits_ = 0;
    unsigned loose_ = 0;  // suits with ties, a bit each
    PerSeat<CardSet> hands_{};
};

template <Ties TIES>
class PartitionSearch final : public Search {
public:
    PartitionSearch(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop, Endings endings)
        : should_stop_(std::move(should_stop)),
          level_(std::move(endings)),
          endings_(level_.get(), limit_bytes / 16),
          table_(std::max(limit_bytes, MIN_LIMIT_BYTES) - sizeof(PartitionSearch) - endings_.bytes()),
          trump_(table_, histories_, endings_, techniques, should_stop_),
          notrump_(table_, histories_, endings_, techniques, should_stop_) {
        static_assert(sizeof(PartitionSearch) < MIN_LIMIT_BYTES / 2);
        histories_.forget();
    }

    void reset() override {
        table_.reset();
        histories_.forget();
        endings_.forget();
    }

    void observe_endings(std::function<void(const EndingUse&)> observer) override {
        trump_.observer = notrump_.observer = std::move(observer);
    }

    Answer ask(const Position& position, int need, unsigned loose) override {
        if (position.strain == NOTRUMP) return notrump_.ask(position, need, loose);
        const Answer answer = trump_.ask(swapped(position), need, swapped_suits(loose, position.strain));
        return {answer.yes, swap(answer.named, position.strain)};
    }

    Statistics statistics() const override {
        Statistics sum = trump_.statistics;
        const Statistics& other = notrump_.statistics;
        sum.nodes += other.nodes;
        sum.tricks += other.tricks;
        sum.probes += other.probes;
        sum.quick += other.quick;
        sum.slow += other.slow;
        sum.leads_cut += other.leads_cut;
        sum.leads_cut_first += other.leads_cut_first;
        sum.lookups = table_.lookups;
        sum.hits = table_.hits;
        sum.stores = table_.stores;
        sum.named_cards = table_.named_cards;
        sum.collections = table_.collections;
        sum.table_bytes = sizeof *this + endings_.bytes() + table_.bytes();
        return sum;
    }

private:
    // Exchanges a suit with the one the search takes for trumps.
    static CardSet swap(CardSet cards, int suit) {
        if (suit == TRUMP) return cards;
        const int shift = 16 * (TRUMP - suit);
        const CardSet moved = cards_of(cards, suit) << shift | (cards & TRUMPS) >> shift;
        return moved | (cards & ~(suit_mask(suit) | TRUMPS));
    }

    static unsigned swapped_suits(unsigned suits, int suit) {
        const unsigned differ = (suits >> suit ^ suits >> TRUMP) & 1;
        return suits ^ (differ << suit | differ << TRUMP) * (suit != TRUMP);
    }

    static Position swapped(Position position) {
        const int suit = position.strain;
        for (CardSet& hand : position.hands) hand = swap(hand, suit);
        for (int i = 0; i < position.trick_size; ++i) {
            Place& card = position.trick[i];
            card = highest(swap(bit_of(card), suit));
        }
        position.strain = TRUMP;
        return position;
    }

    StopCheck should_stop_;
    Endings level_;
    EndingProbe endings_;
    Table table_;
    Histories histories_;  // of one strain at a time, like the table
    StrainSearch<true, TIES> trump_;
    StrainSearch<false, TIES> notrump_;
};

}  // namespace SETROGRADE_ARCH
}  // namespace setrograde

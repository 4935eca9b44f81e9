#include "setrograde/odds/settle.hpp"

#include <algorithm>
#include <cassert>
#include <memory>
#include <mutex>

#include "setrograde/common/choose.hpp"
#include "setrograde/common/parallel.hpp"

namespace setrograde {

namespace {

using Box = Layouts::Box;

// Boxes between two questions whether to stop: with points to count, a box takes much longer than a search.
constexpr unsigned BOXES_A_POLL = 16;

// Settles boxes one after the other, with searches that are kept.
class Settler {
public:
    using Report = std::function<void(const OddsProgress&)>;

    Settler(const Layouts& layouts, int need, SettleMethod method, std::size_t limit_bytes, const Endings& endings,
            StopCheck should_stop, Report report)
        : layouts_(layouts),
          need_(need),
          method_(method),
          should_stop_(std::move(should_stop)),
          report_(std::move(report)) {
        std::size_t left = limit_bytes;
        if (method == SettleMethod::CLASSES) {
            const std::size_t for_ties = (limit_bytes - std::max(limit_bytes / 10, MIN_LIMIT_BYTES)) / 2;
            generous_ = make_tied_search(Ties::DEFENCE, for_ties, should_stop_);
            grudging_ = make_tied_search(Ties::DECLARER, for_ties, should_stop_);
            left -= 2 * for_ties;
        }
        exact_ = make_search(left, ALL_TECHNIQUES, should_stop_, endings);
    }

    // Throws Stopped.
    void settle(Box box) {
        box.loose = method_ == SettleMethod::PATTERNS ? 0 : ALL_SUITS;
        boxes_.push_back(box);
        while (!boxes_.empty()) {
            if (++polls_ % BOXES_A_POLL == 0 && should_stop_()) throw Stopped{};
            const Box next = boxes_.back();
            boxes_.pop_back();
            if (layouts_.count_in(next)) settle_some(next);
        }
    }

    std::uint64_t nodes() const {
        std::uint64_t sum = exact_->statistics().nodes;
        if (generous_) sum += generous_->statistics().nodes + grudging_->statistics().nodes;
        return sum;
    }

    std::vector<OddsSet> sets;

private:
    // Answers for one layout of the box and all that are like it; the others wait.
    void settle_some(const Box& box) {
        const CardSet east = layouts_.example(box);
        const Position position = layouts_.position(east);
        if (box.loose == 0) {
            const Answer answer = ask(*exact_, position, 0);
            return keep(divided(box, east, answer.named), answer.yes);
        }
        const Answer at_least = ask(*generous_, position, box.loose);
        if (at_least.yes) return keep(divided(box, east, at_least.named), true);
        const Answer at_most = ask(*grudging_, position, box.loose);
        if (!at_most.yes) return keep(divided(box, east, at_most.named), false);
        // All layouts that both answers speak of.
        Box open = divided(divided(box, east, at_least.named), east, at_most.named);
        if (box.loose == ALL_SUITS) report_({.told_apart = layouts_.count_in(open)});
        open.loose &= ~(1u << suit_to_tell_apart(open, position));
        boxes_.push_back(open);
    }

    Answer ask(Search& search, const Position& position, unsigned loose) {
        report_({.solves = 1});
        return search.ask(position, need_, loose);
    }

    // A suit that decides this layout once its ranks are known; else the one with the most layouts.
    int suit_to_tell_apart(const Box& box, const Position& position) {
        int widest = -1;
        std::uint64_t most = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!box.is_loose(suit)) continue;
            const unsigned loose = box.loose & ~(1u << suit);
            const std::uint64_t ways = mixed_ways(position, suit);
            if (ways > 1 && loose && (ask(*generous_, position, loose).yes || !ask(*grudging_, position, loose).yes))
                return suit;
            if (widest < 0 || ways > most) widest = suit, most = ways;
        }
        assert(widest >= 0);
        return widest;
    }

    // Ways to choose East's cards of a suit with the same number of each run.
    std::uint64_t mixed_ways(const Position& position, int suit) const {
        std::uint64_t ways = 1;
        for (const int r : layouts_.runs_of(suit))
            ways *= choose(count(layouts_.run(r)), count(layouts_.run(r) & position.hands[EAST]));
        return ways;
    }

    // The part of the box that an answer with these named cards speaks of; the rest is put back in pieces.
    Box divided(Box box, CardSet east, CardSet named) {
        for (int suit = 0; suit < SUITS; ++suit) {
            const CardSet marked = cards_of(named, suit);
            if (!marked) continue;
            const CardSet told = cards_of(close_up(marked) & layouts_.problem().hidden, suit);
            if (box.is_loose(suit))
                divide_runs(box, suit, east, told);
            else
                divide_cards(box, east, told);
        }
        return box;
    }

    // Card by card: the owner of every card that was told.
    void divide_cards(Box& box, CardSet east, CardSet told) {
        for (CardSet cards = told & ~(box.east | box.west); cards;) {
            const CardSet card = bit_of(highest(cards));
            cards ^= card;
            Box other = box;
            (east & card ? other.west : other.east) |= card;
            boxes_.push_back(other);
            (east & card ? box.east : box.west) |= card;
        }
    }

    // Run by run: how many of its cards East has.
    void divide_runs(Box& box, int suit, CardSet east, CardSet told) {
        for (const int r : layouts_.runs_of(suit)) {
            const CardSet cards = layouts_.run(r);
            if (!(cards & told)) break;
            const CardSet theirs = cards & told & ~east;
            // If a card of West's was told, or the whole run, East's number is known; else only its least.
            const auto low = static_cast<std::uint8_t>(count(cards & told & east));
            const bool exact = theirs != 0 || (cards & ~told) == 0;
            const auto high = exact ? low : static_cast<std::uint8_t>(count(cards));
            if (box.low[r] < low) {
                Box fewer = box;
                fewer.high[r] = std::min<std::uint8_t>(fewer.high[r], static_cast<std::uint8_t>(low - 1));
                boxes_.push_back(fewer);
                box.low[r] = low;
            }
            if (box.high[r] > high) {
                Box more = box;
                more.low[r] = std::max<std::uint8_t>(more.low[r], static_cast<std::uint8_t>(high + 1));
                boxes_.push_back(more);
                box.high[r] = high;
            }
        }
    }

    void keep(const Box& box, bool makes) {
        // None at all, if no layout like the example fits a condition on points.
        const std::uint64_t found = layouts_.count_in(box);
        sets.push_back({.makes = makes, .layouts = found, .bounds = layouts_.bounds(box)});
        report_({.yes = makes ? found : 0, .no = makes ? 0 : found, .sets = 1});
    }

    const Layouts& layouts_;
    const int need_;
    const SettleMethod method_;
    const StopCheck should_stop_;
    const Report report_;
    std::unique_ptr<Search> generous_, grudging_, exact_;  // ties for the defence, for declarer, none
    std::vector<Box> boxes_;
    unsigned polls_ = 0;
};

// Counts that several threads add to.
class SharedProgress {
public:
    void add(const OddsProgress& more) {
        const std::scoped_lock lock(mutex_);
        sum_.yes += more.yes;
        sum_.no += more.no;
        sum_.sets += more.sets;
        sum_.solves += more.solves;
        sum_.told_apart += more.told_apart;
    }

    OddsProgress now() const {
        const std::scoped_lock lock(mutex_);
        return sum_;
    }

private:
    mutable std::mutex mutex_;
    OddsProgress sum_;
};

}  // namespace

OddsResult settle(const Layouts& layouts, int need, const SettleOptions& options, const OddsWatch& watch) {
    const auto parts = static_cast<std::size_t>(std::clamp(options.threads, 1, 64));
    SharedProgress progress;
    std::vector<std::vector<OddsSet>> sets(parts);
    std::vector<std::uint64_t> nodes(parts);
    const auto should_stop = [&](std::size_t) { return watch && watch(progress.now()); };
    try {
        run_parallel(parts, parts, should_stop, [&](const StopCheck& stopped) {
            return [&, stopped](std::size_t part) {
                Settler settler(layouts, need, options.method, options.limit_bytes / parts, options.endings, stopped,
                                [&](const OddsProgress& more) { progress.add(more); });
                try {
                    // Back and forth, so that every part gets its share of the frequent shapes.
                    for (std::size_t i = 0; i < layouts.shapes().size(); ++i) {
                        if (stopped()) break;
                        const std::size_t turn = i % (2 * parts);
                        if (std::min(turn, 2 * parts - 1 - turn) == part) settler.settle(layouts.shapes()[i]);
                    }
                } catch (const Stopped&) {  // what was settled until then is kept
                }
                sets[part] = std::move(settler.sets);
                nodes[part] = settler.nodes();
            };
        });
    } catch (const Stopped&) {}
    OddsResult result{.counts = progress.now()};
    assert(result.counts.yes + result.counts.no <= layouts.size());
    result.open = layouts.size() - result.counts.yes - result.counts.no;
    for (std::size_t part = 0; part < parts; ++part) {
        result.nodes += nodes[part];
        std::ranges::move(sets[part], std::back_inserter(result.sets));
    }
    return result;
}

}  // namespace setrograde

#include "setrograde/odds/odds.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <stdexcept>

#include "setrograde/common/parallel.hpp"
#include "setrograde/search/solver.hpp"

namespace setrograde {

namespace {

constexpr int MAX_HIDDEN = 39;

// C(n, k) up to 39 cards.
struct Binomials {
    std::uint64_t c[MAX_HIDDEN + 1][MAX_HIDDEN + 1] = {};
    constexpr Binomials() {
        for (int n = 0; n <= MAX_HIDDEN; ++n) {
            c[n][0] = 1;
            for (int k = 1; k <= n; ++k) c[n][k] = c[n - 1][k - 1] + (k < n ? c[n - 1][k] : 0);
        }
    }
};
constexpr Binomials BINOMIALS;

std::uint64_t choose(int n, int k) { return k < 0 || k > n ? 0 : BINOMIALS.c[n][k]; }

int points_of(CardSet cards) {
    int points = 0;
    for (; cards; cards &= cards - 1) points += std::max(0, lowest(cards) % 16 - 8);
    return points;
}

}  // namespace

Odds::Odds(OddsProblem problem) : problem_(std::move(problem)) {
    const OddsProblem& p = problem_;
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    if (p.strain < 0 || p.strain > NOTRUMP || p.leader < 0 || p.leader > 3 || p.trick.size() > 3)
        refuse("no such strain, leader or trick");
    CardSet on_table = 0;
    std::array<int, 4> played{};
    for (std::size_t i = 0; i < p.trick.size(); ++i) {
        if (p.trick[i] < 0 || p.trick[i] >= 64 || !(bit_of(p.trick[i]) & ALL_CARDS) || (on_table & bit_of(p.trick[i])))
            refuse("no such trick");
        on_table |= bit_of(p.trick[i]);
        played[(static_cast<std::size_t>(p.leader) + i) & 3] = 1;
    }
    if ((p.north & p.south) || ((p.north | p.south) & p.hidden) || (on_table & (p.north | p.south | p.hidden)))
        refuse("a card in two places");
    if (((p.north | p.south | p.hidden) & ~ALL_CARDS) || ((p.east | p.west) & ~p.hidden) || (p.east & p.west))
        refuse("no such cards");
    const int tricks = count(p.north) + played[NORTH];
    east_cards_ = tricks - played[EAST];
    if (tricks < 1 || tricks > 13 || count(p.south) + played[SOUTH] != tricks ||
        count(p.hidden) != east_cards_ + tricks - played[WEST])
        refuse("hands of different sizes");
    counts_points_ = p.min_points > 0 || p.max_points < points_of(p.hidden);

    const CardSet known = p.north | p.south | on_table;
    for (int suit = 0; suit < SUITS; ++suit) {
        first_run_[static_cast<std::size_t>(suit)] = static_cast<int>(runs_.size());
        for (CardSet cards = cards_of(p.hidden, suit); cards;) {
            const CardSet dividing = cards_of(known, suit) & (bit_of(highest(cards)) - 1);
            const CardSet run = dividing ? cards & above(highest(dividing)) : cards;
            runs_.push_back({run, suit});
            cards ^= run;
        }
    }
    first_run_[4] = static_cast<int>(runs_.size());

    std::array<int, 4> most{};
    for (int suit = 0; suit < SUITS; ++suit) most[static_cast<std::size_t>(suit)] = count(cards_of(p.hidden, suit));
    std::vector<std::pair<std::uint64_t, Box>> found;
    for (int a = 0; a <= most[0]; ++a)
        for (int b = 0; b <= most[1]; ++b)
            for (int c = 0; c <= most[2]; ++c) {
                const int d = east_cards_ - a - b - c;
                if (d < 0 || d > most[3]) continue;
                if (!p.shapes.empty() &&
                    std::find(p.shapes.begin(), p.shapes.end(), std::array{a, b, c, d}) == p.shapes.end())
                    continue;
                Box box;
                box.lengths = {static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b), static_cast<std::uint8_t>(c),
                               static_cast<std::uint8_t>(d)};
                for (std::size_t r = 0; r < runs_.size(); ++r)
                    box.high[r] = static_cast<std::uint8_t>(count(runs_[r].cards));
                box.east = p.east;
                box.west = p.west;
                if (const std::uint64_t lies = weight(box)) found.emplace_back(lies, box);
            }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [lies, box] : found) {
        shapes_.push_back(box);
        shape_lies_.push_back(lies);
        lies_ += lies;
    }
}

// In how many ways East can have cards of the box.
std::uint64_t Odds::weight(const Box& box) const {
    if (counts_points_) return weight_by_points(box);
    std::uint64_t product = 1;
    for (std::size_t suit = 0; suit < 4 && product; ++suit) {
        std::array<std::uint64_t, 14> ways{1};  // by cards so far
        for (auto r = static_cast<std::size_t>(first_run_[suit]); r < static_cast<std::size_t>(first_run_[suit + 1]);
             ++r) {
            const int sure = count(runs_[r].cards & box.east);
            const int free = count(runs_[r].cards & ~box.west) - sure;
            std::array<std::uint64_t, 14> longer{};
            for (int held = std::max<int>(box.low[r], sure); held <= std::min<int>(box.high[r], sure + free); ++held)
                for (int before = 0; before + held <= 13; ++before)
                    longer[static_cast<std::size_t>(before + held)] +=
                        ways[static_cast<std::size_t>(before)] * choose(free, held - sure);
            ways = longer;
        }
        product *= ways[box.lengths[suit]];
    }
    return product;
}

// The same with points counted card by card.
std::uint64_t Odds::weight_by_points(const Box& box) const {
    constexpr std::size_t POINTS = 41;
    using Ways = std::vector<std::array<std::uint64_t, POINTS>>;  // by cards and points
    std::array<std::uint64_t, POINTS> total{1};
    for (std::size_t suit = 0; suit < 4; ++suit) {
        Ways ways(14);
        ways[0][0] = 1;
        for (auto r = static_cast<std::size_t>(first_run_[suit]); r < static_cast<std::size_t>(first_run_[suit + 1]);
             ++r) {
            Ways of_run(14);
            of_run[0][0] = 1;
            for (CardSet cards = runs_[r].cards; cards; cards &= cards - 1) {
                const CardSet card = cards & (0 - cards);
                const auto points = static_cast<std::size_t>(points_of(card));
                for (std::size_t held = 13; held-- > 0;)
                    for (std::size_t so_far = 0; so_far < POINTS; ++so_far) {
                        std::uint64_t& without = of_run[held][so_far];
                        if (!(box.west & card) && so_far + points < POINTS)
                            of_run[held + 1][so_far + points] += without;
                        if (box.east & card) without = 0;
                    }
            }
            Ways longer(14);
            for (std::size_t held = box.low[r]; held <= box.high[r]; ++held)
                for (std::size_t before = 0; before + held <= 13; ++before)
                    for (std::size_t a = 0; a < POINTS; ++a)
                        if (ways[before][a])
                            for (std::size_t b = 0; a + b < POINTS; ++b)
                                longer[before + held][a + b] += ways[before][a] * of_run[held][b];
            ways = std::move(longer);
        }
        std::array<std::uint64_t, POINTS> sum{};
        for (std::size_t a = 0; a < POINTS; ++a)
            for (std::size_t b = 0; a + b < POINTS; ++b) sum[a + b] += total[a] * ways[box.lengths[suit]][b];
        total = sum;
    }
    std::uint64_t lies = 0;
    for (int points = std::max(0, problem_.min_points); points <= std::min(40, problem_.max_points); ++points)
        lies += total[static_cast<std::size_t>(points)];
    return lies;
}

// East's cards in a lie of the box, one of the most frequent kind; sorted in loose suits.
CardSet Odds::example(const Box& box) const {
    CardSet east = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const auto first = static_cast<std::size_t>(first_run_[suit]),
                   end = static_cast<std::size_t>(first_run_[suit + 1]);
        // best[r][n]: the most ways for runs from r on to hold n cards.
        std::array<std::array<double, 14>, 15> best{};
        std::array<std::array<std::uint8_t, 14>, 15> choice{};
        best[end - first][0] = 1;
        for (std::size_t r = end; r-- > first;) {
            const int sure = count(runs_[r].cards & box.east);
            const int free = count(runs_[r].cards & ~box.west) - sure;
            for (int held = std::max<int>(box.low[r], sure); held <= std::min<int>(box.high[r], sure + free); ++held)
                for (int rest = 0; rest + held <= 13; ++rest) {
                    const double ways = best[r - first + 1][static_cast<std::size_t>(rest)] *
                                        static_cast<double>(choose(free, held - sure));
                    double& most = best[r - first][static_cast<std::size_t>(rest + held)];
                    if (ways > most) {
                        most = ways;
                        choice[r - first][static_cast<std::size_t>(rest + held)] = static_cast<std::uint8_t>(held);
                    }
                }
        }
        std::size_t left = box.lengths[suit];
        for (std::size_t r = first; r < end; ++r) {
            const int held = choice[r - first][left];
            left -= static_cast<std::size_t>(held);
            const CardSet cards = runs_[r].cards;
            if (box.loose >> suit & 1)
                east |= top_cards(cards, held);
            else
                east |= (cards & box.east) | top_cards(cards & ~(box.east | box.west), held - count(cards & box.east));
        }
    }
    return east;
}

Position Odds::position(CardSet east) const {
    Position position;
    position.hands = {problem_.north, east, problem_.south, problem_.hidden & ~east};
    position.strain = problem_.strain;
    position.leader = problem_.leader;
    for (const Place card : problem_.trick) position.trick[static_cast<std::size_t>(position.trick_size++)] = card;
    return position;
}

std::vector<OddsBound> Odds::bounds(const Box& box) const {
    std::vector<OddsBound> found;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const CardSet cards = cards_of(problem_.hidden, static_cast<int>(suit));
        if (!cards) continue;
        found.push_back({cards, box.lengths[suit], box.lengths[suit]});
        for (auto r = static_cast<std::size_t>(first_run_[suit]); r < static_cast<std::size_t>(first_run_[suit + 1]);
             ++r)
            if (box.low[r] > 0 || box.high[r] < count(runs_[r].cards))
                found.push_back({runs_[r].cards, box.low[r], box.high[r]});
        if (box.loose >> suit & 1) continue;
        if (const CardSet held = box.east & cards) found.push_back({held, count(held), count(held)});
        if (const CardSet lacked = box.west & cards) found.push_back({lacked, 0, 0});
    }
    return found;
}

// Settles boxes one after the other with searches that are kept.
class OddsWorker {
public:
    using Box = Odds::Box;

    OddsWorker(const Odds& odds, int need, bool plain, std::size_t limit_bytes, const Endings& endings,
               StopCheck should_stop, std::function<void(const OddsProgress&)> report)
        : odds_(odds), need_(need), plain_(plain), report_(std::move(report)) {
        if (!plain) {
            generous_ = make_tied_search(Ties::DEFENCE, limit_bytes / 20 * 9, should_stop);
            grudging_ = make_tied_search(Ties::DECLARER, limit_bytes / 20 * 9, should_stop);
        }
        exact_ = make_search(plain ? limit_bytes : limit_bytes / 10, ALL_TECHNIQUES, should_stop, endings);
    }

    void settle(Box box) {
        box.loose = plain_ ? 0 : 15;
        boxes_.push_back(box);
        while (!boxes_.empty()) {
            const Box next = boxes_.back();
            boxes_.pop_back();
            if (odds_.weight(next)) settle_some(next);
        }
    }

    std::uint64_t nodes() const {
        std::uint64_t sum = exact_->statistics().nodes;
        if (generous_) sum += generous_->statistics().nodes + grudging_->statistics().nodes;
        return sum;
    }

    std::vector<OddsSet> sets;

private:
    // Answers for one lie of the box and all that are like it; the others wait.
    void settle_some(const Box& box) {
        const CardSet east = odds_.example(box);
        const Position position = odds_.position(east);
        if (box.loose == 0) {
            const Answer answer = ask(*exact_, position, 0);
            return keep(divided(box, east, answer.named), answer.yes);
        }
        const Answer at_least = ask(*generous_, position, box.loose);
        if (at_least.yes) return keep(divided(box, east, at_least.named), true);
        const Answer at_most = ask(*grudging_, position, box.loose);
        if (!at_most.yes) return keep(divided(box, east, at_most.named), false);
        // All lies that both answers speak of.
        Box open = divided(divided(box, east, at_least.named), east, at_most.named);
        if (box.loose == 15) report({0, 0, 0, 0, odds_.weight(open)});
        open.loose &= ~(1u << suit_to_tell_apart(open, position));
        boxes_.push_back(open);
    }

    Answer ask(Search& search, const Position& position, unsigned loose) {
        report({0, 0, 0, 1, 0});
        return search.ask(position, need_, loose);
    }

    // A suit that decides this lie if its ranks are known; else the one with the most ways to lie.
    int suit_to_tell_apart(const Box& box, const Position& position) {
        int widest = -1;
        std::uint64_t most = 0;
        for (int suit = 0; suit < SUITS; ++suit) {
            if (!(box.loose >> suit & 1)) continue;
            const unsigned loose = box.loose & ~(1u << suit);
            const std::uint64_t ways = mixed_ways(position, suit);
            if (ways > 1 && loose) {
                if (ask(*generous_, position, loose).yes || !ask(*grudging_, position, loose).yes) return suit;
            }
            if (widest < 0 || ways > most) widest = suit, most = ways;
        }
        return widest;
    }

    std::uint64_t mixed_ways(const Position& position, int suit) const {
        std::uint64_t ways = 1;
        for (int r = odds_.first_run_[static_cast<std::size_t>(suit)];
             r < odds_.first_run_[static_cast<std::size_t>(suit) + 1]; ++r) {
            const CardSet cards = odds_.runs_[static_cast<std::size_t>(r)].cards;
            ways *= choose(count(cards), count(cards & position.hands[EAST]));
        }
        return ways;
    }

    // The part of the box that a reason speaks of; the rest is put back in pieces.
    Box divided(Box box, CardSet east, CardSet named) {
        const CardSet hidden = odds_.problem_.hidden;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            const CardSet marked = cards_of(named, static_cast<int>(suit));
            if (!marked) continue;
            const CardSet told = cards_of(close_up(marked) & hidden, static_cast<int>(suit));
            if (!(box.loose >> suit & 1)) {
                for (CardSet cards = told & ~(box.east | box.west); cards;) {
                    const CardSet card = bit_of(highest(cards));
                    cards ^= card;
                    Box other = box;
                    (east & card ? other.west : other.east) |= card;
                    boxes_.push_back(other);
                    (east & card ? box.east : box.west) |= card;
                }
                continue;
            }
            for (auto r = static_cast<std::size_t>(odds_.first_run_[suit]);
                 r < static_cast<std::size_t>(odds_.first_run_[suit + 1]); ++r) {
                const CardSet cards = odds_.runs_[r].cards;
                if (!(cards & told)) break;
                const CardSet theirs = cards & told & ~east;
                // A card of West's, or the whole run: East's number is known. Else at least so many.
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
        return box;
    }

    void keep(const Box& box, bool makes) {
        const std::uint64_t lies = odds_.weight(box);
        sets.push_back({makes, lies, odds_.bounds(box)});
        report({makes ? lies : 0, makes ? 0 : lies, 1, 0, 0});
    }

    void report(const OddsProgress& more) { report_(more); }

    const Odds& odds_;
    const int need_;
    const bool plain_;
    std::function<void(const OddsProgress&)> report_;
    std::unique_ptr<Search> generous_, grudging_, exact_;  // ties for the defence, for declarer, none
    std::vector<Box> boxes_;
};

OddsResult Odds::settle(int need, bool plain, int threads, std::size_t limit_bytes, const Endings& endings,
                        const OddsWatch& watch) const {
    const auto parts = static_cast<std::size_t>(std::clamp<int>(threads, 1, 64));
    std::mutex reporting;
    OddsResult result;
    std::vector<std::vector<OddsSet>> sets(parts);
    std::vector<std::uint64_t> nodes(parts);
    const auto report = [&](const OddsProgress& more) {
        const std::scoped_lock lock(reporting);
        result.counts.yes += more.yes;
        result.counts.no += more.no;
        result.counts.sets += more.sets;
        result.counts.solves += more.solves;
        result.counts.told_apart += more.told_apart;
    };
    const auto should_stop = [&](std::size_t) {
        OddsProgress now;
        {
            const std::scoped_lock lock(reporting);
            now = result.counts;
        }
        return watch && watch(now);
    };
    try {
        run_parallel(parts, parts, should_stop, [&](const StopCheck& stopped) {
            return [&, stopped](std::size_t part) {
                OddsWorker worker(*this, need, plain, limit_bytes / parts, endings, stopped, report);
                try {
                    // Back and forth, so that every part gets its share of the frequent shapes.
                    for (std::size_t i = 0; i < shapes_.size() && !stopped(); ++i) {
                        const std::size_t turn = i % (2 * parts);
                        if (std::min(turn, 2 * parts - 1 - turn) == part) worker.settle(shapes_[i]);
                    }
                } catch (const Stopped&) {}
                sets[part] = std::move(worker.sets);
                nodes[part] = worker.nodes();
            };
        });
    } catch (const Stopped&) {}
    result.open = lies_ - result.counts.yes - result.counts.no;
    for (std::size_t part = 0; part < parts; ++part) {
        result.nodes += nodes[part];
        std::move(sets[part].begin(), sets[part].end(), std::back_inserter(result.sets));
    }
    return result;
}

std::vector<int> Odds::sample(std::size_t count_wanted, std::uint64_t seed, std::optional<int> need,
                              std::size_t limit_bytes, const Endings& endings, const StopCheck& should_stop) const {
    std::mt19937_64 random(seed);
    const auto below = [&](std::uint64_t end) {  // the same on every machine
        const std::uint64_t most = ~std::uint64_t{0} - ~std::uint64_t{0} % end;
        for (;;)
            if (const std::uint64_t drawn = random(); drawn < most) return drawn % end;
    };
    Solver solver(limit_bytes, ALL_TECHNIQUES, should_stop, endings);
    std::vector<int> tricks;
    tricks.reserve(count_wanted);
    while (tricks.size() < count_wanted && lies_ > 0) {
        if (should_stop && should_stop()) throw Stopped{};
        std::uint64_t place = below(lies_);
        std::size_t shape = 0;
        while (place >= shape_lies_[shape]) place -= shape_lies_[shape++];
        CardSet east;
        do {  // points are left to chance
            east = problem_.east;
            for (std::size_t suit = 0; suit < 4; ++suit) {
                const CardSet cards = cards_of(problem_.hidden, static_cast<int>(suit));
                CardSet free = cards & ~(problem_.east | problem_.west);
                for (int left = shapes_[shape].lengths[suit] - count(cards & problem_.east); left > 0; --left) {
                    CardSet rest = free;
                    for (std::uint64_t skip = below(static_cast<std::uint64_t>(count(free))); skip > 0; --skip)
                        rest &= rest - 1;
                    const CardSet card = rest & (0 - rest);
                    east |= card;
                    free ^= card;
                }
            }
        } while (counts_points_ && (points_of(east) < problem_.min_points || points_of(east) > problem_.max_points));
        if (need)
            tricks.push_back(solver.ask(position(east), *need).yes ? *need : *need - 1);
        else
            tricks.push_back(solver.solve(position(east)).tricks_ns);
    }
    return tricks;
}

}  // namespace setrograde

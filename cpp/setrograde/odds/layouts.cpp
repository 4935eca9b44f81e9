#include "setrograde/odds/layouts.hpp"

#include <algorithm>
#include <cassert>
#include <stdexcept>

#include "setrograde/common/choose.hpp"

namespace setrograde {

namespace {

constexpr int LENGTHS = 14;  // 0 to 13 cards
constexpr int POINTS = 41;   // 0 to 40 points

template <class T>
using ByLength = Per<T, LENGTHS>;
template <class T>
using ByPoints = Per<T, POINTS>;

CardSet lowest_card(CardSet cards) { return cards & (0 - cards); }

int points_of(CardSet cards) {
    int points = 0;
    for (; cards; cards &= cards - 1) points += std::max(0, lowest(cards) % 16 - 8);
    return points;
}

}  // namespace

Layouts::Layouts(OddsProblem problem) : problem_(std::move(problem)) {
    check();
    all_points_ = (std::uint64_t{2} << points_of(problem_.hidden)) - 1;
    find_runs();
    find_shapes();
}

void Layouts::check() {
    const OddsProblem& p = problem_;
    const auto refuse = [](const char* why) { throw std::invalid_argument(why); };
    if (p.strain < 0 || p.strain > NOTRUMP || p.leader < 0 || p.leader >= SEATS || p.trick.size() >= SEATS)
        refuse("no such strain, leader or trick");
    CardSet on_table = 0;
    PerSeat<int> played{};
    int seat = p.leader;
    for (const Place card : p.trick) {
        if (card < 0 || card >= 64 || !(bit_of(card) & ALL_CARDS) || (on_table & bit_of(card))) refuse("no such trick");
        on_table |= bit_of(card);
        played[seat] = 1;
        seat = next_seat(seat);
    }
    if ((p.north & p.south) || ((p.north | p.south) & p.hidden) || (on_table & (p.north | p.south | p.hidden)))
        refuse("a card in two places");
    if (((p.north | p.south | p.hidden) & ~ALL_CARDS) || ((p.east | p.west) & ~p.hidden) || (p.east & p.west))
        refuse("no such cards");
    if (p.cases)
        for (const OddsCase& part : *p.cases)
            if (((part.east | part.west) & ~p.hidden) || (part.east & part.west) || (part.east & p.west) ||
                (part.west & p.east))
                refuse("no such case");
    const int tricks = count(p.north) + played[NORTH];
    east_cards_ = tricks - played[EAST];
    if (tricks < 1 || tricks > 13 || count(p.south) + played[SOUTH] != tricks ||
        count(p.hidden) != east_cards_ + tricks - played[WEST])
        refuse("hands of different sizes");
}

void Layouts::find_runs() {
    CardSet known = problem_.north | problem_.south;
    for (const Place card : problem_.trick) known |= bit_of(card);
    int found = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        first_run_[suit] = found;
        for (CardSet cards = cards_of(problem_.hidden, suit); cards;) {
            const CardSet dividing = cards_of(known, suit) & (bit_of(highest(cards)) - 1);
            const CardSet run = dividing ? cards & above(highest(dividing)) : cards;
            assert(run && found < MAX_RUNS);
            runs_[found++] = run;
            cards ^= run;
        }
    }
    first_run_[SUITS] = found;
}

void Layouts::find_shapes() {
    PerSuit<int> most{};
    for (int suit = 0; suit < SUITS; ++suit) most[suit] = count(cards_of(problem_.hidden, suit));
    Box all{.east = problem_.east, .west = problem_.west};
    for (int r = 0; r < first_run_[SUITS]; ++r) all.high[r] = static_cast<std::uint8_t>(count(runs_[r]));
    std::vector<std::pair<std::uint64_t, Box>> found;
    PerSuit<int> shape{};
    for (shape[0] = 0; shape[0] <= most[0]; ++shape[0])
        for (shape[1] = 0; shape[1] <= most[1]; ++shape[1])
            for (shape[2] = 0; shape[2] <= most[2]; ++shape[2]) {
                shape[3] = east_cards_ - shape[0] - shape[1] - shape[2];
                if (shape[3] < 0 || shape[3] > most[3]) continue;
                if (problem_.shapes && std::ranges::find(*problem_.shapes, shape) == problem_.shapes->end()) continue;
                Box box = all;
                for (int suit = 0; suit < SUITS; ++suit) box.lengths[suit] = static_cast<std::uint8_t>(shape[suit]);
                box.shape = static_cast<std::uint16_t>(limits_.size());
                std::vector<Limit> limits = limits_of(shape);
                std::vector<std::uint64_t> sizes;
                std::uint64_t layouts = 0;
                for (const Limit& limit : limits) layouts += sizes.emplace_back(count_within(box, limit));
                if (layouts == 0) continue;
                found.emplace_back(layouts, box);
                limits_.push_back(std::move(limits));
                limit_sizes_.push_back(std::move(sizes));
            }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [layouts, box] : found) {
        shapes_.push_back(box);
        size_ += layouts;
    }
}

std::vector<Layouts::Limit> Layouts::limits_of(const PerSuit<int>& shape) const {
    std::uint64_t points = 0;
    for (int n = std::max(0, problem_.min_points); n <= std::min(POINTS - 1, problem_.max_points); ++n)
        points |= std::uint64_t{1} << n;
    if (!problem_.cases) return {{.points = points, .east = 0, .west = 0}};
    std::vector<Limit> limits;
    for (const OddsCase& part : *problem_.cases)
        if (std::ranges::find(part.shapes, shape) != part.shapes.end())
            limits.push_back({.points = points & part.points, .east = part.east, .west = part.west});
    return limits;
}

Layouts::Choice Layouts::choice(const Box& box, int run) const {
    const int sure = count(runs_[run] & box.east);
    return {.sure = sure, .free = count(runs_[run] & ~box.west) - sure};
}

std::uint64_t Layouts::count_in(const Box& box) const {
    std::uint64_t layouts = 0;
    for (const Limit& limit : limits_[box.shape]) layouts += count_within(box, limit);
    return layouts;
}

std::uint64_t Layouts::count_within(const Box& whole, const Limit& limit) const {
    if ((limit.east & whole.west) || (limit.west & whole.east)) return 0;
    Box box = whole;
    box.east |= limit.east;
    box.west |= limit.west;
    if ((limit.points & all_points_) != all_points_) return count_by_points(box, limit.points);
    std::uint64_t product = 1;
    for (int suit = 0; suit < SUITS && product; ++suit) {
        ByLength<std::uint64_t> ways{};  // by cards in the runs so far
        ways[0] = 1;
        for (const int r : runs_of(suit)) {
            const auto [sure, free] = choice(box, r);
            ByLength<std::uint64_t> longer{};
            for (int held = std::max<int>(box.low[r], sure); held <= std::min<int>(box.high[r], sure + free); ++held)
                for (int before = 0; before + held < LENGTHS; ++before)
                    longer[before + held] += ways[before] * choose(free, held - sure);
            ways = longer;
        }
        product *= ways[box.lengths[suit]];
    }
    return product;
}

// The same with points, which are counted card by card.
std::uint64_t Layouts::count_by_points(const Box& box, std::uint64_t allowed) const {
    using Ways = std::vector<ByPoints<std::uint64_t>>;  // by cards and points
    ByPoints<std::uint64_t> total{};
    total[0] = 1;
    for (int suit = 0; suit < SUITS; ++suit) {
        Ways ways(LENGTHS);
        ways[0][0] = 1;
        for (const int r : runs_of(suit)) {
            Ways of_run(LENGTHS);
            of_run[0][0] = 1;
            for (CardSet cards = runs_[r]; cards; cards &= cards - 1) {
                const CardSet card = lowest_card(cards);
                const int points = points_of(card);
                for (std::size_t held = LENGTHS - 1; held-- > 0;)
                    for (int so_far = 0; so_far < POINTS; ++so_far) {
                        std::uint64_t& without = of_run[held][so_far];
                        if (!(box.west & card) && so_far + points < POINTS)
                            of_run[held + 1][so_far + points] += without;
                        if (box.east & card) without = 0;
                    }
            }
            Ways longer(LENGTHS);
            for (std::size_t held = box.low[r]; held <= box.high[r]; ++held)
                for (std::size_t before = 0; before + held < LENGTHS; ++before)
                    for (int a = 0; a < POINTS; ++a)
                        if (ways[before][a])
                            for (int b = 0; a + b < POINTS; ++b)
                                longer[before + held][a + b] += ways[before][a] * of_run[held][b];
            ways = std::move(longer);
        }
        ByPoints<std::uint64_t> sum{};
        for (int a = 0; a < POINTS; ++a)
            for (int b = 0; a + b < POINTS; ++b) sum[a + b] += total[a] * ways[box.lengths[suit]][b];
        total = sum;
    }
    std::uint64_t layouts = 0;
    for (int points = 0; points < POINTS; ++points)
        if (allowed >> points & 1) layouts += total[points];
    return layouts;
}

CardSet Layouts::example(const Box& whole) const {
    Box box = whole;
    for (const Limit& limit : limits_[box.shape]) {
        if (!(limit.east | limit.west)) break;
        if (count_within(whole, limit)) {
            box.east |= limit.east;
            box.west |= limit.west;
            break;
        }
    }
    CardSet east = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        const int first = first_run_[suit], end = first_run_[suit + 1];
        // best[r][n]: the most ways for runs from r on to hold n cards; chosen[r][n]: how many of them run r has.
        Per<ByLength<double>, LENGTHS + 1> best{};
        Per<ByLength<std::uint8_t>, LENGTHS + 1> chosen{};
        best[end - first][0] = 1;
        for (int r = end; r-- > first;) {
            const auto [sure, free] = choice(box, r);
            for (int held = std::max<int>(box.low[r], sure); held <= std::min<int>(box.high[r], sure + free); ++held)
                for (int rest = 0; rest + held < LENGTHS; ++rest) {
                    const double ways = best[r - first + 1][rest] * static_cast<double>(choose(free, held - sure));
                    double& most = best[r - first][rest + held];
                    if (ways > most) {
                        most = ways;
                        chosen[r - first][rest + held] = static_cast<std::uint8_t>(held);
                    }
                }
        }
        int left = box.lengths[suit];
        assert(best[0][left] > 0);
        for (int r = first; r < end; ++r) {
            const int held = chosen[r - first][left];
            left -= held;
            const CardSet cards = runs_[r];
            if (box.is_loose(suit))
                east |= top_cards(cards, held);
            else
                east |= (cards & box.east) | top_cards(cards & ~(box.east | box.west), held - count(cards & box.east));
        }
    }
    assert(count(east) == east_cards_);
    return east;
}

CardSet Layouts::draw(Dice& dice, const StopCheck& should_stop) const {
    assert(size_ > 0);
    std::uint64_t place = dice.below(size_);
    const auto [box, limit] = [&] {
        for (const Box& shape : shapes_)
            for (std::size_t i = 0; i < limits_[shape.shape].size(); ++i) {
                const std::uint64_t size = limit_sizes_[shape.shape][i];
                if (place < size) return std::pair(shape, limits_[shape.shape][i]);
                place -= size;
            }
        assert(false);
        return std::pair(shapes_.front(), limits_.front().front());
    }();
    const CardSet sure = problem_.east | limit.east, lacked = problem_.west | limit.west;
    for (unsigned tries = 1;; ++tries) {  // points are left to chance
        CardSet east = sure;
        for (int suit = 0; suit < SUITS; ++suit) {
            const CardSet cards = cards_of(problem_.hidden, suit);
            CardSet free = cards & ~(sure | lacked);
            for (int left = box.lengths[suit] - count(cards & sure); left > 0; --left) {
                CardSet rest = free;
                for (std::uint64_t skip = dice.below(static_cast<std::uint64_t>(count(free))); skip > 0; --skip)
                    rest &= rest - 1;
                east |= lowest_card(rest);
                free ^= lowest_card(rest);
            }
        }
        if (limit.points >> points_of(east) & 1) return east;
        if ((tries & 1023) == 0 && should_stop && should_stop()) throw Stopped{};
    }
}

std::vector<OddsBound> Layouts::bounds(const Box& box) const {
    std::vector<OddsBound> found;
    for (int suit = 0; suit < SUITS; ++suit) {
        const CardSet cards = cards_of(problem_.hidden, suit);
        if (!cards) continue;
        found.push_back({.cards = cards, .low = box.lengths[suit], .high = box.lengths[suit]});
        for (const int r : runs_of(suit))
            if (box.low[r] > 0 || box.high[r] < count(runs_[r]))
                found.push_back({.cards = runs_[r], .low = box.low[r], .high = box.high[r]});
        if (box.is_loose(suit)) continue;
        if (const CardSet held = box.east & cards)
            found.push_back({.cards = held, .low = count(held), .high = count(held)});
        if (const CardSet lacked = box.west & cards) found.push_back({.cards = lacked, .low = 0, .high = 0});
    }
    return found;
}

Position Layouts::position(CardSet east) const {
    Position position;
    position.hands = {problem_.north, east, problem_.south, problem_.hidden & ~east};
    position.strain = problem_.strain;
    position.leader = problem_.leader;
    for (const Place card : problem_.trick) position.trick[static_cast<std::size_t>(position.trick_size++)] = card;
    return position;
}

}  // namespace setrograde

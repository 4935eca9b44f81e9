// Deals counted and drawn against all deals one by one, on few unseen cards with random conditions.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <random>

#include "setrograde/deals/sampler.hpp"

using namespace setrograde;

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
    if (holds) return;
    std::printf("wrong: %s\n", what);
    ++failures;
}

using Deal = PerSeat<CardSet>;

Measure random_measure(std::mt19937_64& random) {
    Measure measure;
    const bool is_odd = random() % 3 == 0;  // not a sum over cards
    for (int suit = 0; suit < SUITS; ++suit) {
        PerSuit<int> worth{};
        for (int& each : worth) each = static_cast<int>(random() % 5) - 1;
        for (unsigned holding = 0; holding < HOLDINGS; ++holding) {
            int sum = 0;
            for (int honour = 0; honour < 4; ++honour)
                if (holding >> (9 + honour) & 1) sum += worth[honour];
            if (is_odd) sum += std::popcount(holding) % 3;
            measure.worth[suit].push_back(static_cast<std::int16_t>(sum));
        }
    }
    return measure;
}

Condition random_condition(std::mt19937_64& random, const DealProblem& problem, CardSet example, bool is_one_hand,
                           int depth) {
    Condition condition;
    for (std::size_t m = 0; m < problem.measures.size(); ++m)
        if (random() % 3 == 0) {
            const int worth = problem.measures[m].of(example);
            condition.bounds.push_back(
                {m, worth - static_cast<int>(random() % 3), worth + static_cast<int>(random() % 3)});
        }
    if (is_one_hand && random() % 3 == 0) {
        condition.shapes.emplace();
        for (int c = 0; c <= 13; ++c)
            for (int d = 0; c + d <= 13; ++d)
                for (int h = 0; c + d + h <= 13; ++h)
                    if (random() % 2) condition.shapes->push_back({{c, d, h, 13 - c - d - h}});
    }
    if (depth > 0 && random() % 2 == 0) {
        condition.clauses.emplace_back();
        for (int i = 0; i < 2; ++i)
            condition.clauses.back().push_back(random_condition(random, problem, example, is_one_hand, depth - 1));
    }
    return condition;
}

void for_all(CardSet unseen, Deal deal, const std::function<void(const Deal&)>& use) {
    if (!unseen) return use(deal);
    for (int seat = 0; seat < SEATS; ++seat)
        if (count(deal[seat]) < HAND_SIZE) {
            Deal next = deal;
            next[seat] |= unseen & (0 - unseen);
            for_all(unseen & (unseen - 1), next, use);
        }
}

bool fits(const DealProblem& problem, const Deal& deal) {
    for (int seat = 0; seat < SEATS; ++seat)
        if (deal[seat] & problem.denied[seat]) return false;
    for (const Watch& watch : problem.watches) {
        CardSet cards = 0;
        for (int seat = 0; seat < SEATS; ++seat)
            if (watch.seats >> seat & 1) cards |= deal[seat];
        if (!allows(watch.condition, problem.measures, cards)) return false;
    }
    return true;
}

void compare(std::mt19937_64& random) {
    std::vector<Place> cards;
    for (Place place = 0; place < 64; ++place)
        if (ALL_CARDS >> place & 1) cards.push_back(place);
    for (std::size_t i = cards.size(); i > 1; --i) std::swap(cards[i - 1], cards[random() % i]);
    DealProblem problem;
    Deal truth{};
    const std::size_t unseen = 1 + random() % 8;
    for (std::size_t i = 0; i < cards.size(); ++i) {
        truth[i % 4] |= bit_of(cards[i]);
        if (i >= unseen) problem.known[i % 4] |= bit_of(cards[i]);
    }
    const CardSet hidden = ALL_CARDS & ~(problem.known[0] | problem.known[1] | problem.known[2] | problem.known[3]);
    for (int seat = 0; seat < SEATS; ++seat)
        if (random() % 4 == 0) problem.denied[seat] = hidden & random() & random() & ~truth[seat];
    for (std::uint64_t m = random() % 3 + 1; m > 0; --m) problem.measures.push_back(random_measure(random));
    for (std::uint64_t w = random() % 5; w > 0; --w) {
        const auto seats = static_cast<unsigned>(1 + random() % 15);
        CardSet example = 0;
        for (int seat = 0; seat < SEATS; ++seat)
            if (seats >> seat & 1) example |= truth[seat];
        problem.watches.push_back({seats, random_condition(random, problem, example, std::has_single_bit(seats), 2)});
    }
    std::map<std::array<CardSet, 4>, int> drawn;
    for_all(hidden, problem.known, [&](const Deal& deal) {
        if (fits(problem, deal)) drawn[deal] = 0;
    });
    const auto counts = std::make_shared<DealCounts>(problem, CountLimits{}, StopCheck{});
    expect(counts->size() == drawn.size(), "number of deals");
    DealSampler sampler(counts, {}, {}, random());
    std::vector<CardSet> hands(drawn.size() * 4 * SEATS);
    const auto deal_at = [&](std::size_t i) {
        return std::array<CardSet, 4>{hands[4 * i], hands[4 * i + 1], hands[4 * i + 2], hands[4 * i + 3]};
    };
    expect(sampler.draw(hands, ~std::uint64_t{0}, {}) == drawn.size() * 4, "all drawn");
    for (std::size_t i = 0; i < drawn.size() * 4; ++i) expect(drawn.contains(deal_at(i)), "a deal that fits");

    // The same with a condition checked after drawing.
    if (problem.watches.empty()) return;
    DealProblem fewer = problem;
    fewer.watches.pop_back();
    DealSampler checked(std::make_shared<DealCounts>(fewer, CountLimits{}, StopCheck{}), problem.measures,
                        {problem.watches.back()}, 1);
    const std::size_t found = checked.draw(hands, 2000, {});
    for (std::size_t i = 0; i < found; ++i) expect(drawn.contains(deal_at(i)), "a deal that passes");
}

void test_limits() {
    DealProblem problem;
    problem.watches.push_back({1, {.shapes = {{{{4, 3, 3, 3}}}}, .bounds = {}, .clauses = {}}});
    const DealCounts counts(problem, {}, {});
    expect(counts.size() > 0, "whole deals");
    bool is_stopped = false, is_too_much = false;
    try {
        const DealCounts stopped(problem, {}, [] { return true; });
    } catch (const Stopped&) {
        is_stopped = true;
    }
    try {
        const DealCounts limited(problem, {.steps = 2, .bytes = 1 << 20}, {});
    } catch (const TooManyCases&) {
        is_too_much = true;
    }
    expect(is_stopped, "counting stops");
    expect(is_too_much, "counting has a limit");
}

}  // namespace

int main(int argc, char** argv) {
    const int rounds = argc > 1 ? std::atoi(argv[1]) : 200;
    std::mt19937_64 random(argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1);
    for (int i = 0; i < rounds && failures < 5; ++i) compare(random);
    test_limits();
    std::printf("%d problems, %d failures\n", rounds, failures);
    return failures ? 1 : 0;
}

#include "setrograde/search/solver.hpp"

#include <algorithm>
#include <cassert>

#include "setrograde/common/parallel.hpp"

namespace setrograde {

namespace {

int tricks_left(const Position& position) { return count(position.hands[position.turn()]); }

// Cards of each side, those on the table included.
struct Sides {
    CardSet ours = 0, theirs = 0;
};

Sides sides_of(const Position& position) {
    Sides sides{position.hands[NORTH] | position.hands[SOUTH], position.hands[EAST] | position.hands[WEST]};
    for (int i = 0; i < position.trick_size; ++i)
        (is_north_south((position.leader + i) & 3) ? sides.ours : sides.theirs) |= bit_of(position.trick[i]);
    return sides;
}

// North-South's share of the points of the four highest cards of each suit (4, 3, 2, 1), less a half.
double edge_in_points(const Sides& sides) {
    double strength = 0, total = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        CardSet all = cards_of(sides.ours | sides.theirs, suit);
        for (int points = 4; all && points > 0; --points) {
            const CardSet top = bit_of(highest(all));
            total += points;
            if (sides.ours & top) strength += points;
            all ^= top;
        }
    }
    return total > 0 ? strength / total - 0.5 : 0;
}

// The longer hand of North-South less the longer hand of East-West, summed over the suits.
int edge_in_length(const Position& position) {
    int edge = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        const auto longer = [&](int seat) {
            return std::max(count(cards_of(position.hands[seat], suit)),
                            count(cards_of(position.hands[partner(seat)], suit)));
        };
        edge += longer(NORTH) - longer(EAST);
    }
    return edge;
}

// Calls work(solver, i) for all i below `size` on several threads, each with a solver of its own.
template <class Work>
void solve_in_parallel(std::size_t size, int threads, std::size_t limit_bytes, const ProgressCheck& should_stop,
                       const Endings& endings, Work work) {
    assert(threads >= 1);
    const std::size_t most = std::max<std::size_t>(std::min(size, limit_bytes / MIN_LIMIT_BYTES), 1);
    const std::size_t running = std::min(static_cast<std::size_t>(threads), most);
    run_parallel(running, size, should_stop, [&](const StopCheck& stopped) {
        return
            [&work, solver = Solver(limit_bytes / running, ALL_TECHNIQUES, stopped, endings)](std::size_t i) mutable {
                solver.reset();
                work(solver, i);
            };
    });
}

}  // namespace

Solver::Solver(std::size_t limit_bytes, unsigned techniques, StopCheck should_stop, Endings endings)
    : search_(make_search(limit_bytes, techniques, std::move(should_stop), std::move(endings))),
      techniques_(techniques) {}

void Solver::reset() {
    search_->reset();
    strain_ = -1;
}

void Solver::use_strain(int strain) {
    if (strain == strain_) return;
    if (strain_ >= 0) search_->reset();
    strain_ = strain;
}

// A linear estimate, fitted to 600 random deals (standard error about 1.2 tricks at notrump, 1.0 in
// a suit).
int Solver::first_guess(const Position& position) const {
    const int tricks = tricks_left(position);
    if (!(techniques_ & FIRST_GUESS)) return (tricks + 1) / 2;
    const Sides sides = sides_of(position);
    const double edge = edge_in_points(sides);
    const int length = edge_in_length(position);
    const double lead = is_north_south(position.leader) ? 1 : -1;
    double guess = tricks / 2.0;
    if (position.strain == NOTRUMP) {
        guess += tricks * 1.5 * edge + 0.1 * length + 0.5 * lead;
    } else {
        const int trumps = count(cards_of(sides.ours | sides.theirs, position.strain));
        const double majority = count(cards_of(sides.ours, position.strain)) - trumps / 2.0;
        guess += tricks * 1.1 * edge + 0.95 * majority + 0.2 * length + 0.2 * lead;
    }
    return std::clamp(static_cast<int>(guess + 0.5), 0, tricks);
}

Answer Solver::ask(const Position& position, int need) {
    use_strain(position.strain);
    return search_->ask(position, need);
}

Value Solver::solve(const Position& position, std::optional<int> guess) {
    use_strain(position.strain);
    int lower = 0, upper = tricks_left(position);
    CardSet named_lower = 0, named_upper = 0;
    int need = guess.value_or(first_guess(position));
    while (lower < upper) {
        need = std::clamp(need, lower + 1, upper);
        const Answer answer = search_->ask(position, need);
        if (answer.yes) {
            lower = need;
            named_lower = answer.named;
            ++need;
        } else {
            upper = need - 1;
            named_upper = answer.named;
            --need;
        }
    }
    return {lower, named_lower | named_upper};
}

// `best` is the position's own value. No card does better, so one question settles a card that does as
// well.
int Solver::value_after(const Position& position, Place card, int best) {
    Position next = position;
    const int winner = play(next, card);
    const int won = winner >= 0 && is_north_south(winner) ? 1 : 0;
    const int left = tricks_left(next);
    if (left == 0) return won;
    int value = best;
    if (is_north_south(position.turn()))
        while (value > won && !search_->ask(next, value - won).yes) --value;
    else
        while (value < won + left && search_->ask(next, value + 1 - won).yes) ++value;
    return value;
}

std::vector<CardValue> Solver::solve_cards(const Position& position) {
    CardSet all = 0;
    for (const CardSet hand : position.hands) all |= hand;
    for (int i = 0; i < position.trick_size; ++i) all |= bit_of(position.trick[i]);
    const int best = solve(position).tricks_ns;
    std::vector<CardValue> values;
    for (CardSet rest = legal_cards(position); rest; rest ^= bit_of(values.back().card)) {
        const Place card = highest(rest);
        const Place before = values.empty() ? -1 : values.back().card;
        // Touching cards are worth the same.
        const bool touches =
            before >= 0 && suit_of(before) == suit_of(card) && !(all & above(card) & (bit_of(before) - 1));
        values.push_back({card, touches ? values.back().tricks_ns : value_after(position, card, best)});
    }
    return values;
}

LeaderTricks Solver::solve_leaders(const PerSeat<CardSet>& hands, int strain) {
    LeaderTricks tricks{};
    std::optional<int> guess;
    for (const int leader : {NORTH, SOUTH, EAST, WEST}) {
        tricks[leader] = solve({.hands = hands, .strain = strain, .leader = leader}, guess).tricks_ns;
        guess = tricks[leader];
    }
    return tricks;
}

std::vector<PerStrain<LeaderTricks>> solve_tables(const std::vector<PerSeat<CardSet>>& deals, int threads,
                                                  std::size_t limit_bytes, const ProgressCheck& should_stop,
                                                  const Endings& endings) {
    std::vector<PerStrain<LeaderTricks>> tables(deals.size());
    solve_in_parallel(deals.size() * STRAINS, threads, limit_bytes, should_stop, endings,
                      [&](Solver& solver, std::size_t i) {
                          const std::size_t deal = i / STRAINS, strain = i % STRAINS;
                          tables[deal][strain] = solver.solve_leaders(deals[deal], static_cast<int>(strain));
                      });
    return tables;
}

std::vector<int> solve_many(const std::vector<Position>& positions, int threads, std::size_t limit_bytes,
                            const ProgressCheck& should_stop, const Endings& endings) {
    std::vector<int> tricks(positions.size());
    solve_in_parallel(positions.size(), threads, limit_bytes, should_stop, endings,
                      [&](Solver& solver, std::size_t i) { tricks[i] = solver.solve(positions[i]).tricks_ns; });
    return tricks;
}

}  // namespace setrograde

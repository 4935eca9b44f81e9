#include "setrograde/search/solver.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

namespace setrograde {

namespace {

int tricks_left(const Position& position) { return count(position.hands[static_cast<std::size_t>(position.turn())]); }

// Runs `work(solver, i)` for i < size on several threads, each with a solver of its own; the
// calling thread watches `should_stop`.
template <typename Work>
void run_parallel(std::size_t size, int threads, std::size_t limit_bytes, const StopCheck& should_stop,
                  std::atomic<std::size_t>& progress, const Endings& endings, Work work) {
    // No more threads than there is work or memory for.
    const std::size_t most = std::min(size, limit_bytes / MIN_LIMIT_BYTES);
    threads = std::clamp(threads, 1, static_cast<int>(std::clamp<std::size_t>(most, 1, 1024)));
    std::atomic<bool> stop{false};
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::condition_variable finished;
    int running = threads;
    std::exception_ptr failure;
    const auto worker = [&] {
        try {
            Solver solver(
                limit_bytes / static_cast<std::size_t>(threads), ALL_TECHNIQUES,
                [&] { return stop.load(std::memory_order_relaxed); }, endings);
            for (std::size_t i; !stop && (i = next.fetch_add(1)) < size; ++progress) work(solver, i);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!failure) failure = std::current_exception();
            stop = true;
        }
        const std::lock_guard lock(mutex);
        --running;
        finished.notify_all();
    };
    std::vector<std::thread> pool;
    try {
        for (int i = 0; i < threads; ++i) pool.emplace_back(worker);
    } catch (...) {  // fewer threads than asked for will do, none will not
        const std::lock_guard lock(mutex);
        running -= threads - static_cast<int>(pool.size());
        if (pool.empty()) throw;
    }
    bool stopped = false;
    {
        std::unique_lock lock(mutex);
        while (running > 0) {
            finished.wait_for(lock, std::chrono::milliseconds(50));
            if (running == 0 || stopped) continue;
            lock.unlock();
            if (should_stop && should_stop()) stopped = stop = true;
            lock.lock();
        }
    }
    for (std::thread& thread : pool) thread.join();
    if (stopped) throw Stopped{};
    if (failure) std::rethrow_exception(failure);
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
    CardSet ours = position.hands[0] | position.hands[2];
    CardSet theirs = position.hands[1] | position.hands[3];
    for (int i = 0; i < position.trick_size; ++i) {
        const CardSet card = bit_of(position.trick[static_cast<std::size_t>(i)]);
        (is_north_south((position.leader + i) & 3) ? ours : theirs) |= card;
    }
    double strength = 0, total = 0;
    for (int suit = 0; suit < SUITS; ++suit) {
        CardSet all = cards_of(ours | theirs, suit);
        for (double points = 4; all && points > 0; points -= 1) {
            const CardSet top = bit_of(highest(all));
            total += points;
            if (ours & top) strength += points;
            all ^= top;
        }
    }
    const double edge = total > 0 ? strength / total - 0.5 : 0;
    int length = 0;  // of the longer hands of each suit, ours against theirs
    for (int suit = 0; suit < SUITS; ++suit) {
        const auto longer = [&](std::size_t seat) {
            return std::max(count(cards_of(position.hands[seat], suit)),
                            count(cards_of(position.hands[seat + 2], suit)));
        };
        length += longer(0) - longer(1);
    }
    const double lead = is_north_south(position.leader) ? 1 : -1;
    double guess = tricks / 2.0;
    if (position.strain == NOTRUMP) {
        guess += tricks * 1.5 * edge + 0.1 * length + 0.5 * lead;
    } else {
        const int trumps = count(cards_of(ours | theirs, position.strain));
        const double majority = count(cards_of(ours, position.strain)) - trumps / 2.0;
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

std::vector<CardValue> Solver::solve_cards(const Position& position) {
    std::vector<CardValue> values;
    const CardSet legal = legal_cards(position);
    const CardSet hand = position.hands[static_cast<std::size_t>(position.turn())];
    CardSet all = hand;
    for (const CardSet other : position.hands) all |= other;
    for (int i = 0; i < position.trick_size; ++i) all |= bit_of(position.trick[static_cast<std::size_t>(i)]);
    // No card does better than the position: one question settles a card that does as well.
    const bool ours = is_north_south(position.turn());
    const int best = solve(position).tricks_ns;
    Place before = -1;
    for (CardSet rest = legal; rest; rest ^= bit_of(values.back().card)) {
        const Place card = highest(rest);
        // Touching cards are worth the same.
        if (before >= 0 && suit_of(before) == suit_of(card) && !(all & above(card) & (bit_of(before) - 1))) {
            values.push_back({card, values.back().tricks_ns});
        } else {
            Position next = position;
            const int winner = play(next, card);
            const int won = winner >= 0 && is_north_south(winner) ? 1 : 0;
            const int left = tricks_left(next);
            int value = best;
            if (left == 0)
                value = won;
            else if (ours)
                while (value > won && !search_->ask(next, value - won).yes) --value;
            else
                while (value < won + left && search_->ask(next, value + 1 - won).yes) ++value;
            values.push_back({card, value});
        }
        before = card;
    }
    return values;
}

std::array<int, 4> Solver::solve_leaders(const std::array<CardSet, 4>& hands, int strain) {
    std::array<int, 4> tricks{};
    Position position;
    position.hands = hands;
    position.strain = strain;
    std::optional<int> guess;
    for (const int leader : {NORTH, SOUTH, EAST, WEST}) {
        position.leader = leader;
        tricks[static_cast<std::size_t>(leader)] = solve(position, guess).tricks_ns;
        guess = tricks[static_cast<std::size_t>(leader)];
    }
    return tricks;
}

std::vector<std::array<std::array<int, 4>, 5>> solve_tables(const std::vector<std::array<CardSet, 4>>& deals,
                                                            int threads, std::size_t limit_bytes,
                                                            const StopCheck& should_stop,
                                                            std::atomic<std::size_t>& progress,
                                                            const Endings& endings) {
    std::vector<std::array<std::array<int, 4>, 5>> tables(deals.size());
    run_parallel(deals.size() * 5, threads, limit_bytes, should_stop, progress, endings,
                 [&](Solver& solver, std::size_t i) {
                     solver.reset();
                     const int strain = static_cast<int>(i % 5);
                     tables[i / 5][i % 5] = solver.solve_leaders(deals[i / 5], strain);
                 });
    return tables;
}

std::vector<int> solve_many(const std::vector<Position>& positions, int threads, std::size_t limit_bytes,
                            const StopCheck& should_stop, std::atomic<std::size_t>& progress, const Endings& endings) {
    std::vector<int> tricks(positions.size());
    run_parallel(positions.size(), threads, limit_bytes, should_stop, progress, endings,
                 [&](Solver& solver, std::size_t i) {
                     solver.reset();
                     tricks[i] = solver.solve(positions[i]).tricks_ns;
                 });
    return tricks;
}

}  // namespace setrograde

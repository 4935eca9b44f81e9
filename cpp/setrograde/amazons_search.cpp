#include "amazons_search.hpp"

#include <algorithm>
#include <stdexcept>

namespace setrograde {

AmazonsSearch::AmazonsSearch(int width, int height, std::size_t limit_bytes, StopCheck should_stop)
    : grid_(width, height), territory_(grid_), should_stop_(std::move(should_stop)) {
    constexpr std::size_t bucket_bytes = ENTRIES_OF_BUCKET * sizeof(Entry);
    buckets_ = std::max(limit_bytes, MIN_LIMIT_BYTES) / bucket_bytes;
    table_.resize((buckets_ + 1) * ENTRIES_OF_BUCKET);
    std::fill_n(table_.data(), table_.capacity(), Entry{});
    const std::size_t past = reinterpret_cast<std::uintptr_t>(table_.data()) % bucket_bytes;
    aligned_ = table_.data() + (bucket_bytes - past) / sizeof(Entry);
}

std::uint64_t AmazonsSearch::stored() const {
    return static_cast<std::uint64_t>(
        std::count_if(table_.data(), table_.data() + table_.capacity(), [](const Entry& entry) { return entry.board != 0; }));
}

AmazonsBoard AmazonsSearch::board_of(std::uint64_t key) {
    const auto amazons = static_cast<Squares>(key >> 30), rest = static_cast<Squares>(key & 0x3FFFFFFF);
    return {amazons & rest, amazons & ~rest, rest & ~amazons};
}

AmazonsSearch::Entry* AmazonsSearch::bucket_of(std::uint64_t board) {
    std::uint64_t hash = board * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93ULL;
    const auto bucket = static_cast<std::size_t>((static_cast<unsigned __int128>(hash) * buckets_) >> 64);
    return aligned_ + bucket * ENTRIES_OF_BUCKET;
}

bool AmazonsSearch::look_up(std::uint64_t board, int spare, Numbers& numbers) {
    const Entry* bucket = bucket_of(board);
    bool is_known = false;
    for (std::size_t i = 0; i < ENTRIES_OF_BUCKET; ++i) {
        const Entry& entry = bucket[i];
        if (entry.board != board) continue;
        const int entry_spare = static_cast<int>(entry.spare) - SPARE_OFFSET;
        if ((entry.win == 0 && spare >= entry_spare) || (entry.loss == 0 && spare <= entry_spare)) {
            numbers = {static_cast<std::uint32_t>(entry.win), static_cast<std::uint32_t>(entry.loss)};
            return true;
        }
        if (spare == entry_spare) {
            numbers = {static_cast<std::uint32_t>(entry.win), static_cast<std::uint32_t>(entry.loss)};
            is_known = true;
        }
    }
    return is_known;
}

void AmazonsSearch::store(std::uint64_t board, int spare, Numbers numbers, std::uint64_t work) {
    Entry* bucket = bucket_of(board);
    const auto work_bits = static_cast<unsigned>(std::bit_width(work));
    Entry* worst = nullptr;
    std::uint64_t kept_work = work_bits;
    for (std::size_t i = 0; i < ENTRIES_OF_BUCKET; ++i) {
        Entry& entry = bucket[i];
        if (entry.board == board) {
            const int entry_spare = static_cast<int>(entry.spare) - SPARE_OFFSET;
            const bool is_told = spare == entry_spare || (numbers.win == 0 && entry_spare > spare && entry.loss != 0) ||
                                 (numbers.loss == 0 && entry_spare < spare && entry.win != 0);
            if (is_told) {
                kept_work = std::max(kept_work, std::uint64_t{entry.work});
                entry = {};
            }
        }
        if (!worst || (worst->board != 0 && (entry.board == 0 || entry.work < worst->work))) worst = &entry;
    }
    worst->board = board;
    worst->win = numbers.win;
    worst->loss = numbers.loss;
    worst->spare = static_cast<unsigned>(spare + SPARE_OFFSET) & 63;
    worst->work = kept_work & 63;
}

#ifndef NEAR
#define NEAR 3
#endif
#ifndef INIT
#define INIT 0
#endif
#ifndef SCALE
#define SCALE 1
#endif
#ifndef BASE
#define BASE 1
#endif
#ifndef SUM
#define SUM 0
#endif
#ifndef DAMP
#define DAMP 4
#endif
#ifndef EPS
#define EPS 4
#endif

AmazonsSearch::Numbers AmazonsSearch::first_numbers(const ReducedBoard& reduced) const {
    if (INIT == 0) return {1, 1};
    int twice = 0;
    if (INIT == 1) twice = 2 * reduced.spare + reduced.least + reduced.most;
    if (INIT >= 2) {
        const auto& [own, other, empty] = reduced.board;
        const auto reach = [&](Squares from) {
            Squares to = 0;
            for (; from; from &= from - 1) to |= grid_.queen(index_of(from), empty);
            return to;
        };
        Squares a = own, b = other, free = empty;
        int diff = 0, ties = 0;
        while (free) {
            Squares na = 0, nb = 0;
            if (INIT != 3) na = reach(a) & free, nb = reach(b) & free;
            else na = grid_.spread(a) & free, nb = grid_.spread(b) & free;
            if (!(na | nb)) break;
            diff += std::popcount(na & ~nb) - std::popcount(nb & ~na);
            ties += std::popcount(na & nb);
            a = na; b = nb;
            free &= ~(na | nb);
        }
        twice = 2 * (reduced.spare + diff) + (ties > 0);
        if (INIT == 4) twice += reduced.least + reduced.most + 2 * reduced.spare;
        if (INIT == 5) twice = (twice + 1) * std::popcount(empty) / 4;
    }
    const int scaled = twice * SCALE / 2;
    return {static_cast<std::uint32_t>(BASE + std::max(0, -scaled)), static_cast<std::uint32_t>(BASE + std::max(0, scaled))};
}

bool AmazonsSearch::add_children(std::uint64_t board, int spare) {
    constexpr std::size_t AHEAD = 8;  // children whose buckets are under way
    const std::size_t first = children_.size();
    const AmazonsBoard from = board_of(board);
    const auto is_lost = [&](Child& child) {
        look_up(child.board, child.spare, child.numbers);
        return child.numbers.loss == 0;
    };
    const auto add = [&](const AmazonsBoard& after, int spare_after) {
        ReducedBoard reduced = territory_.reduce(after, spare_after);
        territory_.set_bounds(reduced);
        if (const auto is_won = reduced.is_won()) return !*is_won;
        if (NEAR > -9 && territory_.wins_by_a_step(reduced)) return false;
        const std::uint64_t key = key_of(grid_.least_image(reduced.board));
        __builtin_prefetch(bucket_of(key));
        children_.push_back({key, first_numbers(reduced), static_cast<std::int8_t>(reduced.spare)});
        return children_.size() - first > AHEAD && is_lost(children_[children_.size() - 1 - AHEAD]);
    };
    if (spare > 0 && add({from.other, from.own, from.empty}, 1 - spare)) return true;
    if (grid_.visit_moves(from, [&](const AmazonsBoard& after) { return add(after, -spare); })) return true;
    for (std::size_t i = children_.size() - std::min(AHEAD, children_.size() - first); i < children_.size(); ++i)
        if (is_lost(children_[i])) return true;
    const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(first);
    children_.erase(std::remove_if(begin, children_.end(), [](const Child& child) { return child.numbers.win == 0; }),
                    children_.end());
    std::sort(begin, children_.end(), [](const Child& a, const Child& b) {
        return a.board != b.board ? a.board < b.board : a.spare < b.spare;
    });
    // Of equal boards the one where the opponent has fewest spare moves is best for us.
    children_.erase(std::unique(begin, children_.end(), [](const Child& a, const Child& b) { return a.board == b.board; }),
                    children_.end());
    return false;
}

void AmazonsSearch::note_work() {
    ++nodes_;
    if (should_stop_ && (nodes_ & 0xFFF) == 0 && should_stop_()) throw Stopped{};
}

AmazonsSearch::Numbers AmazonsSearch::search(std::uint64_t board, int spare, Numbers limits) {
    const std::uint64_t nodes_before = nodes_;
    note_work();
    const std::size_t first = children_.size();
    if (add_children(board, spare)) {
        children_.resize(first);
        const Numbers won{0, MANY};
        store(board, spare, won, nodes_ - nodes_before);
        return won;
    }
    const std::size_t last = children_.size();
    Numbers numbers;
    for (;;) {
        std::size_t best = last;
        std::uint32_t least = MANY, second = MANY;
        std::uint64_t sum = 0;
        std::uint32_t most = 0, unsettled = 0;
        for (std::size_t i = first; i < last; ++i) {
            const Numbers& child = children_[i].numbers;
            if (child.loss < least || (child.loss == least && best == last)) {
                second = least;
                least = child.loss;
                best = i;
            } else if (child.loss < second) {
                second = child.loss;
            }
            sum += child.win;
            most = std::max(most, child.win);
            unsettled += child.win != 0;
        }
        if (SUM == 1 && sum) sum = most + unsettled - 1;
        if (SUM == 2 && sum) sum = most + (unsettled - 1) / DAMP;
        numbers = {least, static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, MANY - 1))};
        if (sum == 0) numbers = {MANY, 0};
        if (numbers.win == 0) numbers = {0, MANY};
        if (numbers.win == 0 || numbers.loss == 0 || numbers.win >= limits.win || numbers.loss >= limits.loss) break;
        Child& child = children_[best];
        const std::uint32_t step = std::max<std::uint32_t>(1, second / EPS);
        const Numbers child_limits{
            static_cast<std::uint32_t>(std::min<std::uint64_t>(MANY, SUM ? std::uint64_t{limits.loss} - (sum - most) : std::uint64_t{limits.loss} - numbers.loss + child.numbers.win)),
            std::min({limits.win, second + step, MANY})};
        const Numbers found = search(child.board, child.spare, child_limits);
        Child& searched = children_[best];
        searched.numbers = found;
        if (found.win == 0) searched.numbers = {0, MANY};
    }
    children_.resize(first);
    store(board, spare, numbers, nodes_ - nodes_before);
    return numbers;
}

bool AmazonsSearch::is_won(const AmazonsBoard& board) {
    if ((board.own & board.other) || ((board.own | board.other) & board.empty) ||
        ((board.own | board.other | board.empty) & ~grid_.all()))
        throw std::invalid_argument("squares overlap or are not on the board");
    ReducedBoard reduced = territory_.reduce(board);
    territory_.set_bounds(reduced);
    if (const auto is_won = reduced.is_won()) return *is_won;
    const std::uint64_t key = key_of(grid_.least_image(reduced.board));
    Numbers numbers;
    if (!look_up(key, reduced.spare, numbers)) numbers = {};
    children_.clear();
    while (numbers.win != 0 && numbers.loss != 0) numbers = search(key, reduced.spare, {MANY, MANY});
    return numbers.win == 0;
}

}  // namespace setrograde

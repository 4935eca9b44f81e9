#include "amazons_search.hpp"

#include <algorithm>
#include <stdexcept>

namespace setrograde {

AmazonsSearch::AmazonsSearch(int width, int height, std::size_t limit_bytes, StopCheck should_stop)
    : grid_(width, height), territory_(grid_), should_stop_(std::move(should_stop)) {
    constexpr std::size_t bucket_bytes = ENTRIES_OF_BUCKET * sizeof(Entry);
    buckets_ = std::max(limit_bytes, MIN_LIMIT_BYTES) / bucket_bytes;
    table_.resize(buckets_ * ENTRIES_OF_BUCKET);
}

std::uint64_t AmazonsSearch::stored() const {
    return static_cast<std::uint64_t>(
        std::count_if(table_.begin(), table_.end(), [](const Entry& entry) { return entry.board != 0; }));
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
    return table_.data() + bucket * ENTRIES_OF_BUCKET;
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

bool AmazonsSearch::add_children(std::uint64_t board, int spare) {
    const std::size_t first = children_.size();
    const AmazonsBoard from = board_of(board);
    const auto add = [&](const AmazonsBoard& after, int spare_after) {
        ReducedBoard reduced = territory_.reduce(after, spare_after);
        territory_.set_bounds(reduced);
        if (const auto is_won = reduced.is_won()) return !*is_won;
        const std::uint64_t key = key_of(grid_.least_image(reduced.board));
        Numbers numbers;
        if (look_up(key, reduced.spare, numbers)) {
            if (numbers.loss == 0) return true;
            if (numbers.win == 0) return false;
        }
        children_.push_back({key, numbers, static_cast<std::int8_t>(reduced.spare)});
        return false;
    };
    if (spare > 0 && add({from.other, from.own, from.empty}, 1 - spare)) return true;
    if (grid_.visit_moves(from, [&](const AmazonsBoard& after) { return add(after, -spare); })) return true;
    const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(first);
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
        }
        numbers = {least, static_cast<std::uint32_t>(std::min<std::uint64_t>(sum, MANY - 1))};
        if (sum == 0) numbers = {MANY, 0};
        if (numbers.win == 0) numbers = {0, MANY};
        if (numbers.win == 0 || numbers.loss == 0 || numbers.win >= limits.win || numbers.loss >= limits.loss) break;
        Child& child = children_[best];
        const std::uint32_t step = std::max<std::uint32_t>(1, second / 4);
        const Numbers child_limits{
            static_cast<std::uint32_t>(std::min<std::uint64_t>(MANY, std::uint64_t{limits.loss} - numbers.loss + child.numbers.win)),
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

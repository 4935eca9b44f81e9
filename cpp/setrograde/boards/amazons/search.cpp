#include "setrograde/boards/amazons/search.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace setrograde {

namespace {

constexpr std::size_t POLL_ENTRIES = std::size_t{1} << 16;  // of a table that grows

}  // namespace

AmazonsSearch::AmazonsSearch(int width, int height, std::size_t limit_bytes) : grid_(width, height), territory_(grid_) {
    static_assert(MIN_LIMIT_BYTES > 2 * AmazonsTerritory::TABLE_BYTES);
    const std::size_t bytes = std::max(limit_bytes, MIN_LIMIT_BYTES) - AmazonsTerritory::TABLE_BYTES;
    most_buckets_ = bytes / BUCKET_BYTES - 1;
    grow_table(std::min(FIRST_BUCKETS, most_buckets_));
}

AmazonsBoard AmazonsSearch::board_of(std::uint64_t key) {
    const auto amazons = static_cast<Squares>(key >> 30), rest = static_cast<Squares>(key & 0x3FFFFFFF);
    return {amazons & rest, amazons & ~rest, rest & ~amazons};
}

// --- the table ---

AmazonsSearch::Entry* AmazonsSearch::bucket_of(std::uint64_t board) {
    std::uint64_t hash = board * 0x9E3779B97F4A7C15ULL;
    hash ^= hash >> 32;
    hash *= 0xD6E8FEB86659FD93ULL;
    return first_bucket_ + ((hash >> 32) * buckets_ >> 32) * ENTRIES_OF_BUCKET;
}

void AmazonsSearch::grow_table(std::size_t buckets) {
    // Step 1. Room for one bucket more, so that the first can be where a cache line starts.
    const std::size_t offset = static_cast<std::size_t>(first_bucket_ - table_.data());
    const std::size_t old_entries = buckets_ * ENTRIES_OF_BUCKET, entries = buckets * ENTRIES_OF_BUCKET;
    table_.resize(entries + ENTRIES_OF_BUCKET);
    const std::size_t past = reinterpret_cast<std::uintptr_t>(table_.data()) % BUCKET_BYTES;
    first_bucket_ = table_.data() + (BUCKET_BYTES - past) / sizeof(Entry);
    std::memmove(first_bucket_, table_.data() + offset, old_entries * sizeof(Entry));
    for (std::size_t i = old_entries; i < entries; i += POLL_ENTRIES) {
        std::fill_n(first_bucket_ + i, std::min(POLL_ENTRIES, entries - i), Entry{});
        poll();  // a stop leaves the table as it was, in more memory
    }

    // Step 2. Each bucket is dealt out to later ones, the last first: buckets are in order of hashes, so
    // that none is overwritten that has not been dealt out.
    const std::size_t old_buckets = std::exchange(buckets_, buckets);
    stored_ = 0;
    for (std::size_t i = old_buckets; i-- > 0;) {
        if (i % POLL_ENTRIES == 0 && should_stop_ && should_stop_()) {
            std::fill_n(first_bucket_, (i + 1) * ENTRIES_OF_BUCKET, Entry{});  // forgotten
            throw Stopped{};
        }
        std::array<Entry, ENTRIES_OF_BUCKET> moved;
        Entry* bucket = first_bucket_ + i * ENTRIES_OF_BUCKET;
        std::copy_n(bucket, ENTRIES_OF_BUCKET, moved.begin());
        std::fill_n(bucket, ENTRIES_OF_BUCKET, Entry{});
        for (const Entry& entry : moved) {
            if (entry.board == 0) continue;
            Entry* to = bucket_of(entry.board);
            Entry* end = to + ENTRIES_OF_BUCKET;
            Entry* free = std::find_if(to, end, [](const Entry& at) { return at.board == 0; });
            if (free == end) continue;  // forgotten
            *free = entry;
            ++stored_;
        }
    }
}

void AmazonsSearch::look_up(std::uint64_t board, int spare, Numbers& numbers) {
    const Entry* bucket = bucket_of(board);
    for (std::size_t i = 0; i < ENTRIES_OF_BUCKET; ++i) {
        const Entry& entry = bucket[i];
        if (entry.board != board) continue;
        const Numbers known = entry.get();
        // Spare moves never hurt: they need not be used.
        if ((known.win == 0 && spare >= entry.spare()) || (known.loss == 0 && spare <= entry.spare())) {
            numbers = known;
            return;
        }
        if (spare == entry.spare()) numbers = known;
    }
}

void AmazonsSearch::store(std::uint64_t board, int spare, Numbers numbers, std::uint64_t work) {
    if (buckets_ < most_buckets_ && stored_ > buckets_ * ENTRIES_OF_BUCKET / 2)
        grow_table(std::min(4 * buckets_, most_buckets_));
    Entry* bucket = bucket_of(board);
    auto work_bits = static_cast<unsigned>(std::bit_width(work));
    Entry* worst = bucket;
    for (std::size_t i = 0; i < ENTRIES_OF_BUCKET; ++i) {
        Entry& entry = bucket[i];
        if (entry.board == board) {
            // Room is made where the new entry says all that this one does.
            const Numbers known = entry.get();
            if (spare == entry.spare() || (numbers.win == 0 && spare < entry.spare() && known.loss != 0) ||
                (numbers.loss == 0 && spare > entry.spare() && known.win != 0)) {
                work_bits = std::max(work_bits, entry.work());
                entry = {};
                --stored_;
            }
        }
        if (worst->board != 0 && (entry.board == 0 || entry.work() < worst->work())) worst = &entry;
    }
    stored_ += worst->board == 0;
    *worst = {board, std::uint64_t{numbers.win} | std::uint64_t{numbers.loss} << 26 |
                         static_cast<std::uint64_t>(spare + SPARE_OFFSET) << 52 | std::uint64_t{work_bits} << 58};
}

// --- the search ---

// By the middle of the bounds, the squares a king gets to first, and the move. Of boards of 5x5 and 6x4 with
// 8 to 12 empty squares, the first alone put a won one before a lost one 9 times in 10, with the second
// 98 to 99 in 100; with both and the move 5x5 took one node in two hundred. Squares that a queen gets to
// first and counts of moves told less and take longer.
AmazonsSearch::Numbers AmazonsSearch::first_numbers(const ReducedBoard& reduced) const {
    constexpr int FOR_SPARE = 4, FOR_SQUARE = 6, FOR_MOVE = 36;
    const int ahead = FOR_SPARE * (2 * reduced.spare + reduced.least + reduced.most) / 2 +
                      FOR_SQUARE * grid_.nearer_squares(reduced.board) + FOR_MOVE;
    return {static_cast<std::uint32_t>(1 + std::max(0, -ahead)), static_cast<std::uint32_t>(1 + std::max(0, ahead))};
}

bool AmazonsSearch::add_children(std::uint64_t board, int spare) {
    constexpr std::size_t AHEAD = 8;  // children whose buckets are being fetched
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
        if (territory_.wins_by_a_step(reduced)) return false;
        const std::uint64_t key = key_of(grid_.least_image(reduced.board));
        __builtin_prefetch(bucket_of(key));
        children_.push_back({key, first_numbers(reduced), static_cast<std::int8_t>(reduced.spare)});
        return children_.size() - first > AHEAD && is_lost(children_[children_.size() - 1 - AHEAD]);
    };
    // Step 1. A spare move, then all others.
    if (spare > 0 && add({from.other, from.own, from.empty}, 1 - spare)) return true;
    if (grid_.visit_moves(from, [&](const AmazonsBoard& after) { return add(after, -spare); })) return true;
    for (std::size_t i = children_.size() - std::min(AHEAD, children_.size() - first); i < children_.size(); ++i)
        if (is_lost(children_[i])) return true;

    // Step 2. Of equal boards the one where the opponent has fewest spare moves is enough.
    const auto begin = children_.begin() + static_cast<std::ptrdiff_t>(first);
    children_.erase(std::remove_if(begin, children_.end(), [](const Child& child) { return child.numbers.win == 0; }),
                    children_.end());
    std::sort(begin, children_.end(), [](const Child& a, const Child& b) {
        return a.board != b.board ? a.board < b.board : a.spare < b.spare;
    });
    children_.erase(
        std::unique(begin, children_.end(), [](const Child& a, const Child& b) { return a.board == b.board; }),
        children_.end());
    return false;
}

AmazonsSearch::Numbers AmazonsSearch::search(std::uint64_t board, int spare, Numbers limits) {
    const std::uint64_t nodes_before = nodes_++;
    if ((nodes_ & 0xFF) == 0) poll();
    const std::size_t first = children_.size();
    Numbers numbers{0, MANY};
    if (!add_children(board, spare)) {
        const std::size_t last = children_.size();
        for (;;) {
            // Step 1. The numbers of the board from those of its children.
            std::size_t best = last;
            std::uint32_t least = MANY, second = MANY, most = 0, unsettled = 0;
            for (std::size_t i = first; i < last; ++i) {
                const Numbers& child = children_[i].numbers;
                if (child.win == 0) continue;
                if (best == last || child.loss < least) {
                    second = least;
                    least = child.loss;
                    best = i;
                } else {
                    second = std::min(second, child.loss);
                }
                most = std::max(most, child.win);
                ++unsettled;
            }
            // To refute all moves is as hard as the hardest of them and a little more for the others: many
            // come to the same. Their sum took three times the nodes on 4x5; one for each other, or
            // none, also took more.
            const std::uint32_t others = unsettled ? (unsettled - 1) / 8 : 0;
            if (unsettled == 0)
                numbers = {MANY, 0};
            else if (least == 0)
                numbers = {0, MANY};
            else
                numbers = {least, std::min(most + others, MANY - 1)};
            if (numbers.win == 0 || numbers.loss == 0 || numbers.win >= limits.win || numbers.loss >= limits.loss)
                break;

            // Step 2. The likeliest move, until another is likelier by a quarter.
            const Child child = children_[best];
            const Numbers child_limits{limits.loss == MANY ? MANY : limits.loss - others,
                                       std::min({limits.win, second + std::max(1U, second / 4), MANY})};
            children_[best].numbers = search(child.board, child.spare, child_limits);
        }
    }
    children_.resize(first);
    store(board, spare, numbers, nodes_ - nodes_before);
    return numbers;
}

ReducedBoard AmazonsSearch::reduce(const AmazonsBoard& board) {
    const auto& [own, other, empty] = board;
    if ((own & other) || ((own | other) & empty) || ((own | other | empty) & ~grid_.all()))
        throw std::invalid_argument("squares overlap or are not on the board");
    ReducedBoard reduced = territory_.reduce(board);
    territory_.set_bounds(reduced);
    return reduced;
}

std::optional<bool> AmazonsSearch::known_winner(const ReducedBoard& reduced, std::uint64_t key) {
    if (const auto is_won = reduced.is_won()) return is_won;
    Numbers numbers{1, 1};
    look_up(key, reduced.spare, numbers);
    if (numbers.win != 0 && numbers.loss != 0) return std::nullopt;
    return numbers.win == 0;
}

template <class Work>
auto AmazonsSearch::watched(const StopCheck& should_stop, Work work) {
    struct Watch {
        AmazonsSearch& search;
        ~Watch() {
            search.should_stop_ = {};
            search.territory_.watch({});
        }
    };
    const Watch watch{*this};
    should_stop_ = should_stop;
    territory_.watch(should_stop);
    poll();
    return work();
}

std::optional<bool> AmazonsSearch::is_known_won(const AmazonsBoard& board, const StopCheck& should_stop) {
    return watched(should_stop, [&] {
        const ReducedBoard reduced = reduce(board);
        return known_winner(reduced, key_of(grid_.least_image(reduced.board)));
    });
}

bool AmazonsSearch::is_won(const AmazonsBoard& board, const StopCheck& should_stop) {
    return watched(should_stop, [&] {
        const ReducedBoard reduced = reduce(board);
        const std::uint64_t key = key_of(grid_.least_image(reduced.board));
        if (const auto is_won = known_winner(reduced, key)) return *is_won;
        children_.clear();
        Numbers numbers{1, 1};
        while (numbers.win != 0 && numbers.loss != 0) numbers = search(key, reduced.spare, {MANY, MANY});
        return numbers.win == 0;
    });
}

}  // namespace setrograde

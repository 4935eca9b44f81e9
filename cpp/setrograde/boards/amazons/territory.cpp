#include "setrograde/boards/amazons/territory.hpp"

#include <algorithm>

namespace setrograde {

namespace {

constexpr int TABLE_BITS = 16;
static_assert((std::size_t{1} << TABLE_BITS) * sizeof(std::uint64_t) == AmazonsTerritory::TABLE_BYTES);

// Steps are tried if at most so many moves are missing. With 1 boards of 4x5 took a fifth more nodes, with
// 5 no fewer but half as much time again.
constexpr int MOST_MISSING = 3;

}  // namespace

AmazonsTerritory::AmazonsTerritory(const AmazonsGrid& grid) : grid_(grid), table_(std::size_t{1} << TABLE_BITS) {}

int AmazonsTerritory::most_moves(Squares empty, Squares amazons, Squares doors) {
    int moves = 0;
    Squares open = empty | amazons;
    while (open) {
        const Squares part = grid_.flood(lowest(open), open);
        open &= ~part;
        if ((part & amazons) && (part & empty)) moves += most_moves_of_part(part & empty, part & amazons, part & doors);
    }
    return moves;
}

int AmazonsTerritory::most_moves_of_part(Squares empty, Squares amazons, Squares doors) {
    const int bound = std::popcount(empty);
    if (bound <= 1) return bound;  // a single empty square has an amazon beside it
    const AmazonsBoard image = grid_.least_image({amazons & ~doors, doors, empty});
    const std::uint64_t key = std::uint64_t{image.own | image.other} << 30 | (image.own | image.empty);
    std::uint64_t& slot = table_[key * 0x9E3779B97F4A7C15ULL >> (64 - TABLE_BITS)];
    if (slot >> 4 == key) return bound - static_cast<int>(slot & 15);
    if (should_stop_ && (++searched_ & 0xFFF) == 0 && should_stop_()) throw Stopped{};
    int best = 0;
    for (Squares movers = amazons; movers && best < bound; movers &= movers - 1) {
        const Squares from = lowest(movers);
        for (Squares ends = grid_.queen(index_of(from), empty); ends && best < bound; ends &= ends - 1) {
            const Squares end = lowest(ends);
            const Squares left = (empty | from) & ~end, moved = (amazons & ~from) | end;
            Squares shots = doors & from ? from : grid_.queen(index_of(end), left);
            for (; shots && best < bound; shots &= shots - 1) {
                const Squares after = left & ~lowest(shots);
                if (1 + std::popcount(grid_.flood(moved, after) & after) <= best) continue;
                best = std::max(best, 1 + most_moves(after, moved, doors & ~from));
            }
        }
    }
    if (bound - best < 16) slot = key << 4 | static_cast<unsigned>(bound - best);
    return best;
}

ReducedBoard AmazonsTerritory::reduce(const AmazonsBoard& board, int spare) {
    ReducedBoard reduced{{}, spare};
    Squares open = board.own | board.other | board.empty, kept = 0;
    while (open) {
        const Squares part = grid_.flood(lowest(open), open);
        open &= ~part;
        const Squares empty = part & board.empty, own = part & board.own, other = part & board.other;
        if (!empty || !(own | other)) continue;
        if (!other)
            reduced.spare += most_moves(empty, own);
        else if (!own)
            reduced.spare -= most_moves(empty, other);
        else
            kept |= part;
    }
    reduced.board = {board.own & kept, board.other & kept, board.empty & kept};
    return reduced;
}

int AmazonsTerritory::least_worth(const AmazonsBoard& board) {
    const Squares reached = grid_.flood(board.other, board.empty | board.other);
    const Squares closed = board.empty & ~reached;
    const int bound = std::popcount(board.empty & reached);
    if (!closed) return -bound;
    return most_moves(closed, board.own & grid_.spread(closed), board.own & grid_.spread(reached)) - bound;
}

void AmazonsTerritory::set_bounds(ReducedBoard& reduced) {
    const auto& [own, other, empty] = reduced.board;
    reduced.least = least_worth(reduced.board);
    reduced.most = -least_worth({other, own, empty});
}

bool AmazonsTerritory::wins_by_a_step(const ReducedBoard& reduced) {
    const auto& [own, other, empty] = reduced.board;
    if (reduced.spare + reduced.least < -MOST_MISSING) return false;
    for (Squares movers = own; movers; movers &= movers - 1) {
        const Squares from = lowest(movers);
        for (Squares ends = grid_.spread(from) & empty; ends; ends &= ends - 1) {
            const Squares end = lowest(ends);
            if (reduced.spare + least_worth({(own & ~from) | end, other, empty & ~end}) >= 0) return true;
        }
    }
    return false;
}

}  // namespace setrograde

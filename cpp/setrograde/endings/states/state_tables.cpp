#include "setrograde/endings/states/state_tables.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

#include "setrograde/common/bytes.hpp"
#include "setrograde/common/checksum.hpp"
#include "setrograde/common/parallel.hpp"

namespace setrograde {

namespace {

// What a trick leads to: shapes, and tables of values by their ranks.
struct Below {
    const ShapeIndex& index;
    const OwnerStrings& strings;
    std::function<const std::uint8_t*(std::uint32_t)> table;
};

Below tables_of(const StateLevel& level) {
    return {level.index(), level.strings(), [&level](std::uint32_t rank) { return level.table(rank).data(); }};
}

// The shape that is left when players 0 to 3 have played to these suits, two bits each, seen by the
// winner.
Shape shape_after(const Shape& shape, unsigned suits, int winner) {
    Shape after = shape;
    for (int player = 0; player < PLAYERS; ++player) {
        Split& split = after.suits[static_cast<int>(suits >> (2 * player) & 3)];
        split = static_cast<Split>(split - one_card(player));
    }
    for (Split& split : after.suits) split = seen_from(split, winner);
    return after;
}

// Plays one trick from layouts of a shape.
class OneTrick {
public:
    explicit OneTrick(const Below& below) : below_(below), nexts_(256 * PLAYERS) {}

    void use(const Shape& shape) {
        shape_ = shape;
        tricks_ = shape.tricks();
        ++stamp_;
        for (std::size_t suit = 0; suit < 4; ++suit) strings_[suit] = list_strings(shape.suits[suit]);
    }

    // Values of the layouts from `first` on, as many as `out` has room for.
    void solve(std::uint64_t first, std::span<std::uint8_t> out) {
        std::array<std::size_t, 4> number;
        for (std::size_t suit = 4; suit-- > 0; first /= strings_[suit].size()) {
            number[suit] = first % strings_[suit].size();
            load(suit, strings_[suit][number[suit]]);
        }
        for (std::uint8_t& value : out) {
            value = static_cast<std::uint8_t>(play<0>({}, 0, tricks_));
            for (std::size_t suit = 4; suit-- > 0;) {
                if (strings_[suit].size() == 1) continue;
                const bool carry = ++number[suit] == strings_[suit].size();
                if (carry) number[suit] = 0;
                load(suit, strings_[suit][number[suit]]);
                if (!carry) break;
            }
        }
    }

private:
    // The trick so far.
    struct Trick {
        unsigned suits = 0;  // two bits a player
        int led = 0;
        int winner = 0;
        int winning_suit = 0;
        OwnerCode winning_card = 0;
    };

    // A shape one trick later and the way into its table.
    struct Next {
        std::uint64_t stamp = 0;
        const std::uint8_t* table = nullptr;
        std::array<std::uint32_t, 4> stride{};
        std::array<StringRanks, 4> ranks{};
    };

    void load(std::size_t suit, OwnerCode code) {
        constexpr OwnerCode LOW = 0x5555'5555;
        const int cards = length(shape_.suits[suit]);
        const OwnerCode present = ((OwnerCode{1} << (2 * cards)) - 1) & LOW;
        const OwnerCode odd = code & LOW, high = code >> 1 & LOW;
        const PerSuit<OwnerCode> owned{present & ~odd & ~high, odd & ~high, high & ~odd, odd & high};
        for (std::size_t player = 0; player < PLAYERS; ++player)
            runs_[suit][player] = owned[player] & ~(owned[player] << 2);
        rest_[suit] = code;
        gone_[suit] = 0;
    }

    // The value of the trick and all after it, if it lies between alpha and beta; else a bound.
    template <int PLAYER>
    int play(const Trick& trick, int alpha, int beta) {
        constexpr bool OURS = PLAYER % 2 == 0;
        const auto led = static_cast<std::size_t>(trick.led);
        const bool follows = PLAYER > 0 && held(shape_.suits[led], PLAYER) > 0;
        // The suit that was best in the layout before comes first: a sixth fewer look-ups.
        std::size_t& favourite = favourites_[PLAYER][led];
        const std::size_t from = follows ? led : favourite, suits = follows ? 1 : 4;
        int best = OURS ? -1 : tricks_ + 1;
        for (std::size_t i = 0; i < suits; ++i) {
            const std::size_t suit = (from + i) & 3;
            const OwnerCode rest = rest_[suit], gone = gone_[suit];
            for (OwnerCode runs = runs_[suit][PLAYER]; runs; runs &= runs - 1) {
                const OwnerCode card = runs & (0 - runs);
                rest_[suit] = without<PLAYER>(rest, gone, card);
                gone_[suit] = gone | card;
                const Trick next = after<PLAYER>(trick, static_cast<int>(suit), card);
                int value;
                if constexpr (PLAYER == 3)
                    value = value_after(next, alpha, beta);
                else
                    value = play<PLAYER + 1>(next, alpha, beta);
                if (OURS ? value > best : value < best) {
                    best = value;
                    if (!follows) favourite = suit;
                }
                if constexpr (OURS)
                    alpha = std::max(alpha, value);
                else
                    beta = std::min(beta, value);
                if (alpha >= beta) break;
            }
            rest_[suit] = rest;
            gone_[suit] = gone;
            if (alpha >= beta) break;
        }
        return best;
    }

    // A string without one card more. Cards are marked where they were before the trick; those that
    // are gone already have moved the lower ones up.
    template <int PLAYER>
    static OwnerCode without(OwnerCode rest, OwnerCode gone, OwnerCode card) {
        OwnerCode higher = gone & (card - 1);
        int moved = 0;
        for (int i = 0; i < PLAYER; ++i, higher &= higher - 1) moved += higher ? 2 : 0;
        const OwnerCode above = (card >> moved) - 1;
        return (rest & above) | (rest >> 2 & ~above);
    }

    template <int PLAYER>
    Trick after(const Trick& trick, int suit, OwnerCode card) const {
        Trick next = trick;
        next.suits |= static_cast<unsigned>(suit) << (2 * PLAYER);
        if (PLAYER == 0) next.led = suit;
        if (PLAYER == 0 || (suit == trick.winning_suit ? card < trick.winning_card : suit == 3 && shape_.has_trumps)) {
            next.winner = PLAYER;
            next.winning_suit = suit;
            next.winning_card = card;
        }
        return next;
    }

    int value_after(const Trick& trick, int alpha, int beta) {
        const bool ours = trick.winner % 2 == 0;
        if (ours ? beta <= 1 : alpha >= tricks_ - 1) return ours ? 1 : tricks_ - 1;
        Next& next = nexts_[trick.suits * PLAYERS + static_cast<unsigned>(trick.winner)];
        if (next.stamp != stamp_) find(next, trick);
        std::uint32_t layout = 0;
        for (std::size_t suit = 0; suit < 4; ++suit) layout += next.stride[suit] * next.ranks[suit](rest_[suit]);
        const int value = next.table[layout];
        return ours ? 1 + value : tricks_ - 1 - value;
    }

    void find(Next& next, const Trick& trick) {
        const Canonical found = canonical(shape_after(shape_, trick.suits, trick.winner));
        next.stamp = stamp_;
        next.table = below_.table(below_.index.rank(found.shape));
        std::uint32_t stride = 1;
        for (std::size_t i = 4; i-- > 0;) {
            const std::size_t suit = found.from[i];
            next.stride[suit] = stride;
            next.ranks[suit] = below_.strings.ranks(found.shape.suits[i], trick.winner);
            stride *= below_.strings.count(found.shape.suits[i]);
        }
    }

    const Below& below_;
    std::vector<Next> nexts_;  // [suits played][winner]
    std::uint64_t stamp_ = 0;  // which of them belong to the present shape
    Shape shape_;
    int tricks_ = 0;
    std::array<std::vector<OwnerCode>, 4> strings_;
    std::array<PerSuit<OwnerCode>, 4> runs_{};                // [suit][player]: highest of touching cards
    std::array<std::array<std::size_t, 4>, 4> favourites_{};  // [player][suit led]
    PerSuit<OwnerCode> rest_{};                               // what the trick leaves of each suit
    PerSuit<OwnerCode> gone_{};                               // cards of the trick
};

// A part of a table to be filled.
struct Block {
    const Shape* shape;
    std::uint64_t first;
    std::span<std::uint8_t> out;
};

// A millisecond of work: how evenly it spreads over threads, and how soon it stops.
constexpr std::size_t BLOCK_LAYOUTS = 1 << 12;

void add_blocks(std::vector<Block>& blocks, const Shape& shape, std::span<std::uint8_t> out) {
    for (std::size_t first = 0; first < out.size(); first += BLOCK_LAYOUTS)
        blocks.push_back({&shape, first, out.subspan(first, std::min(BLOCK_LAYOUTS, out.size() - first))});
}

// Fills all blocks. `tells` is false for work that is not counted among the layouts done.
void fill(const std::vector<Block>& blocks, const Below& below, const Work& work, bool tells = true) {
    std::atomic<std::size_t> layouts{0};
    const ProgressCheck check = [&](std::size_t) {
        return work.should_stop && work.should_stop(tells ? layouts.load() : 0);
    };
    run_parallel(work.threads, blocks.size(), check, [&](const StopCheck&) {
        return [&, trick = OneTrick(below), shape = static_cast<const Shape*>(nullptr)](std::size_t piece) mutable {
            const Block& block = blocks[piece];
            if (block.shape != shape) trick.use(*(shape = block.shape));
            trick.solve(block.first, block.out);
            layouts += block.out.size();
        };
    });
}

// The number of ways to choose `many` of `strings` things, repetition allowed, order ignored.
std::uint64_t multisets(std::uint64_t strings, std::uint64_t many) {
    std::uint64_t ways = 1;
    for (std::uint64_t i = 1; i <= many; ++i) ways = ways * (strings + i - 1) / i;
    return ways;
}

std::uint64_t states_of(const Shape& shape) {
    const std::size_t sides = shape.has_trumps ? 3 : 4;
    std::uint64_t states = shape.has_trumps ? count_strings(shape.suits[3]) : 1;
    for (std::size_t i = 0, j = 0; i < sides; i = j) {
        while (j < sides && shape.suits[j] == shape.suits[i]) ++j;
        states *= multisets(count_strings(shape.suits[i]), j - i);
    }
    return states;
}

constexpr char MAGIC[] = {'S', 'G', 'S', 'T', 'A', 'T', 'E', 'S'};
constexpr std::uint64_t FORMAT_VERSION = 1;
constexpr std::size_t CHECKED_HEADER = 24, HEADER = 32;

// Of all bytes but those of the checksum itself.
std::uint64_t checksum_of(std::span<const std::uint8_t> bytes) {
    return fnv1a(bytes.subspan(HEADER), fnv1a(bytes.first(CHECKED_HEADER)));
}

}  // namespace

StateLevel::StateLevel(int tricks) : index_(tricks), strings_(tricks) {
    starts_.reserve(index_.size() + 1);
    std::size_t start = 0;
    for (const Shape& shape : index_.shapes()) {
        starts_.push_back(start);
        start += shape.layouts();
    }
    starts_.push_back(start);
    values_.resize(start);
}

StateLevel::StateLevel() : StateLevel(0) {}

StateLevel::StateLevel(const StateLevel& below, const Work& work)
    : StateLevel(below.tricks() < MAX_LEVEL_TRICKS
                     ? below.tricks() + 1
                     : throw std::length_error("too many tricks for a table of every layout")) {
    const std::vector<Shape> shapes = index_.shapes();
    std::vector<Block> blocks;
    for (std::size_t rank = 0; rank < shapes.size(); ++rank)
        add_blocks(blocks, shapes[rank], std::span(values_).subspan(starts_[rank], starts_[rank + 1] - starts_[rank]));
    fill(blocks, tables_of(below), work);
}

std::uint64_t StateLevel::states() const {
    std::uint64_t states = 0;
    for (const Shape& shape : index_.shapes()) states += states_of(shape);
    return states;
}

int StateLevel::value(const PerSeat<CardSet>& hands, int strain, int leader) const {
    const CardSet all = hands[0] | hands[1] | hands[2] | hands[3];
    Shape shape;
    shape.has_trumps = strain != NOTRUMP;
    PerSuit<OwnerCode> codes{};
    for (int i = 0; i < SUITS; ++i) {
        // Trumps come last: their place is taken by the suit that would be there.
        const int suit = strain == NOTRUMP ? i : i == 3 ? strain : i == strain ? 3 : i;
        const auto place = static_cast<std::size_t>(i);
        for (CardSet cards = cards_of(all, suit); cards; cards &= cards - 1) {
            const CardSet card = cards & (0 - cards);  // the lowest goes in first
            int owner = 0;
            while (!(hands[(leader + owner) & 3] & card)) ++owner;
            codes[place] = codes[place] << 2 | static_cast<OwnerCode>(owner);
            shape.suits[place] = static_cast<Split>(shape.suits[place] + one_card(owner));
        }
    }
    const Canonical found = canonical(shape);
    std::size_t layout = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        const Split split = found.shape.suits[i];
        layout = layout * strings_.count(split) + strings_.ranks(split, 0)(codes[found.from[i]]);
    }
    return table(index_.rank(found.shape))[layout];
}

std::vector<std::uint8_t> StateLevel::to_bytes() const {
    std::vector<std::uint8_t> bytes(HEADER + (values_.size() + 3) / 4);
    std::memcpy(bytes.data(), MAGIC, sizeof MAGIC);
    put_number(&bytes[8], FORMAT_VERSION, 4);
    put_number(&bytes[12], static_cast<std::uint64_t>(tricks()), 4);
    put_number(&bytes[16], values_.size(), 8);
    for (std::size_t i = 0; i < values_.size(); ++i) {
        std::uint8_t& byte = bytes[HEADER + i / 4];
        byte = static_cast<std::uint8_t>(byte | values_[i] << (2 * (i % 4)));
    }
    put_number(&bytes[24], checksum_of(bytes), 8);
    return bytes;
}

StateLevel StateLevel::from_bytes(std::span<const std::uint8_t> bytes) {
    if (bytes.size() < sizeof MAGIC || std::memcmp(bytes.data(), MAGIC, sizeof MAGIC) != 0)
        throw std::invalid_argument("not state tables: the first word is not SGSTATES");
    if (bytes.size() < HEADER)
        throw std::invalid_argument("damaged state tables: " + std::to_string(bytes.size()) + " bytes (expected " +
                                    std::to_string(HEADER) + " or more)");
    if (const std::uint64_t version = get_number(&bytes[8], 4); version != FORMAT_VERSION)
        throw std::invalid_argument("state tables of format version " + std::to_string(version) + " (expected " +
                                    std::to_string(FORMAT_VERSION) + ")");
    const std::uint64_t tricks = get_number(&bytes[12], 4);
    if (tricks > MAX_LEVEL_TRICKS)
        throw std::invalid_argument("state tables of " + std::to_string(tricks) + " tricks (expected 0 to " +
                                    std::to_string(MAX_LEVEL_TRICKS) + ")");
    StateLevel level(static_cast<int>(tricks));
    const std::size_t size = level.values_.size(), expected = HEADER + (size + 3) / 4;
    if (get_number(&bytes[16], 8) != size || bytes.size() != expected)
        throw std::invalid_argument("state tables of the wrong length: " + std::to_string(bytes.size()) +
                                    " bytes (expected " + std::to_string(expected) + ")");
    if (get_number(&bytes[24], 8) != checksum_of(bytes))
        throw std::invalid_argument("damaged state tables: the checksum does not match");
    for (std::size_t i = 0; i < size; ++i) {
        level.values_[i] = bytes[HEADER + i / 4] >> (2 * (i % 4)) & 3;
        if (level.values_[i] > tricks) throw std::invalid_argument("damaged state tables: more tricks than there are");
    }
    return level;
}

ShapeSolver::ShapeSolver(std::shared_ptr<const StateLevel> level, std::size_t limit_bytes)
    : level_(std::move(level)),
      limit_bytes_(limit_bytes),
      between_index_(level_->tricks() + 1),
      between_strings_(level_->tricks() + 1) {}

std::uint64_t ShapeSolver::bytes_needed(const Shape& shape) const {
    std::uint64_t bytes = shape.layouts();
    if (shape.tricks() == level_->tricks() + 2)
        for (const Shape& after : shapes_after(shape)) bytes += after.layouts();
    return bytes;
}

Values ShapeSolver::solve(const Shape& shape, const Work& work) {
    const int above = shape.tricks() - level_->tricks();
    if (above != 1 && above != 2)
        throw std::invalid_argument("a shape of " + std::to_string(shape.tricks()) + " tricks above a level of " +
                                    std::to_string(level_->tricks()));
    if (const std::uint64_t needed = bytes_needed(shape); needed > limit_bytes_)
        throw std::length_error("too large: " + std::to_string(needed >> 20) + " MB of tables (the limit is " +
                                std::to_string(limit_bytes_ >> 20) + " MB)");
    Values values(shape.layouts());
    std::vector<Block> blocks;
    add_blocks(blocks, shape, values);
    if (above == 1) {
        fill(blocks, tables_of(*level_), work);
    } else {
        provide(shapes_after(shape), values.size(), work);
        const auto table = [&](std::uint32_t rank) { return between_.at(rank).data(); };
        fill(blocks, {between_index_, between_strings_, table}, work);
    }
    return values;
}

// Solves the tables between that are missing; forgets others if they would be too many.
void ShapeSolver::provide(const std::vector<Shape>& shapes, std::uint64_t own_bytes, const Work& work) {
    std::unordered_map<std::uint32_t, Values> missing;
    std::uint64_t bytes = own_bytes;
    for (const auto& [_, values] : between_) bytes += values.size();
    for (const Shape& shape : shapes)
        if (const std::uint32_t rank = between_index_.rank(shape); !between_.contains(rank))
            bytes += missing.try_emplace(rank, shape.layouts()).first->second.size();
    if (bytes > limit_bytes_) {
        std::unordered_map<std::uint32_t, Values> kept;
        for (const Shape& shape : shapes)
            if (auto node = between_.extract(between_index_.rank(shape))) kept.insert(std::move(node));
        between_ = std::move(kept);
    }
    std::vector<Block> blocks;
    for (const Shape& shape : shapes)
        if (const auto found = missing.find(between_index_.rank(shape)); found != missing.end())
            add_blocks(blocks, shape, found->second);
    fill(blocks, tables_of(*level_), work, false);
    between_.merge(missing);
}

std::vector<Shape> shapes_after(const Shape& shape) {
    std::vector<Shape> all;
    for (unsigned suits = 0; suits < 256; ++suits) {
        const int led = suits & 3;
        bool legal = true, ruffed = false;
        for (int player = 0; player < PLAYERS; ++player) {
            const int suit = suits >> (2 * player) & 3;
            legal =
                legal && held(shape.suits[suit], player) > 0 && (suit == led || held(shape.suits[led], player) == 0);
            ruffed = ruffed || (shape.has_trumps && suit == 3);
        }
        if (!legal) continue;
        for (int winner = 0; winner < PLAYERS; ++winner)
            if (static_cast<int>(suits >> (2 * winner) & 3) == (ruffed ? 3 : led))
                all.push_back(canonical(shape_after(shape, suits, winner)).shape);
    }
    const auto key = [](const Shape& s) { return std::pair(s.has_trumps, s.suits); };
    std::sort(all.begin(), all.end(), [&](const Shape& a, const Shape& b) { return key(a) < key(b); });
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

}  // namespace setrograde

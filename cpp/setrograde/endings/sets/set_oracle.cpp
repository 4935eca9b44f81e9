#include "setrograde/endings/sets/set_oracle.hpp"

#include <algorithm>

#include "setrograde/endings/sets/ending_sets.hpp"

namespace setrograde {

namespace {

constexpr Masks nibble(std::uint64_t word, int card) { return word >> (4 * card) & 15; }

// Owners renamed so that player `first` becomes player 0.
constexpr Masks turned(Masks masks, int first) {
    constexpr Masks KEEP[] = {0xFFFFFFFFFFFFFFFF, 0x7777777777777777, 0x3333333333333333, 0x1111111111111111};
    return (masks >> first & KEEP[first]) | (masks << (4 - first) & ~KEEP[first]);
}

}  // namespace

SetOracle::SetOracle(const SetLevel& below) : below_(below), tricks_(below.tricks() + 1) {}

void SetOracle::use_shape(const Shape& shape, const MaskFields& fields) {
    shape_ = shape;
    fields_ = &fields;
    ++stamp_;
}

bool SetOracle::is_surely_at_least(Masks masks, int tricks) { return tricks <= 0 || is_sure(masks, 0, tricks); }

bool SetOracle::is_surely_at_most(Masks masks, int tricks) {
    return tricks >= tricks_ || is_sure(masks, 1, tricks_ - tricks);
}

int SetOracle::value(Masks layout) {
    int low = 0, high = tricks_;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (is_sure(layout, 0, middle))
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

void SetOracle::SuitInPlay::start(Masks masks, const SuitField& field) {
    cards = masks;
    left = field.cards;
    room = field.room;
    tallied = tally(masks, left);
    runs = 0;
    std::uint64_t run = 0;
    for (int card = 1; card < left; ++card) {
        if (nibble(masks, card) != nibble(masks, card - 1)) ++run;
        runs |= run << (4 * card);
    }
}

SetOracle::SuitInPlay SetOracle::SuitInPlay::without(int card, int player) const {
    SuitInPlay rest = *this;
    const std::uint64_t above = (std::uint64_t{1} << (4 * card)) - 1;
    rest.cards = (cards & above) | (cards >> 4 & ~above);
    rest.runs = (runs & above) | (runs >> 4 & ~above);
    rest.tallied -= one_with(nibble(cards, card));
    rest.room -= PLACE_OF[player];
    --rest.left;
    return rest;
}

bool SetOracle::is_sure(Masks masks, int side, int tricks) {
    for (std::size_t suit = 0; suit < 4; ++suit) suits_[suit].start(fields_->suit(masks, suit), (*fields_)[suit]);
    side_ = side;
    need_ = tricks;
    return play(0);
}

bool SetOracle::play(std::size_t player) {
    if (player == 4) return is_good_trick();
    const bool chooses = static_cast<int>(player & 1) == side_;
    const auto has = [&](std::size_t suit) { return held(shape_.suits[suit], static_cast<int>(player)) > 0; };
    // Where the side chooses, one suit with good plays in every ending is enough; else all must do.
    if (player > 0 && has(played_suit_[0])) return play_suit(player, played_suit_[0], chooses);
    for (std::size_t suit = 0; suit < 4; ++suit)
        if (has(suit) && play_suit(player, suit, chooses) == chooses) return chooses;
    return !chooses;
}

// Whether the plays in one suit are good: enough of them if the side chooses, else all.
bool SetOracle::play_suit(std::size_t player, std::size_t suit, bool chooses) {
    const SuitInPlay before = suits_[suit];
    const auto who = static_cast<int>(player);
    // The suit with the player's cards anywhere but in runs that were good.
    ByGroup elsewhere = before.tallied;
    played_suit_[player] = static_cast<std::uint8_t>(suit);
    for (int card = 0, end = 0; card < before.left; card = end) {
        const Masks mask = nibble(before.cards, card);
        const std::uint64_t run = nibble(before.runs, card);
        while (end < before.left && nibble(before.runs, end) == run) ++end;
        if ((mask >> who & 1) == 0) continue;
        const SuitInPlay after = before.without(card, who);
        if (!can_share(after.tallied, after.room)) continue;  // nobody can hold that
        suits_[suit] = after;
        played_run_[player] = static_cast<std::uint8_t>(run);
        const bool good = play(player + 1);
        suits_[suit] = before;
        if (!chooses && !good) return false;
        if (!chooses || !good) continue;
        elsewhere += static_cast<ByGroup>(end - card) * (one_with(mask & ~(Masks{1} << who)) - one_with(mask));
        if (!can_share(elsewhere, before.room)) return true;
    }
    return !chooses;
}

// The highest run of the winning suit takes the trick; two cards of one run leave open which.
bool SetOracle::is_good_trick() {
    std::uint8_t suit = played_suit_[0];
    if (shape_.has_trumps && std::count(played_suit_.begin(), played_suit_.end(), 3) > 0) suit = 3;
    std::uint8_t highest = 15;
    for (std::size_t player = 0; player < 4; ++player)
        if (played_suit_[player] == suit) highest = std::min(highest, played_run_[player]);
    for (std::size_t player = 0; player < 4; ++player)
        if (played_suit_[player] == suit && played_run_[player] == highest && !is_good_after(static_cast<int>(player)))
            return false;
    return true;
}

bool SetOracle::is_good_after(int winner) {
    const auto key = static_cast<std::size_t>(played_suit_[0] | played_suit_[1] << 2 | played_suit_[2] << 4 |
                                              played_suit_[3] << 6 | winner << 8);
    After& after = after_[key];
    if (after.stamp != stamp_) after = find_after(winner);
    Masks masks = 0;
    int cards = 0;
    for (const std::uint8_t suit : after.from) {
        if (suits_[suit].left == 0) continue;
        masks |= suits_[suit].cards << (4 * cards);
        cards += suits_[suit].left;
    }
    masks = turned(masks, winner);
    ++lookups_;
    const SetTree& tree = below_.tree(after.rank);
    const MaskFields& fields = below_.fields(after.rank);
    if (winner % 2 == side_) return tree.all_at_least(fields, masks, need_ - 1);
    return tree.all_at_most(fields, masks, tricks_ - 1 - need_);
}

SetOracle::After SetOracle::find_after(int winner) const {
    Shape shape = shape_;
    for (std::size_t player = 0; player < 4; ++player) {
        Split& split = shape.suits[played_suit_[player]];
        split = static_cast<Split>(split - one_card(static_cast<int>(player)));
    }
    for (Split& split : shape.suits) split = seen_from(split, winner);
    const Canonical found = canonical(shape);
    return {stamp_, below_.index().rank(found.shape), found.from};
}

}  // namespace setrograde

#include "setrograde/endings/shapes/owner_strings.hpp"

#include <algorithm>

namespace setrograde {

namespace {

// Owners renumbered so that `first` becomes player 0.
OwnerCode turned(OwnerCode code, int cards, int first) {
    OwnerCode result = 0;
    for (int place = 0; place < cards; ++place)
        result |= static_cast<OwnerCode>((owner_of(code, place) - first) & 3) << (2 * place);
    return result;
}

Split split_of(OwnerCode code, int cards) {
    Split split = 0;
    for (int place = 0; place < cards; ++place) split = static_cast<Split>(split + one_card(owner_of(code, place)));
    return split;
}

bool fits(Split split, Split box) {
    for (int player = 0; player < PLAYERS; ++player)
        if (held(split, player) > held(box, player)) return false;
    return true;
}

// The first string of a split in the dictionary: player 0's cards on top.
OwnerCode first_string(Split split) {
    OwnerCode code = 0;
    int place = 0;
    for (int player = 0; player < PLAYERS; ++player)
        for (int i = 0; i < held(split, player); ++i) code |= static_cast<OwnerCode>(player) << (2 * place++);
    return code;
}

// Where the strings of a number of cards start in a table of all lengths: 1 + 4 + 16 + ... come before.
constexpr std::size_t bottom_start(int cards) { return ((std::size_t{1} << (2 * cards)) - 1) / 3; }

}  // namespace

std::vector<OwnerCode> list_strings(Split split) {
    const int cards = length(split);
    Per<int, LONGEST_SUIT> owners{};
    for (int place = 0; place < cards; ++place) owners[place] = owner_of(first_string(split), place);
    std::vector<OwnerCode> codes;
    codes.reserve(count_strings(split));
    do {
        OwnerCode code = 0;
        for (int place = cards - 1; place >= 0; --place) code = code << 2 | static_cast<OwnerCode>(owners[place]);
        codes.push_back(code);
    } while (std::next_permutation(owners.begin(), owners.begin() + cards));
    return codes;
}

std::uint32_t rank_string(OwnerCode code, Split split) {
    std::uint64_t ways = count_strings(split), rank = 0;
    for (int cards = length(split); cards > 0; --cards, code >>= 2) {
        const int owner = owner_of(code, 0);
        std::uint64_t before = 0;
        for (int player = 0; player < owner; ++player) before += static_cast<std::uint64_t>(held(split, player));
        // Of the ways to go on, a share of held / cards begins with each player.
        const auto left = static_cast<std::uint64_t>(cards);
        rank += ways * before / left;
        ways = ways * static_cast<std::uint64_t>(held(split, owner)) / left;
        split = static_cast<Split>(split - one_card(owner));
    }
    return static_cast<std::uint32_t>(rank);
}

OwnerStrings::OwnerStrings(int most) : counts_(std::size_t{1} << 16), tops_{0} {
    const auto full = static_cast<Split>(0x1111 * most);
    std::vector<Split> splits;
    for (std::uint32_t code = 0; code <= full; ++code) {
        const auto split = static_cast<Split>(code);
        if (fits(split, full) && length(split) <= LONGEST_SUIT) splits.push_back(split);
    }
    for (const Split split : splits) counts_[split] = static_cast<std::uint32_t>(count_strings(split));
    for (int first = 0; first < PLAYERS; ++first) {
        auto& bottoms = bottoms_[static_cast<std::size_t>(first)];
        bottoms.resize(bottom_start(BOTTOM + 1));
        for (int cards = 0; cards <= BOTTOM; ++cards)
            for (OwnerCode code = 0; code < OwnerCode{1} << (2 * cards); ++code) {
                const OwnerCode seen = turned(code, cards, first);
                bottoms[bottom_start(cards) + code] =
                    static_cast<std::uint16_t>(rank_string(seen, split_of(seen, cards)));
            }
        auto& starts = top_starts_[static_cast<std::size_t>(first)];
        starts.resize(std::size_t{1} << 16);
        for (const Split split : splits) {
            const int above = length(split) - BOTTOM;
            if (above <= 0) continue;
            starts[split] = static_cast<std::uint32_t>(tops_.size());
            for (OwnerCode code = 0; code < OwnerCode{1} << (2 * above); ++code) {
                const OwnerCode seen = turned(code, above, first);
                const Split top = split_of(seen, above);
                if (!fits(top, split)) {
                    tops_.push_back(0);
                    continue;
                }
                const OwnerCode rest = first_string(static_cast<Split>(split - top));
                tops_.push_back(rank_string(seen | rest << (2 * above), split));
            }
        }
    }
}

StringRanks OwnerStrings::ranks(Split split, int first) const {
    const auto player = static_cast<std::size_t>(first);
    const int cards = length(split), above = std::max(0, cards - BOTTOM);
    return {tops_.data() + top_starts_[player][split], bottoms_[player].data() + bottom_start(cards - above),
            2 * above};
}

}  // namespace setrograde

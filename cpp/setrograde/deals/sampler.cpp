#include "setrograde/deals/sampler.hpp"

#include <algorithm>
#include <cassert>

#include "setrograde/common/choose.hpp"

namespace setrograde {

namespace {

// All sets of some of the first 13 bits, by their number of members, the lower bits first: those of the
// first n bits stand before the others.
struct Subsets {
    std::vector<std::uint16_t> sets;
    Per<std::size_t, HAND_SIZE + 2> first{};  // by number of members

    Subsets() {
        for (int members = 0; members <= HAND_SIZE; ++members) {
            first[members] = sets.size();
            for (unsigned set = 0; set < HOLDINGS; ++set)
                if (std::popcount(set) == members) sets.push_back(static_cast<std::uint16_t>(set));
        }
    }
};

const Subsets SUBSETS;

constexpr std::uint8_t MANY_VISITS = 60;
constexpr std::size_t MOST_SHORTCUT_BYTES = std::size_t{1} << 23;

// The cards at the places of `cards` that `chosen` names, counted from the lowest.
CardSet spread(unsigned chosen, CardSet cards) {
    CardSet found = 0;
    for (; chosen; chosen >>= 1, cards &= cards - 1)
        found |= (cards & (0 - cards)) & (0 - static_cast<CardSet>(chosen & 1));
    return found;
}

}  // namespace

DealSampler::DealSampler(std::shared_ptr<const DealCounts> counts, std::vector<Measure> measures,
                         std::vector<Watch> checks, std::uint64_t seed)
    : counts_(std::move(counts)), measures_(std::move(measures)), checks_(std::move(checks)), dice_(seed) {}

std::size_t DealSampler::draw(std::span<CardSet> hands, std::uint64_t most_tries, const ProgressCheck& should_stop) {
    if (counts_->size() == 0) return 0;
    std::size_t done = 0;
    for (std::uint64_t tries = 0; done < hands.size() / SEATS && tries < most_tries; ++tries) {
        if ((tries & 4095) == 0 && should_stop && should_stop(done)) throw Stopped{};
        const PerSeat<CardSet> deal = draw_one();
        ++tries_;
        if (!passes(deal)) continue;
        std::ranges::copy(deal, hands.begin() + static_cast<std::ptrdiff_t>(done * SEATS));
        ++done;
    }
    return done;
}

bool DealSampler::passes(const PerSeat<CardSet>& deal) const {
    return std::ranges::all_of(checks_, [&](const Watch& check) {
        CardSet cards = 0;
        for (int seat = 0; seat < SEATS; ++seat)
            if (check.seats >> seat & 1) cards |= deal[seat];
        return allows(check.condition, measures_, cards);
    });
}

// The shortcut of a state. It is made when the state is visited often, as long as there is memory; what is
// drawn does not depend on it.
const DealSampler::Shortcut* DealSampler::shortcut(int place, std::int32_t state) {
    const auto index = static_cast<std::size_t>(state);
    if (shortcuts_[place].empty()) {
        shortcuts_[place].resize(counts_->table(place).rests.size());
        visits_[place].resize(shortcuts_[place].size());
    }
    std::unique_ptr<Shortcut>& found = shortcuts_[place][index];
    if (found || visits_[place][index] < MANY_VISITS) {
        visits_[place][index] = static_cast<std::uint8_t>(visits_[place][index] + !found);
        return found.get();
    }
    if (shortcut_bytes_ > MOST_SHORTCUT_BYTES) return nullptr;
    const DealCounts::SuitTable& table = counts_->table(place);
    found = std::make_unique<Shortcut>();
    Wide sum = 0;
    counts_->follow(place, state, 0, table.groups.back(), [&](std::uint32_t letter, std::int32_t next) {
        const Wide deals = counts_->rests(place + 1, next) * table.letters[letter].ways;
        if (deals > 0) found->entries.push_back({.end = sum += deals, .step = {letter, next}});
        return false;
    });
    const auto width = [](Wide number) {
        const auto high = static_cast<std::uint64_t>(number >> 64);
        return high ? 64 + std::bit_width(high) : std::bit_width(static_cast<std::uint64_t>(number));
    };
    found->shift = static_cast<int>(
        std::max(0, static_cast<int>(width(sum - 1)) - static_cast<int>(std::bit_width(found->entries.size()))));
    std::uint32_t entry = 0;
    for (Wide start = 0; start < sum; start += Wide{1} << found->shift) {
        while (found->entries[entry].end <= start) ++entry;
        found->first.push_back(entry);
    }
    shortcut_bytes_ += found->entries.size() * sizeof(Shortcut::Entry) + found->first.size() * sizeof(std::uint32_t);
    return found.get();
}

// One step in a suit, each as likely as there are deals that go on from it.
DealSampler::Step DealSampler::choose_step(int place, std::int32_t state) {
    Wide number = dice_.pick_wide(counts_->rests(place, state));
    if (const Shortcut* const quick = shortcut(place, state)) {
        std::uint32_t entry = quick->first[static_cast<std::size_t>(number >> quick->shift)];
        while (quick->entries[entry].end <= number) ++entry;
        return quick->entries[entry].step;
    }
    const DealCounts::SuitTable& table = counts_->table(place);
    const Wide* const sums = table.group_rests.data() + static_cast<std::size_t>(state) * table.group_count();
    std::size_t group = 0;
    for (; number >= sums[group]; ++group) number -= sums[group];
    Step found{};
    counts_->follow(place, state, table.groups[group], table.groups[group + 1],
                    [&](std::uint32_t letter, std::int32_t next) {
                        const Wide deals = counts_->rests(place + 1, next) * table.letters[letter].ways;
                        found = {letter, next};
                        if (number < deals) return true;
                        number -= deals;
                        return false;
                    });
    return found;
}

// One of the ways with a letter, all of their arrangements of cards equally likely.
const SuitWays& DealSampler::choose_ways(int place, const JointLetter& letter) {
    const SuitWays* ways = counts_->table(place).ways.data() + letter.first_ways;
    if (letter.end_ways - letter.first_ways > 1)
        for (std::uint64_t way = dice_.pick(letter.ways); way >= ways->ways; ++ways) way -= ways->ways;
    return *ways;
}

CardSet DealSampler::choose_cards(CardSet cards, int number) {
    const int all = count(cards);
    if (all <= HAND_SIZE) {
        const std::uint64_t place = dice_.pick(choose(all, number));
        return spread(SUBSETS.sets[SUBSETS.first[number] + place], cards);
    }
    // Thirteen cards first: how many of them, then which.
    CardSet low = 0;
    for (int left = HAND_SIZE; left > 0; --left) {
        low |= cards & (0 - cards);
        cards &= cards - 1;
    }
    std::uint64_t place = dice_.pick(choose(all, number));
    int taken = std::max(0, number - (all - HAND_SIZE));
    for (;; ++taken) {
        const std::uint64_t ways = choose(HAND_SIZE, taken) * choose(all - HAND_SIZE, number - taken);
        if (place < ways) break;
        place -= ways;
    }
    return choose_cards(low, taken) | choose_cards(cards, number - taken);
}

PerSeat<CardSet> DealSampler::draw_one() {
    const DealCounts& counts = *counts_;
    PerSeat<CardSet> deal{};
    for (int seat = 0; seat < SEATS; ++seat) deal[seat] = counts.known(seat);
    CardSet rest = counts.unseen();
    const std::vector<int>& tracked = counts.tracked();
    if (!tracked.empty()) {
        std::int32_t state = 0;
        for (int place = 0; place < SUITS; ++place) {
            const DealCounts::SuitTable& table = counts.table(place);
            const auto [letter, next] = choose_step(place, state);
            const SuitWays& ways = choose_ways(place, table.letters[letter]);
            PerSeat<CardSet> given{};
            for (std::size_t i = 0; i < tracked.size(); ++i) given[i] = ways.sure[i];
            for (std::uint32_t s = ways.first_shares; s < ways.end_shares; ++s) {
                const CardShares& share = table.shares[s];
                CardSet left = table.equal_cards[static_cast<std::size_t>(share.cards)];
                for (std::size_t i = 0; i < tracked.size(); ++i) {
                    if (share.numbers[i] == 0) continue;
                    const CardSet taken = choose_cards(left, share.numbers[i]);
                    given[i] |= taken;
                    left &= ~taken;
                }
            }
            for (std::size_t i = 0; i < tracked.size(); ++i) {
                deal[tracked[i]] |= given[i] << (16 * table.suit);
                rest &= ~(given[i] << (16 * table.suit));
            }
            state = next;
        }
    }
    const std::vector<int>& pool = counts.pool();
    for (std::size_t i = 0; i < pool.size(); ++i) {
        const CardSet taken = i + 1 == pool.size() ? rest : choose_cards(rest, counts.room(pool[i]));
        deal[pool[i]] |= taken;
        rest &= ~taken;
    }
    return deal;
}

}  // namespace setrograde

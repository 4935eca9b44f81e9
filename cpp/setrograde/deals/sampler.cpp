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

std::size_t DealSampler::draw(std::span<PerSeat<CardSet>> deals, std::uint64_t most_tries,
                              const ProgressCheck& should_stop) {
    if (counts_->size() == 0) return 0;
    std::size_t done = 0;
    for (std::uint64_t tries = 0; done < deals.size() && tries < most_tries; ++tries) {
        if ((tries & 4095) == 0 && should_stop && should_stop(done)) throw Stopped{};
        deals[done] = draw_one();
        ++tries_;
        done += passes(deals[done]);
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

// One of the ways of a suit, each as likely as there are deals that go on from it.
DealSampler::SuitChoice DealSampler::choose_ways(int place, std::int32_t state) {
    const DealCounts::SuitTable& table = counts_->table(place);
    Wide number = dice_.pick_wide(counts_->rests(place, state));
    const Wide* const sums = table.group_rests.data() + static_cast<std::size_t>(state) * table.group_count();
    std::size_t group = 0;
    for (; number >= sums[group]; ++group) number -= sums[group];
    SuitChoice found{};
    counts_->follow(place, state, table.groups[group], table.groups[group + 1],
                    [&](std::uint32_t index, std::int32_t next) {
                        const JointLetter& letter = table.letters[index];
                        const Wide deals = counts_->rests(place + 1, next) * letter.ways;
                        if (number >= deals) {
                            number -= deals;
                            return false;
                        }
                        const SuitWays* ways = table.ways.data() + letter.first_ways;
                        if (letter.end_ways - letter.first_ways > 1)
                            for (std::uint64_t way = dice_.pick(letter.ways); way >= ways->ways; ++ways)
                                way -= ways->ways;
                        found = {ways, next};
                        return true;
                    });
    assert(found.ways);
    return found;
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
            const auto [ways, next] = choose_ways(place, state);
            const DealCounts::SuitTable& table = counts.table(place);
            PerSeat<CardSet> given{};
            for (std::size_t i = 0; i < tracked.size(); ++i) given[i] = ways->sure[i];
            for (std::uint32_t s = ways->first_shares; s < ways->end_shares; ++s) {
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

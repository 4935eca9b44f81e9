#include "setrograde/deals/counting.hpp"

#include <algorithm>
#include <cassert>
#include <map>
#include <tuple>

#include "setrograde/common/choose.hpp"

namespace setrograde {

namespace {

constexpr std::uint64_t MOST_SMALL_KEYS = std::uint64_t{1} << 22;
constexpr std::size_t MOST_WAYS = std::size_t{1} << 20;  // of one suit
constexpr SuitOrder ORDER{{0, 1, 2, 3}};

bool is_alike(const Measure& measure, int suit, int one, int other) {
    const std::vector<std::int16_t>& worth = measure.worth[suit];
    const unsigned both = 1u << one | 1u << other;
    for (unsigned holding = 0; holding < HOLDINGS; ++holding)
        if ((holding & both) == 1u << one && worth[holding] != worth[holding ^ both]) return false;
    return true;
}

// All conditions together.
Condition joined(std::vector<Condition> parts) {
    if (parts.size() == 1) return std::move(parts.front());
    Condition all;
    for (Condition& part : parts) all.clauses.push_back({std::move(part)});
    return all;
}

}  // namespace

StatePlaces::StatePlaces(std::uint64_t keys) : is_hashed_(keys > MOST_SMALL_KEYS) {
    if (is_hashed_) {
        keys_.resize(1 << 12);
        shift_ = 64 - 12;
    }
    places_.assign(is_hashed_ ? keys_.size() : keys, -1);
}

void StatePlaces::insert(std::uint64_t key) {
    if (!is_hashed_) {
        places_[key] = used_++;
        return;
    }
    const auto put = [this](std::uint64_t new_key, std::int32_t place) {
        std::size_t slot = slot_of(new_key);
        while (places_[slot] >= 0) slot = (slot + 1) & (keys_.size() - 1);
        keys_[slot] = new_key;
        places_[slot] = place;
    };
    if (2 * static_cast<std::size_t>(used_) >= keys_.size()) {
        const std::vector<std::uint64_t> keys = std::move(keys_);
        const std::vector<std::int32_t> places = std::move(places_);
        keys_.assign(2 * keys.size(), 0);
        places_.assign(keys_.size(), -1);
        --shift_;
        for (std::size_t slot = 0; slot < keys.size(); ++slot)
            if (places[slot] >= 0) put(keys[slot], places[slot]);
    }
    put(key, used_++);
}

DealCounts::DealCounts(const DealProblem& problem, const CountLimits& limits, const StopCheck& should_stop)
    : known_(problem.known), denied_(problem.denied) {
    unseen_ = ALL_CARDS & ~known_of(15);
    std::map<unsigned, std::vector<Condition>> conditions;
    unsigned asked = 0;
    for (const Watch& watch : problem.watches) {
        conditions[watch.seats].push_back(watch.condition);
        asked |= watch.seats;
    }
    for (int seat = 0; seat < SEATS; ++seat) {
        room_[seat] = HAND_SIZE - count(known_[seat]);
        if (room_[seat] < 0 || (known_[seat] & denied_[seat])) return;
        if (room_[seat] == 0) continue;
        if (asked >> seat & 1 || denied_[seat] & unseen_) {
            tracked_.push_back(seat);
            conditions[1u << seat];
        } else {
            pool_.push_back(seat);
            pool_room_ += room_[seat];
        }
    }
    PerSuit<std::vector<PerSeat<std::uint16_t>>> examples;
    for (int place = 0; place < SUITS; ++place) make_ways(problem, place, examples[place]);
    for (auto& [seats, parts] : conditions) {
        bool is_full = true;
        for (int seat = 0; seat < SEATS; ++seat) is_full &= !(seats >> seat & 1) || room_[seat] == 0;
        const Condition condition = joined(std::move(parts));
        if (is_full) {
            if (!allows(condition, problem.measures, known_of(seats))) return;
            continue;
        }
        PerSuit<std::vector<std::uint16_t>> holdings;
        for (int place = 0; place < SUITS; ++place) {
            const int suit = tables_[place].suit;
            std::vector<char> seen(HOLDINGS);
            for (const PerSeat<std::uint16_t>& example : examples[place]) seen[holding_of(seats, suit, example)] = 1;
            for (std::size_t holding = 0; holding < HOLDINGS; ++holding)
                if (seen[holding]) holdings[suit].push_back(static_cast<std::uint16_t>(holding));
        }
        watched_.push_back(seats);
        if (watched_.size() > MAX_AUTOMATA) throw TooManyCases{};
        automata_.emplace_back(condition, problem.measures, holdings, ORDER, std::has_single_bit(seats));
        if (automata_.back().is_empty()) return;
        if (should_stop && should_stop()) throw Stopped{};
    }
    for (int place = 0; place < SUITS; ++place) make_letters(place, examples[place]);
    walk(limits, should_stop);
}

CardSet DealCounts::known_of(unsigned seats) const {
    CardSet cards = 0;
    for (int seat = 0; seat < SEATS; ++seat)
        if (seats >> seat & 1) cards |= known_[seat];
    return cards;
}

unsigned DealCounts::holding_of(unsigned seats, int suit, const PerSeat<std::uint16_t>& example) const {
    auto holding = static_cast<unsigned>(known_of(seats) >> (16 * suit) & SUIT_MASK);
    for (std::size_t i = 0; i < tracked_.size(); ++i)
        if (seats >> tracked_[i] & 1) holding |= example[i];
    return holding;
}

// All ways to give the suit's unseen cards to the tracked hands, with an example of each.
void DealCounts::make_ways(const DealProblem& problem, int place, std::vector<PerSeat<std::uint16_t>>& examples) {
    SuitTable& table = tables_[place];
    const int suit = table.suit = ORDER[place];
    const auto unseen = static_cast<unsigned>(unseen_ >> (16 * suit) & SUIT_MASK);
    // A card joins the first set with whose cards it may change places.
    for (int rank = 0; rank < HAND_SIZE; ++rank) {
        if (!(unseen >> rank & 1)) continue;
        const auto joins = std::ranges::find_if(table.equal_cards, [&](unsigned cards) {
            const int other = std::countr_zero(cards);
            for (const int seat : tracked_)
                if ((denied_[seat] >> (16 * suit + rank) ^ denied_[seat] >> (16 * suit + other)) & 1) return false;
            return std::ranges::all_of(problem.measures,
                                       [&](const Measure& measure) { return is_alike(measure, suit, other, rank); });
        });
        if (joins == table.equal_cards.end())
            table.equal_cards.push_back(static_cast<std::uint16_t>(1u << rank));
        else
            *joins = static_cast<std::uint16_t>(*joins | 1u << rank);
    }

    std::vector<CardShares> shares;  // of the ways begun
    PerSeat<int> room{};
    for (std::size_t i = 0; i < tracked_.size(); ++i) room[i] = room_[tracked_[i]];
    int pool_room = pool_room_;
    PerSeat<std::uint16_t> example{};
    const auto finish = [&](std::uint64_t ways) {
        if (table.ways.size() == MOST_WAYS) throw TooManyCases{};
        SuitWays found{.ways = ways, .sure = {}, .first_shares = 0, .end_shares = 0};
        found.first_shares = static_cast<std::uint32_t>(table.shares.size());
        for (const CardShares& share : shares) {
            const std::uint16_t cards = table.equal_cards[static_cast<std::size_t>(share.cards)];
            bool is_split = false;
            for (std::size_t i = 0; i < tracked_.size(); ++i) {
                const bool is_all = share.numbers[i] == std::popcount(cards);
                if (is_all) found.sure[i] = static_cast<std::uint16_t>(found.sure[i] | cards);
                is_split |= share.numbers[i] > 0 && !is_all;
            }
            if (is_split) table.shares.push_back(share);
        }
        found.end_shares = static_cast<std::uint32_t>(table.shares.size());
        table.ways.push_back(found);
        examples.push_back(example);
    };
    // Divides one set after the other. The lowest cards of a set stand for those that a hand gets.
    const auto divide = [&](const auto& self, std::size_t set, std::uint64_t ways) -> void {
        if (set == table.equal_cards.size()) return finish(ways);
        shares.push_back({.cards = static_cast<int>(set), .numbers = {}});
        const auto give = [&](const auto& again, std::size_t i, unsigned left, std::uint64_t ways_now) -> void {
            const int number = std::popcount(left);
            if (i == tracked_.size()) {
                if (number > pool_room) return;
                pool_room -= number;
                self(self, set + 1, ways_now);
                pool_room += number;
                return;
            }
            const bool is_denied = (denied_[tracked_[i]] >> (16 * suit) & left) != 0;
            const int most = is_denied ? 0 : std::min(number, room[i]);
            const std::uint16_t before = example[i];
            for (int taken = 0; taken <= most; ++taken) {
                shares.back().numbers[i] = static_cast<std::uint8_t>(taken);
                room[i] -= taken;
                again(again, i + 1, left, ways_now * choose(number, taken));
                room[i] += taken;
                example[i] = static_cast<std::uint16_t>(example[i] | (left & (0 - left)));
                left &= left - 1;
            }
            example[i] = before;
        };
        give(give, 0, table.equal_cards[set], ways);
        shares.pop_back();
    };
    divide(divide, 0, 1);
}

// Groups the ways by their letters, and drops those that no hand allows.
void DealCounts::make_letters(int place, const std::vector<PerSeat<std::uint16_t>>& examples) {
    SuitTable& table = tables_[place];
    const std::size_t width = automata_.size();
    struct Coded {
        unsigned lengths;
        Per<std::uint16_t, MAX_AUTOMATA> codes;
        std::size_t way;
        // Ways with the same lengths, also with the same first letter, also with the same other letters.
        Per<std::uint64_t, 3> alike;
        bool is_like(const Coded& other, std::size_t depth) const {
            return lengths == other.lengths && (depth < 1 || codes[0] == other.codes[0]) &&
                   (depth < 2 || codes == other.codes);
        }
    };
    std::vector<Coded> coded;
    for (std::size_t way = 0; way < table.ways.size(); ++way) {
        Coded found{.lengths = 0, .codes = {}, .way = way, .alike = {}};
        for (std::size_t i = 0; i < tracked_.size(); ++i)
            found.lengths = found.lengths << 4 | static_cast<unsigned>(std::popcount(examples[way][i]));
        bool is_alive = true;
        for (std::size_t a = 0; a < width && is_alive; ++a) {
            const int letter = automata_[a].letter(place, holding_of(watched_[a], table.suit, examples[way]));
            is_alive = letter != HandAutomaton::DEAD;
            found.codes[a] = static_cast<std::uint16_t>(letter);
        }
        if (is_alive) coded.push_back(found);
    }
    // What is alike stands together, and what has most ways stands first: it is found soonest.
    std::ranges::sort(coded, {}, [](const Coded& one) { return std::tuple(one.lengths, one.codes, one.way); });
    for (std::size_t depth = 0; depth < 3; ++depth)
        for (std::size_t i = 0, end = 0; i < coded.size(); i = end) {
            std::uint64_t sum = 0;
            for (end = i; end < coded.size() && coded[end].is_like(coded[i], depth); ++end)
                sum += table.ways[coded[end].way].ways;
            for (std::size_t j = i; j < end; ++j) coded[j].alike[depth] = sum;
        }
    std::ranges::sort(coded, {}, [](const Coded& one) {
        return std::tuple(~one.alike[0], one.lengths, ~one.alike[1], one.codes[0], ~one.alike[2], one.codes, one.way);
    });
    std::vector<SuitWays> ways;
    for (std::size_t i = 0; i < coded.size(); ++i) {
        const bool is_new = i == 0 || !coded[i].is_like(coded[i - 1], 2);
        const auto letter = static_cast<std::uint32_t>(table.letters.size());
        const auto way = static_cast<std::uint32_t>(ways.size());
        if (i == 0 || coded[i].lengths != coded[i - 1].lengths) table.groups.push_back(letter);
        if (is_new) {
            table.letters.push_back({.ways = 0, .first_ways = way, .end_ways = way, .skip = 0});
            for (std::size_t a = 0; a < width; ++a) table.codes.push_back(coded[i].codes[a]);
        }
        ways.push_back(table.ways[coded[i].way]);
        table.letters.back().ways += ways.back().ways;
        table.letters.back().end_ways = way + 1;
    }
    table.ways = std::move(ways);
    table.groups.push_back(static_cast<std::uint32_t>(table.letters.size()));
    for (std::size_t g = table.group_count(); g-- > 0 && width > 0;)
        for (std::uint32_t i = table.groups[g + 1]; i-- > table.groups[g];) {
            const bool ends = i + 1 == table.groups[g + 1] || table.codes[i * width] != table.codes[(i + 1) * width];
            table.letters[i].skip = ends ? i + 1 : table.letters[i + 1].skip;
        }
}

// Adds up the ways from every joint state to the end, from the last suit to the first.
void DealCounts::walk(const CountLimits& limits, const StopCheck& should_stop) {
    const std::size_t width = automata_.size();
    for (int place = 0; place <= SUITS; ++place) {
        std::uint64_t keys = 1;
        for (std::size_t a = 0; a < width; ++a) {
            strides_[place][a] = keys;
            const auto states = static_cast<std::uint64_t>(automata_[a].states(place));
            if (keys > (~std::uint64_t{0} >> 1) / std::max<std::uint64_t>(states, 1)) throw TooManyCases{};
            keys *= states;
        }
        if (place < SUITS) tables_[place].places = StatePlaces(keys);
    }
    std::size_t steps = 0, asked = 0;
    const auto poll = [&](std::size_t letters) {
        steps += letters;
        if (steps > limits.steps) throw TooManyCases{};
        if (steps - asked > 100'000) {
            asked = steps;
            if (should_stop && should_stop()) throw Stopped{};
        }
    };

    // Step 1. The states that can be reached.
    tables_[0].places.insert(0);
    tables_[0].parts.assign(width, 0);
    std::size_t bytes = 0;
    Per<std::size_t, SUITS> states{{1, 0, 0, 0}};
    for (int place = 0; place < SUITS; ++place) {
        const SuitTable& table = tables_[place];
        bytes += table.places.bytes() + states[place] * (4 * width + sizeof(Wide) * (1 + table.group_count()));
        if (bytes > limits.bytes) throw TooManyCases{};
        if (place + 1 == SUITS) break;
        SuitTable& next = tables_[place + 1];
        for (std::size_t state = 0; state < states[place]; ++state) {
            poll(table.letters.size());
            follow_keys(place, static_cast<std::int32_t>(state), 0, table.groups.back(),
                        [&](std::uint32_t, std::uint64_t key) {
                            if (next.places.find(key) >= 0) return false;
                            next.places.insert(key);
                            ++states[place + 1];
                            for (std::size_t a = 0; a < width; ++a) {
                                const std::uint64_t stride = strides_[place + 1][a];
                                const auto count = static_cast<std::uint64_t>(automata_[a].states(place + 1));
                                next.parts.push_back(static_cast<std::int32_t>(key / stride % count));
                            }
                            return false;
                        });
        }
    }

    // Step 2. Their ways to the end.
    for (int place = SUITS; place-- > 0;) {
        SuitTable& table = tables_[place];
        const std::size_t groups = table.group_count();
        table.rests.assign(states[place], 0);
        table.group_rests.assign(states[place] * groups, 0);
        for (std::size_t state = 0; state < states[place]; ++state) {
            poll(table.letters.size());
            for (std::size_t group = 0; group < groups; ++group) {
                Wide sum = 0;
                follow(place, static_cast<std::int32_t>(state), table.groups[group], table.groups[group + 1],
                       [&](std::uint32_t letter, std::int32_t next) {
                           sum += rests(place + 1, next) * table.letters[letter].ways;
                           return false;
                       });
                table.group_rests[state * groups + group] = sum;
                table.rests[state] += sum;
            }
        }
    }
    size_ = tables_[0].rests[0];
    for (int left = pool_room_; const int seat : pool_) {
        size_ *= choose(left, room_[seat]);
        left -= room_[seat];
    }
}

}  // namespace setrograde

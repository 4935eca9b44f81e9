// Counting: how many deals fit, jointly for all hands, suit by suit
//
// The hands on which something is asked are tracked; the others share what is left, in any way. Cards that
// no condition tells apart, such as the small ones, are counted by number only. For each suit, all ways to
// give its unseen cards to the tracked hands are grouped by the letters that the hands' automata read, and
// a walk over the four suits adds up the ways from each joint state to the end. No deal is listed and none
// is rejected, so rare hands cost as much as common ones.
//
// Nobody before seems to have counted several hands jointly; for one hand, redeal's "smart stack" does so.
#pragma once

#include <vector>

#include "setrograde/common/hash.hpp"
#include "setrograde/common/stop.hpp"
#include "setrograde/common/wide.hpp"
#include "setrograde/deals/hand_automaton.hpp"

namespace setrograde {

// Cards of one suit that no condition tells apart, and how many of them each tracked hand gets.
struct CardShares {
    int cards;                      // which set of such cards
    PerSeat<std::uint8_t> numbers;  // by tracked hand
};

// Ways to give the unseen cards of a suit to the tracked hands that differ in equal cards only.
struct SuitWays {
    std::uint64_t ways;
    PerSeat<std::uint16_t> sure;  // by tracked hand: cards of sets that go to it entirely
    std::uint32_t first_shares, end_shares;
};

// Ways with the same letter for each automaton.
struct JointLetter {
    std::uint64_t ways;
    std::uint32_t first_ways, end_ways;
    std::uint32_t skip;  // the first of the next letters that differs in lengths or in the first automaton
};

struct CountLimits {
    std::size_t steps = std::size_t{1} << 29;  // of the walk, some seconds
    std::size_t bytes = std::size_t{1} << 28;
};

// Where states are: places in a list by key. An array if all keys are small, else a hash table.
class StatePlaces {
public:
    explicit StatePlaces(std::uint64_t keys = 0);

    // The place of a key, or -1.
    std::int32_t find(std::uint64_t key) const {
        if (!is_hashed_) return places_[key];
        for (std::size_t slot = slot_of(key);; slot = (slot + 1) & (keys_.size() - 1)) {
            if (places_[slot] < 0 || keys_[slot] == key) return places_[slot];
        }
    }

    // Gives a key that has no place yet the next one.
    void insert(std::uint64_t key);
    std::size_t bytes() const { return places_.size() * sizeof(places_[0]) + keys_.size() * sizeof(keys_[0]); }

private:
    std::size_t slot_of(std::uint64_t key) const { return mix(0, key) >> shift_; }

    bool is_hashed_;
    int shift_ = 0;
    std::int32_t used_ = 0;
    std::vector<std::int32_t> places_;
    std::vector<std::uint64_t> keys_;
};

class DealCounts {
public:
    static constexpr int MAX_AUTOMATA = 16;

    // One suit: its ways, its letters, and the states before it is read.
    struct SuitTable {
        int suit = 0;
        std::vector<std::uint16_t> equal_cards;  // sets of cards that no condition tells apart
        std::vector<CardShares> shares;
        std::vector<SuitWays> ways;
        std::vector<JointLetter> letters;
        std::vector<std::uint16_t> codes;   // of each joint letter, the letters of all automata
        std::vector<std::uint32_t> groups;  // the first joint letter of each tuple of lengths, and the end
        std::vector<std::int32_t> parts;    // of each state, the states of all automata
        StatePlaces places;
        std::vector<Wide> rests;        // of each state: ways from it to the end
        std::vector<Wide> group_rests;  // the same for each group of letters

        std::size_t group_count() const { return groups.size() - 1; }
    };

    // Throws TooManyCases beyond the limits, Stopped if the check says so.
    DealCounts(const DealProblem& problem, const CountLimits& limits, const StopCheck& should_stop);

    // Deals that fit.
    Wide size() const { return size_; }

    // What the sampler needs to draw backwards.
    const SuitTable& table(int place) const { return tables_[place]; }
    const std::vector<int>& tracked() const { return tracked_; }  // seats
    const std::vector<int>& pool() const { return pool_; }        // the other seats with hidden cards
    int room(int seat) const { return room_[seat]; }
    CardSet unseen() const { return unseen_; }
    CardSet known(int seat) const { return known_[seat]; }

    // Ways from the state at `state` after `place` suits to the end.
    Wide rests(int place, std::int32_t state) const {
        return place == SUITS ? 1 : tables_[place].rests[static_cast<std::size_t>(state)];
    }

    // Calls use(letter, next state) for each letter from `first` to `end` that leads on from a state, until
    // it returns true. `next` is the place of the next state.
    template <class Use>
    void follow(int place, std::int32_t state, std::uint32_t first, std::uint32_t end, Use use) const {
        follow_keys(place, state, first, end, [&](std::uint32_t letter, std::uint64_t key) {
            if (place + 1 == SUITS) return use(letter, std::int32_t{0});
            const std::int32_t next = tables_[place + 1].places.find(key);
            return next >= 0 && use(letter, next);
        });
    }

private:
    template <class Use>
    void follow_keys(int place, std::int32_t state, std::uint32_t first, std::uint32_t end, Use use) const {
        const SuitTable& table = tables_[place];
        const std::size_t width = automata_.size();
        Per<const std::int32_t*, MAX_AUTOMATA> rows;
        for (std::size_t a = 0; a < width; ++a)
            rows[a] = automata_[a].next(place, table.parts[static_cast<std::size_t>(state) * width + a]);
        for (std::uint32_t letter = first; letter < end;) {
            const std::uint16_t* const codes = table.codes.data() + letter * width;
            std::uint64_t key = 0;
            std::size_t a = 0;
            for (; a < width; ++a) {
                const std::int32_t next = rows[a][codes[a]];
                if (next < 0) break;
                key += static_cast<std::uint64_t>(next) * strides_[place + 1][a];
            }
            if (a == width && use(letter, key)) return;
            letter = a == 0 && width > 0 ? table.letters[letter].skip : letter + 1;
        }
    }

    void make_ways(const DealProblem& problem, int place, std::vector<PerSeat<std::uint16_t>>& examples);
    void make_letters(int place, const std::vector<PerSeat<std::uint16_t>>& examples);
    void walk(const CountLimits& limits, const StopCheck& should_stop);
    CardSet known_of(unsigned seats) const;
    unsigned holding_of(unsigned seats, int suit, const PerSeat<std::uint16_t>& example) const;

    PerSeat<CardSet> known_{}, denied_{};
    CardSet unseen_ = 0;
    PerSeat<int> room_{};
    std::vector<int> tracked_, pool_;
    int pool_room_ = 0;
    std::vector<unsigned> watched_;  // the seats of each automaton
    std::vector<HandAutomaton> automata_;
    Per<Per<std::uint64_t, MAX_AUTOMATA>, SUITS + 1> strides_{};
    PerSuit<SuitTable> tables_;
    Wide size_ = 0;
};

}  // namespace setrograde

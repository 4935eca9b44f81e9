// Suit game: the rules of one suit between declarer and defenders who see everything
//
// Declarer holds North and South, sees both, and leads the suit from either. What he does not know is
// the layout: which defender has which outstanding card. Outstanding cards that touch form a run, and a
// layout says only how many cards of each run West holds: a line may look at the ranks of touching
// cards, but gains nothing by it (docs, "Suits and finesses").
//
// An outcome is written as sets of layouts, one for each number of tricks t: where a line wins t or more.
// Then the minimum is "and", the union of what single layouts allow is "or", and better is "superset".
// The double-dummy result of every layout, found the same way, bounds all outcomes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "setrograde/cards/cards.hpp"
#include "setrograde/suit/work.hpp"

namespace setrograde {

using RankSet = std::uint16_t;                   // bit 0 is the two, bit 12 the ace
using LayoutWords = std::vector<std::uint64_t>;  // a set of layouts, or an outcome: such sets by tricks

// One value for North and South, or for West and East.
template <class T>
using PerHand = Per<T, 2>;

inline constexpr int SUIT_RANKS = 13;
inline constexpr std::uint8_t FREE_ENTRIES = 15;

// Who may lead, besides hands 0 and 1: either hand as declarer likes, or neither without an entry
// because the defenders won the last trick.
inline constexpr int EITHER_HAND = -1;
inline constexpr int NO_HAND = 2;

inline constexpr int SHOWS_OUT = -1;  // instead of a run
inline constexpr int NO_CARD = -1;    // of a hand that has none left

// What is known between two tricks. Declarer's hands are 0 North, 1 South; defenders 0 West, 1 East.
struct SuitState {
    PerHand<RankSet> own{};                                       // cards left
    PerHand<std::array<std::uint8_t, SUIT_RANKS>> played{};       // by defender and run
    PerHand<bool> is_void{};                                      // defenders who showed out
    PerHand<std::uint8_t> entries{{FREE_ENTRIES, FREE_ENTRIES}};  // in other suits
    int on_lead = EITHER_HAND;

    bool has_free_entries() const { return entries[0] == FREE_ENTRIES && entries[1] == FREE_ENTRIES; }
};

// A state in two words.
struct SuitKey {
    std::uint64_t hands, seen;
    bool operator==(const SuitKey&) const = default;
};
struct SuitKeyHash {
    std::size_t operator()(const SuitKey& key) const;
};

// A card that a defender may play, or showing out, and the layouts that allow it.
struct SuitReply {
    int run;
    LayoutWords layouts;
    SuitState state;
};

// A card led, and what separates the cards of each hand during the trick.
struct SuitLead {
    int hand, card;
    PerHand<RankSet> separators;
};

bool is_empty(const LayoutWords& layouts);
void keep(LayoutWords& layouts, const LayoutWords& others);  // those in both
void drop(LayoutWords& layouts, const LayoutWords& others);

// The set over and over, `width` words in all: every trick in these layouts, and none elsewhere.
LayoutWords repeated(const LayoutWords& layouts, std::size_t width);

class SuitGame {
public:
    // `runs`: outstanding ranks, highest run first. `layouts`: for each, how many cards of each run West
    // holds. Throws std::invalid_argument for cards held twice and layouts that do not fit.
    SuitGame(PerHand<RankSet> own, std::vector<RankSet> runs, const std::vector<std::vector<std::uint8_t>>& layouts);

    int levels() const { return levels_; }        // the most tricks the longer hand can win
    std::size_t words() const { return words_; }  // of a set of layouts
    std::size_t width() const { return width_; }  // words of an outcome

    // The state as the search writes it. Throws std::invalid_argument for cards that are not there.
    SuitState checked(const SuitState& state) const;
    SuitKey key(const SuitState& state) const;
    LayoutWords consistent(const SuitState& state) const;  // layouts that fit what was seen

    // What a defender may play, from the highest run down, showing out last.
    std::vector<SuitReply> replies(const SuitState& state, int defender, const LayoutWords& layouts) const;
    // What declarer may lead, and follow with: of cards that are alike, one.
    std::vector<SuitLead> leads(const SuitState& state) const;
    std::vector<int> followers(const SuitState& state, const SuitLead& lead) const;
    int tricks_left(const SuitState& state) const;

    // East plays after North, West after South.
    static int defender_after(int hand) { return 1 - hand; }
    // True if declarer wins a trick of these cards; the defenders' are given by run.
    bool wins(int led, int followed, int first_run, int second_run) const;
    SuitState after_trick(const SuitReply& last, const SuitLead& lead, int followed, bool won) const;

    // All tricks in these layouts, none elsewhere: where minima begin.
    LayoutWords everything(const LayoutWords& layouts) const { return repeated(layouts, width_); }
    // The outcome with this trick counted in, and everything in other layouts.
    LayoutWords with_trick(const std::uint64_t* outcome, const LayoutWords& layouts, bool won) const;

    // What declarer could win if he saw the layout, for all layouts at a time; `layouts` fit the state.
    // Throws Stopped; no limit counts this work.
    const LayoutWords& bound(const SuitState& state, const LayoutWords& layouts, WorkMeter& meter);
    LayoutWords bound_of_card(const SuitReply& first, const SuitLead& lead, int followed, WorkMeter& meter);

private:
    void add_runs();
    void add_layout(std::size_t number, const std::vector<std::uint8_t>& west);
    LayoutWords without_cards(const SuitState& state, int defender) const;
    RankSet outstanding(const SuitState& state) const;
    RankSet separators(const SuitState& state, int hand) const;
    std::vector<int> choices(RankSet hand, RankSet between) const;
    bool may_lead(const SuitState& state, int hand) const;

    PerHand<RankSet> own_;
    std::vector<RankSet> runs_;
    std::vector<std::uint8_t> sizes_;  // cards of each run
    std::size_t words_;
    int levels_;
    std::size_t width_;
    LayoutWords all_;
    // holds_[defender][run][n]: the layouts where the defender began with n cards of the run or more.
    PerHand<std::vector<std::vector<LayoutWords>>> holds_;
    std::unordered_map<SuitKey, LayoutWords, SuitKeyHash> bounds_;
};

}  // namespace setrograde

// Suit game: the rules of one suit between declarer and defenders who see everything
//
// Declarer holds North and South, sees both, and leads the suit from either. What he does not know is
// the lie: who has which outstanding card. Outstanding cards that touch form a class, and a lie says
// only how many of each class West holds: a line may look at the ranks of touching cards, but gains
// nothing by it (docs, "Suits and finesses").
//
// An outcome is written as sets of lies, one for each number of tricks t: where a line wins t or more.
// Then the minimum is "and", the union of what single lies allow is "or", and better is "superset".
// The double-dummy result of every lie, found the same way, bounds all outcomes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace setrograde {

using RankSet = std::uint16_t;                // bit 0 is the two, bit 12 the ace
using LieWords = std::vector<std::uint64_t>;  // a set of lies, or an outcome: such sets by tricks

inline constexpr int SUIT_RANKS = 13;
inline constexpr std::uint8_t FREE_ENTRIES = 15;

// Who may lead, besides hands 0 and 1: either hand as declarer likes, or neither without an entry
// because the defenders won the last trick.
inline constexpr int EITHER_HAND = -1;
inline constexpr int NO_HAND = 2;

inline constexpr int SHOWS_OUT = -1;  // instead of a class
inline constexpr int NO_CARD = -1;    // of a hand that has none left

// What is known between two tricks. Declarer's hands are 0 North, 1 South; defenders 0 West, 1 East.
struct SuitState {
    std::array<RankSet, 2> own{};                                     // cards left
    std::array<std::array<std::uint8_t, SUIT_RANKS>, 2> played{};     // by defender and class
    std::array<bool, 2> is_void{};                                    // defenders who showed out
    std::array<std::uint8_t, 2> entries{FREE_ENTRIES, FREE_ENTRIES};  // in other suits
    int on_lead = EITHER_HAND;
};

// A state in two words.
struct SuitKey {
    std::uint64_t hands, seen;
    bool operator==(const SuitKey&) const = default;
};
struct SuitKeyHash {
    std::size_t operator()(const SuitKey& key) const;
};

// A card a defender may play, or showing out, and the lies that allow it.
struct SuitReply {
    int card_class;
    LieWords lies;
    SuitState state;
};

// A card led, and what separates the cards of each hand during the trick.
struct SuitLead {
    int hand, card;
    std::array<RankSet, 2> separators;
};

bool is_empty(const LieWords& lies);
void keep(LieWords& lies, const LieWords& others);  // those in both
void drop(LieWords& lies, const LieWords& others);

class SuitGame {
public:
    // `classes`: outstanding ranks, highest class first. `lies`: for each, how many cards of each class
    // West holds. Throws std::invalid_argument for cards held twice and lies that do not fit.
    SuitGame(std::array<RankSet, 2> own, std::vector<RankSet> classes,
             const std::vector<std::vector<std::uint8_t>>& lies);

    int levels() const { return levels_; }        // most tricks the longer hand can win
    std::size_t words() const { return words_; }  // words of a set of lies
    std::size_t width() const { return width_; }  // words of an outcome

    // The state as the search writes it. Throws std::invalid_argument for cards that are not there.
    SuitState checked(const SuitState& state) const;
    SuitKey key(const SuitState& state) const;
    LieWords consistent(const SuitState& state) const;  // lies that fit what was seen

    // What a defender may play, from the highest class down, showing out last.
    std::vector<SuitReply> replies(const SuitState& state, int defender, const LieWords& lies) const;
    // One of cards that are alike.
    std::vector<SuitLead> leads(const SuitState& state) const;
    std::vector<int> followers(const SuitState& state, const SuitLead& lead) const;
    int tricks_left(const SuitState& state) const;

    // East plays after North, West after South.
    static int defender_after(int hand) { return 1 - hand; }
    bool wins(int led, int followed, int first_class, int second_class) const;
    SuitState after_trick(const SuitReply& last, const SuitLead& lead, int followed, bool won) const;

    // All tricks in these lies, none elsewhere: where minima begin.
    LieWords everything(const LieWords& lies) const;
    // The outcome with this trick counted in, and everything in other lies.
    LieWords with_trick(const std::uint64_t* outcome, const LieWords& lies, bool won) const;

    // What declarer could win if he saw the lie, for all lies at a time; `lies` fit the state.
    const LieWords& bound(const SuitState& state, const LieWords& lies);
    LieWords bound_of_card(const SuitReply& first, const SuitLead& lead, int followed);

private:
    LieWords without_cards(const SuitState& state, int defender) const;
    RankSet outstanding(const SuitState& state) const;
    RankSet separators(const SuitState& state, int hand) const;
    std::vector<int> choices(RankSet hand, RankSet between) const;
    bool may_lead(const SuitState& state, int hand) const;

    std::array<RankSet, 2> own_;
    std::vector<RankSet> classes_;
    std::vector<std::uint8_t> sizes_;
    std::size_t words_;
    int levels_;
    std::size_t width_;
    LieWords all_;
    // holds_[defender][class][n]: the lies where the defender began with n cards of the class or more.
    std::array<std::vector<std::vector<LieWords>>, 2> holds_;
    std::unordered_map<SuitKey, LieWords, SuitKeyHash> bounds_;
};

}  // namespace setrograde

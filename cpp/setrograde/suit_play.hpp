// Suit play: declarer's best lines in one suit against defenders who see everything
//
// Declarer holds North and South, sees both, and leads the suit from either. What he does not know is
// the lie: who has which outstanding card. A line is a strategy that depends only on the cards seen.
// Its outcome is a vector: for every lie the tricks it wins when the defenders, who know the lie and
// the line, play as well as they can. A position is answered by its front: the outcomes that no other
// outcome matches in every lie. Fronts are passed up the tree:
// - where declarer chooses, the union of the fronts of his cards;
// - where a defender chooses, he picks the worst for each lie, so that outcomes of his cards combine to
//   their minimum, each counting only in the lies where he can play that card. Every combination of one
//   outcome for each card is a line of its own, because declarer sees the card before he goes on.
// (Frank and Basin, "Search in games with incomplete information", 1998; the goals come afterwards.)
//
// Outstanding cards that touch form a class, and a lie says only how many of each class West holds: a
// line may look at the ranks of touching cards, but gains nothing by it (docs, "Suits and finesses").
//
// An outcome is written as sets of lies, one for each number of tricks t: where it wins t or more. Then
// the minimum is "and", the union of what single lies allow is "or", and better is "superset". The
// double-dummy result of every lie, found the same way, bounds the fronts: a card whose bound is matched
// by a line already found is not searched.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "setrograde/search.hpp"

namespace setrograde {

using RankSet = std::uint16_t;  // bit 0 is the two, bit 12 the ace

inline constexpr int SUIT_RANKS = 13;
inline constexpr std::uint8_t FREE_ENTRIES = 15;

// Who may lead, besides hands 0 and 1: either hand as declarer likes, or neither without an entry
// because the defenders won the last trick.
inline constexpr int EITHER_HAND = -1;
inline constexpr int NO_HAND = 2;

// What is known between two tricks. Declarer's hands are 0 North, 1 South; defenders 0 West, 1 East.
struct SuitState {
    std::array<RankSet, 2> own{};                                     // cards left
    std::array<std::array<std::uint8_t, SUIT_RANKS>, 2> played{};     // by defender and class
    std::array<bool, 2> is_void{};                                    // defenders who showed out
    std::array<std::uint8_t, 2> entries{FREE_ENTRIES, FREE_ENTRIES};  // in other suits
    int on_lead = EITHER_HAND;
};

// Outcomes one after another, each of `levels * words` words.
struct OutcomeFront {
    std::vector<std::uint64_t> bits;
    std::size_t size = 0;
};

class SuitSolver {
public:
    // `classes`: outstanding ranks, highest class first. `lies`: for each, how many cards of each class
    // West holds. Throws std::invalid_argument for cards held twice and lies that do not fit.
    SuitSolver(std::array<RankSet, 2> own, std::vector<RankSet> classes,
               std::vector<std::vector<std::uint8_t>> lies, StopCheck should_stop = {});

    // The undominated outcomes from a state on; lies that contradict it win nothing. Throws
    // std::invalid_argument for cards that are not there, Stopped.
    const OutcomeFront& front(const SuitState& state);

    int levels() const { return levels_; }            // most tricks the longer hand can win
    std::size_t words() const { return words_; }      // words of a set of lies
    std::size_t states() const { return fronts_.size(); }

private:
    using Words = std::vector<std::uint64_t>;
    struct Key {
        std::uint64_t hands, seen;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const;
    };
    // A card a defender may play, or showing out (class -1), and the lies that allow it.
    struct Reply {
        int card_class;
        Words lies;
        SuitState state;
    };

    // A card led, and what separates the cards of each hand during the trick.
    struct Lead {
        int hand, card;
        std::array<RankSet, 2> separators;
    };

    Key key(const SuitState& state) const;
    Words consistent(const SuitState& state) const;
    Words without_cards(const SuitState& state, int defender) const;
    std::vector<Reply> replies(const SuitState& state, int defender, const Words& lies) const;

    RankSet outstanding(const SuitState& state) const;
    RankSet separators(const SuitState& state, int hand) const;
    std::vector<int> choices(RankSet hand, RankSet between) const;
    bool may_lead(const SuitState& state, int hand) const;
    std::vector<Lead> leads(const SuitState& state) const;
    std::vector<int> followers(const SuitState& state, const Lead& lead) const;
    int tricks_left(const SuitState& state) const;

    // East plays after North, West after South.
    static int defender_after(int hand) { return 1 - hand; }
    bool wins(int led, int followed, int first_class, int second_class) const;
    SuitState after_trick(const Reply& last, const Lead& lead, int followed, bool won) const;

    bool is_within(const std::uint64_t* inner, const std::uint64_t* outer) const;
    bool is_covered(const std::uint64_t* outcome, const OutcomeFront& front) const;
    void append(OutcomeFront& front, const std::uint64_t* outcome) const;
    void thin(OutcomeFront& front) const;
    Words everything(const Words& lies) const;
    Words with_trick(const std::uint64_t* outcome, const Words& lies, bool won) const;
    void combine(OutcomeFront& front, const OutcomeFront& other, const Words& lies, bool won) const;

    const Words& bound(const SuitState& state, const Words& lies);
    Words bound_of_card(const Reply& first, const Lead& lead, int followed);
    const OutcomeFront& front(const SuitState& state, const Words& lies);
    OutcomeFront front_of_lead(const SuitState& state, const Words& lies, const Lead& lead,
                               const OutcomeFront& known);
    OutcomeFront front_of_card(const Reply& first, const Lead& lead, int followed);

    std::array<RankSet, 2> own_;
    std::vector<RankSet> classes_;
    std::vector<std::uint8_t> sizes_;
    StopCheck should_stop_;
    std::size_t words_;
    int levels_;
    std::size_t width_;
    Words all_;
    // holds_[defender][class][n]: the lies where the defender began with n cards of the class or more.
    std::array<std::vector<std::vector<Words>>, 2> holds_;
    std::unordered_map<Key, Words, KeyHash> bounds_;
    std::unordered_map<Key, OutcomeFront, KeyHash> fronts_;
};

}  // namespace setrograde

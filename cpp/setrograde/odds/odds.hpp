// Odds: all lies of the hidden cards settled, set by set
//
// North and South are known; East and West share the hidden cards. Of every lie it is decided whether
// North-South take enough tricks, but not of one lie at a time: a search answers for one lie and names
// the cards it relies on, all lies with the same lengths and the same owners of these cards have the
// same answer, and what is left is divided. One search is kept for all of it. That is the method of
// patterns.
//
// The method of classes tells fewer lies apart. Hidden cards of a suit with no known card between them
// form a run, and a set of lies says how many cards of each run East has, at least and at most. Two
// games with ties (search/search.hpp) bracket all lies of such a set: if North-South get there although the
// defence decides ties, they do in every lie; if they do not although declarer decides, in none. Where
// the two games differ, the ranks in one suit after the other are told apart, down to the game as it
// is. It settles larger sets, but searches twice, and endings from a database are of no use to it: the
// method of patterns is the faster one, and the two check each other.
//
// Conditions on the hidden hands are weights: they say how many lies of a set count.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "setrograde/search/search.hpp"

namespace setrograde {

struct OddsProblem {
    CardSet north = 0, south = 0, hidden = 0;
    int strain = NOTRUMP, leader = WEST;
    std::vector<Place> trick;                // cards on the table, the leader's first
    std::vector<std::array<int, 4>> shapes;  // what East may have of each suit; empty: anything
    int min_points = 0, max_points = 40;     // high-card points among East's hidden cards
    CardSet east = 0, west = 0;              // hidden cards of which the owner is known
};

// A set of lies: East has so many of these cards, at least and at most, for each bound.
struct OddsBound {
    CardSet cards;
    int low, high;
};

struct OddsSet {
    bool makes;
    std::uint64_t lies;
    std::vector<OddsBound> bounds;
};

struct OddsProgress {
    std::uint64_t yes = 0, no = 0;  // lies settled
    std::uint64_t sets = 0, solves = 0;
    std::uint64_t told_apart = 0;  // lies for which the games with ties were not enough
};

struct OddsResult {
    OddsProgress counts;
    std::uint64_t open = 0;  // lies not settled when it was stopped
    std::uint64_t nodes = 0;
    std::vector<OddsSet> sets;
};

// Asked now and then by the calling thread; true stops.
using OddsWatch = std::function<bool(const OddsProgress&)>;

class Odds {
public:
    // Throws std::invalid_argument if there is no such position.
    explicit Odds(OddsProblem problem);

    // Lies that satisfy all conditions.
    std::uint64_t lies() const { return lies_; }

    // Settles "do North-South take at least `need` of the tricks left?" for all lies, without ties if
    // `plain`. The same result whatever the number of threads, but for the sets; stopped, what was
    // settled until then.
    OddsResult settle(int need, bool plain, int threads, std::size_t limit_bytes, const Endings& endings,
                      const OddsWatch& watch) const;

    // Tricks of North-South in so many lies, drawn at random with equal chances; with `need`, which
    // takes a fraction of the time, `need` where they take as many or more and one less elsewhere.
    // Throws Stopped.
    std::vector<int> sample(std::size_t count, std::uint64_t seed, std::optional<int> need, std::size_t limit_bytes,
                            const Endings& endings, const StopCheck& should_stop) const;

private:
    friend class OddsWorker;

    static constexpr int MAX_RUNS = 26;

    // Lies with the same lengths, so many cards of each run with East, and owners of cards in suits
    // that are not loose.
    struct Box {
        std::array<std::uint8_t, 4> lengths{};  // East's, by suit
        std::array<std::uint8_t, MAX_RUNS> low{}, high{};
        CardSet east = 0, west = 0;
        unsigned loose = 15;
    };

    struct Run {
        CardSet cards;
        int suit;
    };

    std::uint64_t weight(const Box& box) const;
    std::uint64_t weight_by_points(const Box& box) const;
    CardSet example(const Box& box) const;
    std::vector<OddsBound> bounds(const Box& box) const;
    Position position(CardSet east) const;

    OddsProblem problem_;
    int east_cards_ = 0;
    bool counts_points_ = false;
    std::vector<Run> runs_;  // by suit, the highest first
    std::array<int, 5> first_run_{};
    std::vector<Box> shapes_;  // all lies, the most frequent shapes first
    std::vector<std::uint64_t> shape_lies_;
    std::uint64_t lies_ = 0;
};

}  // namespace setrograde

// Layouts: all ways the hidden cards can lie between East and West
//
// North and South are known; East and West share the hidden cards. A layout is told by East's cards.
// Conditions on the hidden hands (shapes, points, single cards) say which layouts are possible, and all
// possible ones are equally likely.
//
// Layouts are counted in boxes, never listed. Hidden cards of a suit with no known card between them form
// a run. A box fixes East's length in every suit, bounds the number of cards he has of each run, and may
// give single cards to him or to West; so it is a product of what it leaves in each suit. What is known as
// alternatives comes as cases that exclude each other, and the counts of a box in each case are added.
#pragma once

#include <cstdint>
#include <optional>
#include <ranges>
#include <vector>

#include "setrograde/cards/position.hpp"
#include "setrograde/common/dice.hpp"
#include "setrograde/common/stop.hpp"

namespace setrograde {

// Layouts in which East has one of these shapes, points as one of the set bits says, and these cards;
// West has the others named.
struct OddsCase {
    std::vector<PerSuit<int>> shapes;
    std::uint64_t points = ~std::uint64_t{0};
    CardSet east = 0, west = 0;
};

// Two hands that are known, the cards that are not, and what is known about those.
struct OddsProblem {
    CardSet north = 0, south = 0, hidden = 0;
    int strain = NOTRUMP, leader = WEST;
    std::vector<Place> trick;                         // cards on the table, the leader's first
    std::optional<std::vector<PerSuit<int>>> shapes;  // lengths East may have; none: any
    int min_points = 0, max_points = 40;              // high-card points among East's hidden cards
    CardSet east = 0, west = 0;                       // hidden cards whose owner is known
    std::optional<std::vector<OddsCase>> cases;       // a layout is in one of these; none: in all
};

// East has from `low` to `high` of these cards, which are of one suit.
struct OddsBound {
    CardSet cards;
    int low, high;
};

inline constexpr unsigned ALL_SUITS = 15;

class Layouts {
public:
    static constexpr int MAX_RUNS = 26;

    // A set of layouts. In a loose suit only the number of cards of each run matters, and `east` and
    // `west` have none of its cards but those known from the start.
    struct Box {
        PerSuit<std::uint8_t> lengths{};  // East's
        Per<std::uint8_t, MAX_RUNS> low{}, high{};
        CardSet east = 0, west = 0;
        unsigned loose = ALL_SUITS;
        std::uint16_t shape = 0;  // the number of its shape, for the cases of that shape

        bool is_loose(int suit) const { return loose >> suit & 1; }
    };

    // Throws std::invalid_argument if there is no such position.
    explicit Layouts(OddsProblem problem);

    const OddsProblem& problem() const { return problem_; }

    // The number of layouts that satisfy all conditions.
    std::uint64_t size() const { return size_; }

    // All of them, a box for each shape of East's hand, the most frequent first.
    const std::vector<Box>& shapes() const { return shapes_; }

    // The number of possible layouts in a box.
    std::uint64_t count_in(const Box& box) const;

    // East's cards in a layout of the box, one of the most frequent kind, whatever its points. In loose
    // suits he has the highest cards of each run.
    CardSet example(const Box& box) const;

    // East's cards in a random layout. Throws Stopped: few tries may satisfy a condition on points.
    CardSet draw(Dice& dice, const StopCheck& should_stop) const;

    // What defines a box.
    std::vector<OddsBound> bounds(const Box& box) const;

    // The position of a layout.
    Position position(CardSet east) const;

    CardSet run(int index) const { return runs_[index]; }

    // Indices of a suit's runs, the highest first.
    auto runs_of(int suit) const { return std::views::iota(first_run_[suit], first_run_[suit + 1]); }

private:
    // How many of a run's cards East must have, and how many more he may have.
    struct Choice {
        int sure, free;
    };

    void check();
    void find_runs();
    // What limits the layouts of one shape: points as bits, and single cards.
    struct Limit {
        std::uint64_t points;
        CardSet east, west;
    };

    void find_shapes();
    std::vector<Limit> limits_of(const PerSuit<int>& shape) const;
    Choice choice(const Box& box, int run) const;
    std::uint64_t count_within(const Box& box, const Limit& limit) const;
    std::uint64_t count_by_points(const Box& box, std::uint64_t allowed) const;

    OddsProblem problem_;
    int east_cards_ = 0;
    std::uint64_t all_points_ = 0;   // every number of points that East may have, if nothing is known
    Per<CardSet, MAX_RUNS> runs_{};  // by suit, the highest first
    Per<int, SUITS + 1> first_run_{};
    std::vector<Box> shapes_;
    std::vector<std::vector<Limit>> limits_;               // by number of the shape
    std::vector<std::vector<std::uint64_t>> limit_sizes_;  // layouts of the shape within each limit
    std::uint64_t size_ = 0;
};

}  // namespace setrograde

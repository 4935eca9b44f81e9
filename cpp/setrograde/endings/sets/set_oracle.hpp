// Set oracle: what all endings of a set are worth, by playing one trick with all of them at once
//
// Minimax over plays that are themselves sets, against the level below (ORACLE and databaseLookup of
// Algorithm 3). Cards next to each other with the same owners form a run; a play is "a card of this
// run", and exists if some ending of the set has it. A side is sure of a result if, in every ending, one
// of its good plays exists, and all plays of the other side are good for it.
#pragma once

#include <array>
#include <cstdint>

#include "setrograde/endings/shapes/owner_masks.hpp"

namespace setrograde {

class SetLevel;

class SetOracle {
public:
    explicit SetOracle(const SetLevel& below);

    void use_shape(const Shape& shape, const MaskFields& fields);

    // True if the leader's side takes at least (at most) `tricks` tricks in every ending of the set,
    // which must be tightened. False settles nothing unless the set is a single ending.
    bool is_surely_at_least(Masks masks, int tricks);
    bool is_surely_at_most(Masks masks, int tricks);

    // What a single ending is worth.
    int value(Masks layout);

    // Sets looked up in the level below so far.
    std::uint64_t lookups() const { return lookups_; }

private:
    // A suit while the trick is played.
    struct SuitInPlay {
        Masks cards = 0;         // masks of cards in hands, the highest card in the lowest bits
        std::uint64_t runs = 0;  // the number of each card's run, four bits a card
        ByGroup tallied = 0, room = 0;
        int left = 0;

        void start(Masks masks, const SuitField& field);
        SuitInPlay without(int card, int player) const;
    };
    // The shape after a trick, by the suits played and the winner; found when first needed.
    struct After {
        std::uint32_t stamp = 0, rank = 0;
        std::array<std::uint8_t, 4> from{};
    };

    bool is_sure(Masks masks, int side, int tricks);
    bool play(std::size_t player);
    bool play_suit(std::size_t player, std::size_t suit, bool chooses);
    bool is_good_trick();
    bool is_good_after(int winner);
    After find_after(int winner) const;

    const SetLevel& below_;
    int tricks_;
    Shape shape_;
    const MaskFields* fields_ = nullptr;
    std::uint32_t stamp_ = 0;
    std::array<After, 1024> after_{};
    // The question: does `side_`, 0 for the leader's, take at least `need_` tricks?
    int side_ = 0, need_ = 0;
    std::array<SuitInPlay, 4> suits_;
    std::array<std::uint8_t, 4> played_suit_{}, played_run_{};
    std::uint64_t lookups_ = 0;
};

}  // namespace setrograde

// Transducer: all moves of a player in one automaton
//
// A relation between boards is a set of strings of pairs (symbol before, symbol after): a set in a
// forest of its own, so the moves of a player are joined by the algebra of sets. A move in the sense
// of Considine, "Compressed Game Solving" (2024), §4.2, has a set of boards it may be made from, the
// places it changes, and a set of boards it may lead to; a change lists the pairs it allows, so one
// move covers captures of any piece.
//
// The transducer is that relation laid out for speed: states with steps (before, after, next state).
// Once the rest of the board stays as it is, the state is IDENTITY and costs nothing. The image of a
// set, boards/forest.cpp, is one recursion over pairs of a state and a node, where the paper makes a change
// and two intersections for each move and joins them all.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "setrograde/boards/forest.hpp"

namespace setrograde {

struct Change {
    std::size_t place;
    std::vector<std::pair<Symbol, Symbol>> pairs;  // before, after
};

struct Move {
    Branch before;  // branches of the forest of boards
    std::vector<Change> changes;
    Branch after;
};

// The relation of moves, in a forest of pairs over that of the boards.
class Relation {
public:
    // Throws std::invalid_argument for a change that is not on the board, ForestFull, Stopped.
    Relation(const Forest& boards, std::span<const Move> moves, std::size_t limit_bytes,
             const StopCheck& should_stop = {});

    std::size_t nodes() const { return nodes_; }  // of the relation alone
    const Forest& pairs() const { return pairs_; }
    Branch root() const { return root_; }

    // The branch for "nothing changes from `layer` on".
    Branch identity(std::size_t layer) const { return identities_[layer]; }

private:
    void add_identities(const Forest& boards);

    Forest pairs_;
    std::vector<Branch> identities_;
    Branch root_ = NOTHING;
    std::size_t nodes_ = 0;
};

class Transducer {
public:
    static constexpr Branch IDENTITY = 0;  // what follows stays as it is
    static constexpr Branch ANY = 1;       // whatever follows becomes anything

    struct Step {
        Symbol in, out;
        Branch next;
    };
    static_assert(sizeof(Step) == 8);

    // Against the moves if `is_reversed`. `boards` gives numbers to the states and is polled.
    Transducer(const Relation& relation, Forest& boards, bool is_reversed);

    bool is_empty() const { return is_empty_; }  // there are no moves
    Branch first() const { return first_; }      // number of its first state
    Branch start() const { return start_; }
    std::size_t states() const { return starts_.size() - 1; }
    std::size_t steps() const { return steps_.size(); }
    std::span<const Step> steps_from(Branch state) const {
        const std::size_t at = state - first_;
        return {steps_.data() + starts_[at], starts_[at + 1] - starts_[at]};
    }

private:
    using States = std::vector<std::map<Branch, Branch>>;  // by layer: branches of the relation, numbered

    static States find_states(const Relation& relation, const Forest& boards);
    void number_states(States& states, Forest& boards);
    void add_steps(const Relation& relation, const Forest& boards, const States& states, bool is_reversed);
    static Branch number_of(const Relation& relation, const States& states, std::size_t layer, Branch branch);

    bool is_empty_;
    Branch first_ = 0;  // number of the first state
    Branch start_ = IDENTITY;
    std::vector<std::size_t> starts_;  // by state: where its steps are; and the end
    std::vector<Step> steps_;
};

}  // namespace setrograde

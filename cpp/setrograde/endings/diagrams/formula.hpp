// Formulas: one trick over sets of endings
//
// While the cards of a shape are read one by one, a formula says what is still open about the trick
// at hand and the ending after it:
//
//   constant   a value
//   leaf       an ending one trick below, part read, with its winner on lead
//   pending    the same with the winner open: one ending for each player who may win; the first
//              card of the winning suit that was played decides
//   branch     the best, for players 0 and 2, or the worst, for 1 and 3, of several formulas. A
//              choice with a label (player, suit) stands for all unread cards of that suit that the
//              player may hold: it is not decided yet which of them he plays.
//
// Formulas are simplified as they are made, and equal ones are made once. What pays: values outside
// the window of the branches above do not matter; of two choices one may dominate; a label means
// nothing once nothing depends on its suit.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "setrograde/endings/diagrams/diagram.hpp"
#include "setrograde/endings/shapes/shapes.hpp"

namespace setrograde {

using FormulaId = std::uint32_t;
using Label = std::uint32_t;  // 0: decided; else 1 + 4 * player + suit, or that with LOWEST
inline constexpr Label LOWEST = 32;

constexpr Label make_label(int player, int suit) { return static_cast<Label>(1 + 4 * player + suit); }
// The player must choose his lowest card of the suit.
constexpr Label lowest_of(Label label) { return label | LOWEST; }
constexpr int player_of_label(Label label) { return static_cast<int>((label & ~LOWEST) - 1) >> 2; }
constexpr int suit_of_label(Label label) { return static_cast<int>(label - 1) & 3; }

// A card read: `left` are the unread cards of its suit before it is taken.
struct ReadCard {
    int suit, owner;
    Split left;
};

class Formulas {
public:
    // `below` has the endings of tricks - 1.
    Formulas(int tricks, const Diagram& below);

    // Forgets all formulas; ids become void.
    void clear();
    std::size_t size() const { return formulas_.size(); }

    bool is_constant(FormulaId id) const { return formulas_[id].kind == Kind::CONSTANT; }
    int constant_value(FormulaId id) const { return formulas_[id].low; }
    // Suits the formula depends on, a bit each.
    unsigned support(FormulaId id) const { return formulas_[id].support; }

    FormulaId constant(int value);
    FormulaId leaf(NodeId node, int winner);
    // One node a player who may win by the first played card of `suit`; INFEASIBLE for others.
    FormulaId pending(const PerSeat<NodeId>& nodes, int suit);

    // A branch for a player is made in three steps: `open`, `add` for each choice, `close`.
    std::size_t open() const { return stack_.size(); }
    void add(Label label, FormulaId formula) { stack_.push_back({label, formula}); }
    FormulaId close(bool is_max, std::size_t mark) { return branch(is_max, mark, 0, tricks_); }

    // The formula after a card was read.
    FormulaId read(FormulaId id, const ReadCard& card);
    // The same where the leader has one card of the suit in the trick that is no choice of the
    // formula: this one, or another that will still be read.
    FormulaId read_led(FormulaId id, const ReadCard& card);
    FormulaId read_before_led(FormulaId id, const ReadCard& card);

private:
    enum class Kind : std::uint8_t { CONSTANT, LEAF, PENDING, MAX, MIN };

    struct Formula {
        Kind kind;
        std::uint8_t low, high;  // bounds of the value
        std::uint8_t support;
        std::uint32_t extra;  // leaf: winner; pending: suit; branch: number of choices
        union {
            PerSeat<NodeId> nodes;
            std::uint32_t first;  // of the choices
        };
    };
    struct Choice {
        Label label;
        FormulaId formula;
        auto operator<=>(const Choice&) const = default;
    };
    struct Range {
        int low, high;
    };
    struct CacheEntry {
        std::uint64_t key;
        std::uint64_t value;
    };
    // Remembers the last answer for each hash.
    class Cache {
    public:
        explicit Cache(int bits) : bits_(bits), entries_(std::size_t{1} << bits) { clear(); }
        void clear() { std::fill(entries_.begin(), entries_.end(), CacheEntry{~std::uint64_t{0}, 0}); }
        CacheEntry& at(std::uint64_t key) { return entries_[key * 0x9E37'79B9'7F4A'7C15u >> (64 - bits_)]; }

    private:
        int bits_;
        std::vector<CacheEntry> entries_;
    };

    Range range(NodeId node, int winner) const;
    FormulaId intern(const Formula& formula, std::size_t choices_from);
    std::uint64_t hash(const Formula& formula, const Choice* choices) const;
    void grow();

    FormulaId branch(bool is_max, std::size_t mark, int alpha, int beta);
    void flatten(bool is_max, std::size_t mark);
    void drop_dominated(bool is_max, std::size_t mark);
    FormulaId clamp(FormulaId id, int alpha, int beta);
    Label live_label(Label label, FormulaId formula) const {
        return label && formulas_[formula].support >> suit_of_label(label) & 1 ? label : 0;
    }

    bool at_most(FormulaId a, FormulaId b);
    bool compare(FormulaId a, FormulaId b);
    bool leaf_at_most(NodeId a, int winner_a, NodeId b, int winner_b);

    struct Reading {
        int suit, owner;
        bool more;  // the owner has other unread cards of the suit
    };
    FormulaId read(FormulaId id, const Reading& card, int unread_below, bool played);
    NodeId step(NodeId node, int suit, int unread, int owner) const;

    int tricks_;
    const Diagram& below_;
    std::vector<Formula> formulas_;
    std::vector<Choice> choices_;
    std::vector<Choice> stack_;         // choices of branches being made
    std::vector<std::uint32_t> slots_;  // formula + 1; 0 is empty
    Cache comparisons_, clamps_, reads_;
    Cache leaf_comparisons_;  // of nodes, so never void
};

}  // namespace setrograde

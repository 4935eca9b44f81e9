// Lead values: what one lead is worth in all endings of a shape
//
// As endings/diagrams/shape_builder.hpp has it for the best lead: the cards of the shape are read into the formula of
// the first trick. Here the leader's card is given, by its place in the suit or by its number among his own cards, and
// the formula is that of the other three players. Where the lead cannot be made the diagram says NO_VALUE.
#pragma once

#include "setrograde/endings/diagrams/shape_builder.hpp"

namespace setrograde {

inline constexpr NodeId NO_VALUE = TERMINALS - 1;

// A card of the leader's.
struct Lead {
    int suit;
    // True: the card with `number` cards of the suit from it down, whoever has it; no value if the
    // leader has not. False: his highest card of the suit for 1, the next for 2; no value if it
    // touches the one before, so that touching cards count once.
    bool by_place;
    int number;
    int low = -1;  // a player who follows suit with his lowest card; -1 for none
};

// Makes diagrams for one shape after another. For one thread.
class LeadValues {
public:
    // `below` must have all shapes that a trick leads to (`mark_successors`).
    LeadValues(const OrderedLevel& below, Diagram& into, StopCheck should_stop = {});

    void take(const Shape& shape);
    // These throw Stopped; nothing made so far is of use then.
    NodeId best();
    NodeId of(const Lead& lead);

    // Must be called when `into` was cleared.
    void forget();

private:
    static constexpr std::size_t MANY_FORMULAS = 20'000;

    // What is still to be found out about the leader's card.
    struct Search {
        bool open = false, by_place = false, after_own = false;
        int suit = 0, number = 0;

        std::uint32_t code() const {
            return !open ? 0
                         : 1u | static_cast<unsigned>(by_place) << 1 | static_cast<unsigned>(after_own) << 2 |
                               static_cast<unsigned>(suit) << 3 | static_cast<unsigned>(number) << 5;
        }
    };
    struct MemoKey {
        FormulaId formula;
        std::uint32_t search_and_suit;
        std::uint32_t left_and_next;
        std::uint32_t last_two;
        bool operator==(const MemoKey&) const = default;
    };
    struct MemoEntry {
        MemoKey key;
        NodeId node;
    };

    NodeId finish(FormulaId formula, Search search, int suit, Split left);
    NodeId read(FormulaId formula, Search search, const ReadCard& card);
    std::size_t slot_of(const MemoKey& key) const;
    void remember(const MemoKey& key, NodeId node);

    Diagram& into_;
    Formulas formulas_;
    FirstTrick trick_;
    StopCheck should_stop_;
    std::uint32_t steps_ = 0;  // nodes looked at: when to ask whether to stop
    std::vector<MemoEntry> memo_;
    std::size_t memo_used_ = 0;
};

}  // namespace setrograde

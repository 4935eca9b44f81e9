// Shape builder: the diagram of a whole shape from the diagrams one trick below
//
// No ending is enumerated. The cards of the shape are read in the order of the diagram, suit by suit
// and high to low, and a formula (endings/diagrams/formula.hpp) carries what the trick at hand still leaves open.
// Where two ways of reading arrive at the same formula with the same cards to come, the rest is the
// same: in one shape, and in all shapes built one after the other.
#pragma once

#include <memory>
#include <span>

#include "setrograde/common/stop.hpp"
#include "setrograde/endings/diagrams/diagram.hpp"
#include "setrograde/endings/diagrams/first_trick.hpp"

namespace setrograde {

// The endings of one number of tricks, for shapes with their suits in any order that is needed.
struct OrderedLevel {
    explicit OrderedLevel(int tricks) : rows(tricks), roots(rows.shapes(), INFEASIBLE) {}
    // Nodes that `where` keeps in memory, for reading only (endings/levels/ordered_file.hpp).
    OrderedLevel(int tricks, const DiagramNode* nodes, std::size_t size, std::shared_ptr<const void> where)
        : rows(tricks), diagram(nodes, size), roots(rows.shapes(), INFEASIBLE), kept(std::move(where)) {}

    HandRows rows;
    Diagram diagram;
    std::vector<NodeId> roots;  // by shape number of `rows`; INFEASIBLE: not built
    std::shared_ptr<const void> kept;
};

// The level with no tricks left, below all others.
std::unique_ptr<OrderedLevel> empty_level();

// The order in which shapes are built: those with the same long suits, read last, are neighbours and
// share most work.
bool is_before(const Shape& a, const Shape& b);
void sort_for_sharing(std::vector<Shape>& shapes, const StopCheck& should_stop = {});  // throws Stopped

// Adds nodes of another diagram, in order, from the one after the last of `merged` on: what each has
// become is appended there.
void merge_nodes(std::span<const DiagramNode> nodes, Diagram& into, std::vector<NodeId>& merged);
inline NodeId merged_id(NodeId id, const std::vector<NodeId>& merged) {
    return id < TERMINALS || id == INFEASIBLE ? id : merged[id - TERMINALS];
}

// Builds shapes of one trick more. For one thread.
class ShapeBuilder {
public:
    // `below` must have all shapes that a trick leads to (`mark_successors`).
    ShapeBuilder(const OrderedLevel& below, Diagram& into, StopCheck should_stop = {});

    // The root of a shape's diagram; trumps are the last suit. Throws Stopped; the builder, and what it
    // has built, are of no more use then.
    NodeId build(const Shape& shape);

private:
    // Formulas, and what came of them, are forgotten when they no longer fit the processor's cache.
    static constexpr std::size_t MANY_FORMULAS = 20'000;

    struct MemoKey {
        std::uint32_t formula_and_suit;
        std::uint32_t left_and_next;  // unread cards of the suit at hand, and the suits to come
        std::uint32_t last_two;
        bool operator==(const MemoKey&) const = default;
    };
    struct MemoEntry {
        MemoKey key;
        NodeId node;
    };

    NodeId finish(FormulaId formula, int suit, Split left);
    MemoEntry* find(const MemoKey& key);
    void remember(const MemoKey& key, NodeId node);
    void forget();

    Diagram& into_;
    Formulas formulas_;
    FirstTrick trick_;
    StopCheck should_stop_;
    std::uint32_t steps_ = 0;  // nodes looked at: when to ask whether to stop
    std::vector<MemoEntry> memo_;
    std::size_t memo_used_ = 0;
};

}  // namespace setrograde

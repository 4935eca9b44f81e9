#include "setrograde/endings/diagrams/shape_builder.hpp"

#include <cassert>
#include <tuple>

namespace setrograde {

namespace {

constexpr std::uint32_t EMPTY = 0xFFFF'FFFF;

}  // namespace

std::unique_ptr<OrderedLevel> empty_level() {
    auto level = std::make_unique<OrderedLevel>(0);
    std::fill(level->roots.begin(), level->roots.end(), NodeId{0});
    return level;
}

bool is_before(const Shape& a, const Shape& b) {
    const auto key = [](const Shape& shape) {
        return std::tuple(shape.has_trumps, shape.suits[3], shape.suits[2], shape.suits[1], shape.suits[0]);
    };
    return key(a) < key(b);
}

void sort_for_sharing(std::vector<Shape>& shapes, const StopCheck& should_stop) {
    std::size_t asked = 0;
    std::sort(shapes.begin(), shapes.end(), [&](const Shape& a, const Shape& b) {
        if (++asked % 65536 == 0 && should_stop && should_stop()) throw Stopped{};
        return is_before(a, b);
    });
}

void merge_nodes(std::span<const DiagramNode> nodes, Diagram& into, std::vector<NodeId>& merged) {
    if (merged.empty()) merged.reserve(nodes.size());
    for (std::size_t n = merged.size(); n < nodes.size(); ++n) {
        PerSeat<NodeId> children = nodes[n].children;
        for (NodeId& child : children) child = merged_id(child, merged);
        merged.push_back(into.make(nodes[n].tag, children));
    }
}

ShapeBuilder::ShapeBuilder(const OrderedLevel& below, Diagram& into, StopCheck should_stop)
    : into_(into),
      formulas_(below.rows.tricks() + 1, below.diagram),
      trick_(below, formulas_),
      should_stop_(std::move(should_stop)) {
    memo_.assign(std::size_t{1} << 14, {{EMPTY, 0, 0}, 0});
}

NodeId ShapeBuilder::build(const Shape& shape) {
    if (formulas_.size() > MANY_FORMULAS) forget();
    trick_.take(shape);
    return finish(trick_.formula(), 0, shape.suits[0]);
}

// Reads the cards to come, `left` of the suit at hand first.
NodeId ShapeBuilder::finish(FormulaId formula, int suit, Split left) {
    if (formulas_.is_constant(formula)) return static_cast<NodeId>(formulas_.constant_value(formula));
    const unsigned support = formulas_.support(formula);
    while (!left || !(support >> suit & 1)) {
        ++suit;
        assert(suit < 4);
        left = trick_.shape().suits[suit];
    }
    const auto coming = [&](int next) -> std::uint32_t {
        return next < 4 && support >> next & 1 ? trick_.shape().suits[next] : 0;
    };
    const MemoKey key{formula << 2 | static_cast<std::uint32_t>(suit), std::uint32_t{left} << 16 | coming(suit + 1),
                      coming(suit + 2) << 16 | coming(suit + 3)};
    if (const MemoEntry* known = find(key)) return known->node;
    if (++steps_ % 1024 == 0 && should_stop_ && should_stop_()) throw Stopped{};

    PerSeat<NodeId> children;
    for (int owner = 0; owner < PLAYERS; ++owner) {
        NodeId& child = children[owner];
        child = INFEASIBLE;
        if (!held(left, owner)) continue;
        const FormulaId next = formulas_.read(formula, {suit, owner, left});
        child = finish(next, suit, static_cast<Split>(left - one_card(owner)));
    }
    const NodeId node = into_.make(make_tag(suit, length(left)), children);
    remember(key, node);
    return node;
}

namespace {

std::size_t hash_words(std::uint32_t a, std::uint32_t b, std::uint32_t c) { return mix(mix(a, b), c) >> 16; }

}  // namespace

ShapeBuilder::MemoEntry* ShapeBuilder::find(const MemoKey& key) {
    const std::size_t mask = memo_.size() - 1;
    for (std::size_t i = hash_words(key.formula_and_suit, key.left_and_next, key.last_two) & mask;;
         i = (i + 1) & mask) {
        if (memo_[i].key == key) return &memo_[i];
        if (memo_[i].key.formula_and_suit == EMPTY) return nullptr;
    }
}

void ShapeBuilder::remember(const MemoKey& key, NodeId node) {
    if (++memo_used_ * 2 > memo_.size()) {
        std::vector<MemoEntry> old(memo_.size() * 2, {{EMPTY, 0, 0}, 0});
        old.swap(memo_);
        memo_used_ = 1;
        for (const MemoEntry& entry : old)
            if (entry.key.formula_and_suit != EMPTY) remember(entry.key, entry.node);
    }
    const std::size_t mask = memo_.size() - 1;
    std::size_t i = hash_words(key.formula_and_suit, key.left_and_next, key.last_two) & mask;
    while (memo_[i].key.formula_and_suit != EMPTY) i = (i + 1) & mask;
    memo_[i] = {key, node};
}

void ShapeBuilder::forget() {
    formulas_.clear();
    memo_.assign(memo_.size(), {{EMPTY, 0, 0}, 0});
    memo_used_ = 0;
}

}  // namespace setrograde

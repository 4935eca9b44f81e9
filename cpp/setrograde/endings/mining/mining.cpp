#include "setrograde/endings/mining/mining.hpp"

#include <cassert>
#include <map>
#include <numeric>
#include <stdexcept>

namespace setrograde {

namespace {

constexpr std::size_t PIECE = 256;  // shapes

SuitMasks any_masks() {
    SuitMasks masks;
    masks.fill(std::vector<std::uint8_t>(LONGEST_SUIT, 15));
    return masks;
}

std::array<SuitWays, 4> all_ways(const SuitMasks& masks, int tricks) {
    return {SuitWays(masks[0], tricks), SuitWays(masks[1], tricks), SuitWays(masks[2], tricks),
            SuitWays(masks[3], tricks)};
}

std::array<const SuitWays*, 4> pointers(const std::array<SuitWays, 4>& ways) {
    return {&ways[0], &ways[1], &ways[2], &ways[3]};
}

std::size_t pieces_of(std::size_t items) { return (items + PIECE - 1) / PIECE; }

// Builds shapes of a level in pieces and merges their diagrams.
void build_level(const OrderedLevel& below, OrderedLevel& level, const std::vector<Shape>& shapes, std::size_t threads,
                 const ProgressCheck& should_stop) {
    std::mutex merging;
    run_parallel(threads, pieces_of(shapes.size()), should_stop, [&](const StopCheck& stopped) {
        auto diagram = std::make_unique<Diagram>();
        auto builder = std::make_unique<ShapeBuilder>(below, *diagram, stopped);
        return [&, diagram = std::move(diagram), builder = std::move(builder),
                merged = std::vector<NodeId>()](std::size_t piece) mutable {
            const std::size_t from = piece * PIECE, to = std::min(from + PIECE, shapes.size());
            std::vector<NodeId> roots;
            for (std::size_t i = from; i < to; ++i) roots.push_back(builder->build(shapes[i]));
            const std::scoped_lock lock(merging);
            merge_nodes(diagram->nodes(), level.diagram, merged);  // those of earlier pieces are there
            for (std::size_t i = from; i < to; ++i)
                level.roots[level.rows.shape_number(shapes[i])] = merged_id(roots[i - from], merged);
        };
    });
}

}  // namespace

std::unique_ptr<OrderedLevel> build_below(const std::vector<Shape>& shapes, Property property, std::size_t threads,
                                          const ShareCheck& should_stop) {
    auto level = empty_level();
    if (shapes.empty()) return level;
    const int tricks = shapes.front().tricks();
    std::vector<std::vector<Shape>> needed(static_cast<std::size_t>(tricks));
    for (int depth = tricks - 1; depth >= 1; --depth) {
        const HandRows rows(depth);
        std::vector<bool> marked(rows.shapes());
        const bool is_top = depth == tricks - 1;
        std::size_t seen = 0;
        for (const Shape& shape : is_top ? shapes : needed[static_cast<std::size_t>(depth) + 1]) {
            if (++seen % PIECE == 0 && should_stop(0)) throw Stopped{};
            if (is_top)
                mark_needed(shape, property, rows, marked);
            else
                mark_successors(shape, rows, marked);
        }
        std::vector<Shape>& here = needed[static_cast<std::size_t>(depth)];
        for (std::size_t number = 0; number < marked.size(); ++number) {
            if (number % 65536 == 0 && should_stop(0)) throw Stopped{};
            if (marked[number]) here.push_back(rows.shape(number));
        }
        sort_for_sharing(here, [&] { return should_stop(0); });
    }
    std::size_t whole = 1, done = 0;
    for (const auto& list : needed) whole += pieces_of(list.size());
    for (int depth = 1; depth < tricks; ++depth) {
        const std::vector<Shape>& here = needed[static_cast<std::size_t>(depth)];
        auto next = std::make_unique<OrderedLevel>(depth);
        build_level(*level, *next, here, threads, [&](std::size_t now) {
            return should_stop(static_cast<double>(done + now) / static_cast<double>(whole));
        });
        done += pieces_of(here.size());
        level = std::move(next);
    }
    return level;
}

// One thread's diagrams and counts.
class Mine::Worker {
public:
    Worker(const Mine& mine, const StopCheck& should_stop)
        : mine_(mine), made_(*mine.below_, mine.wanted_, should_stop), counts_(made_.diagram(), pointers(mine.ways_)) {}

    MinedCount count(const Shape& shape) {
        const NodeId root = build(shape);
        MinedCount found;
        found.layouts = counts_.count(root, shape.suits);
        found.endings = mine_.tells_apart_ ? found.layouts : endings(root, shape, found.layouts);
        return found;
    }

    std::vector<Layout> find(const Shape& shape, const std::vector<std::uint64_t>& numbers, int cost) {
        const NodeId root = build(shape);
        const LayoutHistogram counts = counts_.count(root, shape.suits);
        const std::uint64_t many = std::accumulate(counts.begin() + cost, counts.end() - 1, std::uint64_t{0});
        std::vector<Layout> found;
        for (const std::uint64_t number : numbers) {
            if (number >= many) throw std::invalid_argument("no layout of that number");
            found.push_back(counts_.find(root, shape.suits, number, cost, mine_.tricks_));
        }
        return found;
    }

private:
    NodeId build(const Shape& shape) {
        if (made_.forget_if_many()) counts_.forget();
        return made_.build(shape);
    }

    // Layouts up to permutations of suits with the same split.
    LayoutHistogram endings(NodeId root, const Shape& shape, const LayoutHistogram& layouts) {
        std::map<std::array<std::size_t, 4>, std::uint64_t> kinds;  // permutations by cycles
        std::uint64_t permutations = 0;
        std::array<std::size_t, 4> to{0, 1, 2, 3};
        do {
            bool allowed = !shape.has_trumps || to[3] == 3;
            for (std::size_t i = 0; i < 4; ++i) allowed &= shape.suits[i] == shape.suits[to[i]];
            for (std::size_t i = 0; i < 4; ++i) allowed &= shape.suits[i] != 0 || to[i] == i;
            if (!allowed) continue;
            ++permutations;
            std::array<std::size_t, 4> first;
            for (std::size_t i = 0; i < 4; ++i) {
                first[i] = i;
                for (std::size_t j = to[i]; j != i; j = to[j]) first[i] = std::min(first[i], j);
            }
            ++kinds[first];
        } while (std::next_permutation(to.begin(), to.end()));
        if (permutations == 1) return layouts;
        LayoutHistogram sum{};
        for (const auto& [same_as, many] : kinds) {
            const bool is_identity = same_as == std::array<std::size_t, 4>{0, 1, 2, 3};
            const LayoutHistogram fixed = is_identity ? layouts : counts_.count_same(root, shape.suits, same_as);
            for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += many * fixed[v];
        }
        for (std::uint64_t& number : sum) {
            assert(number % permutations == 0);
            number /= permutations;
        }
        return sum;
    }

    const Mine& mine_;
    PropertyDiagrams made_;
    LayoutCounts counts_;
};

Mine::Mine(std::vector<Shape> shapes, const Wanted& wanted, std::optional<SuitMasks> masks, std::size_t threads,
           const ShareCheck& should_stop)
    : tricks_(shapes.empty() ? 1 : shapes.front().tricks()),
      shapes_(std::move(shapes)),
      wanted_(wanted),
      ways_(all_ways(masks ? *masks : any_masks(), tricks_)),
      tells_apart_(masks.has_value()),
      below_(build_below(shapes_, wanted.property, threads, should_stop)) {}

Mine::~Mine() = default;

std::vector<MinedCount> Mine::count(std::size_t from, std::size_t to, std::size_t threads,
                                    const ShareCheck& should_stop) const {
    assert(from <= to && to <= shapes_.size());
    std::vector<MinedCount> found(to - from);
    const std::size_t pieces = pieces_of(found.size());
    const ProgressCheck check = [&](std::size_t done) {
        return should_stop(static_cast<double>(done) / static_cast<double>(pieces));
    };
    run_parallel(threads, pieces, check, [&](const StopCheck& stopped) {
        return [&, stopped, worker = std::make_unique<Worker>(*this, stopped)](std::size_t piece) {
            const std::size_t end = std::min((piece + 1) * PIECE, found.size());
            for (std::size_t i = piece * PIECE; i < end && !stopped(); ++i) found[i] = worker->count(shapes_[from + i]);
        };
    });
    return found;
}

std::vector<Layout> Mine::find(std::size_t shape, const std::vector<std::uint64_t>& numbers, int cost,
                               const StopCheck& should_stop) const {
    const auto lock = lock_unless_stopped(finding_, should_stop);
    if (should_stop && should_stop()) throw Stopped{};
    if (!finder_) finder_ = std::make_unique<Worker>(*this, StopCheck{});  // one shape takes milliseconds
    return finder_->find(shapes_[shape], numbers, cost);
}

namespace {

// Diagrams of single leads and of what they cost, for one thread.
class Comparison {
public:
    Comparison(const OrderedLevel& below, std::array<const SuitWays*, 4> ways, const StopCheck& should_stop)
        : leads_(below, values_, should_stop), value_counts_(values_, ways), cost_counts_(costs_, ways) {}

    void add(const Shape& shape, const std::vector<Lead>& leads, std::vector<CardCount>& sums) {
        if (values_.size() + costs_.size() > MANY_NODES) forget();
        leads_.take(shape);
        const NodeId best = leads_.best();
        for (std::size_t i = 0; i < leads.size(); ++i) {
            if (!held(shape.suits[leads[i].suit], 0)) continue;
            const NodeId lead = leads_.of(leads[i]);
            const LayoutHistogram tricks = value_counts_.count(lead, shape.suits);
            const LayoutHistogram cost = cost_counts_.count(subtract(best, lead), shape.suits);
            for (std::size_t v = 0; v < tricks.size(); ++v) {
                sums[i].tricks[v] += tricks[v];
                sums[i].cost[v] += cost[v];
            }
        }
    }

private:
    static constexpr std::size_t MANY_NODES = 1'000'000;

    void forget() {
        values_.clear();
        costs_.clear();
        leads_.forget();
        value_counts_.forget();
        cost_counts_.forget();
        known_.clear();
    }

    NodeId subtract(NodeId best, NodeId lead) {
        if (lead == NO_VALUE) return NO_VALUE;
        if (best < TERMINALS && lead < TERMINALS) return best - lead;
        const std::pair key{best, lead};
        if (const auto found = known_.find(key); found != known_.end()) return found->second;
        const int at_best = reading_order(best, values_), at_lead = reading_order(lead, values_);
        const int first = std::min(at_best, at_lead);
        const Tag tag = values_[at_best == first ? best : lead].tag;
        PerSeat<NodeId> children;
        for (std::size_t owner = 0; owner < 4; ++owner) {
            const NodeId a = at_best == first ? values_[best].children[owner] : best;
            const NodeId b = at_lead == first ? values_[lead].children[owner] : lead;
            children[owner] = a == INFEASIBLE || b == INFEASIBLE ? INFEASIBLE : subtract(a, b);
        }
        return known_[key] = costs_.make(tag, children);
    }

    Diagram values_, costs_;
    LeadValues leads_;
    LayoutCounts value_counts_, cost_counts_;
    std::map<std::pair<NodeId, NodeId>, NodeId> known_;
};

}  // namespace

LeadComparison compare_leads(const std::vector<Shape>& shapes, const SuitMasks& masks, const std::vector<Lead>& leads,
                             std::size_t threads, const ShareCheck& should_stop) {
    LeadComparison result{0, std::vector<CardCount>(leads.size())};
    if (shapes.empty()) return result;
    std::vector<CardCount>& sums = result.leads;
    const auto below =
        build_below(shapes, Property::ONLY_CARD, threads, [&](double share) { return should_stop(share / 2); });
    const auto ways = all_ways(masks, shapes.front().tricks());
    for (const Shape& shape : shapes) {
        std::uint64_t layouts = 1;
        for (std::size_t suit = 0; suit < 4; ++suit) layouts *= ways[suit].ways(shape.suits[suit]);
        result.layouts += layouts;
    }
    const std::size_t pieces = pieces_of(shapes.size());
    std::mutex adding;
    const ProgressCheck check = [&](std::size_t done) {
        return should_stop(0.5 + 0.5 * static_cast<double>(done) / static_cast<double>(pieces));
    };
    run_parallel(threads, pieces, check, [&](const StopCheck& stopped) {
        return [&, stopped, one = std::make_unique<Comparison>(*below, pointers(ways), stopped)](std::size_t piece) {
            std::vector<CardCount> here(leads.size());
            const std::size_t end = std::min((piece + 1) * PIECE, shapes.size());
            for (std::size_t i = piece * PIECE; i < end && !stopped(); ++i) one->add(shapes[i], leads, here);
            const std::scoped_lock lock(adding);
            for (std::size_t i = 0; i < here.size(); ++i)
                for (std::size_t v = 0; v < here[i].tricks.size(); ++v) {
                    sums[i].tricks[v] += here[i].tricks[v];
                    sums[i].cost[v] += here[i].cost[v];
                }
        };
    });
    return result;
}

std::vector<Shape> shapes_of_masks(const SuitMasks& masks, bool has_trumps, const PerSeat<PerSuit<std::uint8_t>>& least,
                                   const PerSeat<PerSuit<std::uint8_t>>& most) {
    std::size_t cards = 0;
    for (const auto& suit : masks) cards += suit.size();
    const int tricks = static_cast<int>(cards / 4);
    std::array<std::vector<Split>, 4> splits;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const SuitWays ways(masks[suit], tricks);
        for (const Split split : ways.splits()) {
            bool allowed = true;
            for (int player = 0; player < PLAYERS; ++player) {
                allowed &= held(split, player) >= least[player][suit] && held(split, player) <= most[player][suit];
            }
            if (allowed) splits[suit].push_back(split);
        }
    }
    std::vector<Shape> found;
    const auto fits = [](Split split, Split box) {
        bool all = true;
        for (int player = 0; player < PLAYERS; ++player) all &= held(split, player) <= held(box, player);
        return all;
    };
    const auto box = static_cast<Split>(0x1111 * tricks);
    for (const Split last : splits[3]) {
        if (!fits(last, box)) continue;
        const auto left = static_cast<Split>(box - last);
        for (const Split third : splits[2]) {
            if (!fits(third, left)) continue;
            const auto rest = static_cast<Split>(left - third);
            for (const Split second : splits[1]) {
                if (!fits(second, rest)) continue;
                const auto first = static_cast<Split>(rest - second);
                if (std::binary_search(splits[0].begin(), splits[0].end(), first))
                    found.push_back({{first, second, third, last}, has_trumps});
            }
        }
    }
    return found;
}

}  // namespace setrograde

#include "setrograde/boards/transducer.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace setrograde {

namespace {

std::vector<std::size_t> squares_of(const Forest& boards) {
    std::vector<std::size_t> squares;
    for (std::size_t l = 0; l < boards.layers(); ++l) squares.push_back(boards.symbols(l) * boards.symbols(l));
    return squares;
}

// One move as a relation: boards before and after are followed side by side.
class MoveRelation {
public:
    MoveRelation(const Forest& boards, Forest& pairs, const std::vector<Edge>& identities, const Move& move)
        : boards_(boards), pairs_(pairs), identities_(identities), by_place_(boards.layers()) {
        for (const Change& change : move.changes) {
            if (change.place >= boards.layers() || by_place_[change.place])
                throw std::invalid_argument("not a place, or changed twice");
            const std::size_t symbols = boards.symbols(change.place);
            for (const auto& [before, after] : change.pairs)
                if (before >= symbols || after >= symbols) throw std::invalid_argument("not a symbol of its place");
            by_place_[change.place] = &change;
            last_ = std::max(last_, change.place + 1);
        }
        known_.resize(boards.layers());
    }

    Edge relate(std::size_t layer, Edge before, Edge after) {
        if (before == NOTHING || after == NOTHING) return NOTHING;
        if (layer >= last_ && before == EVERYTHING && after == EVERYTHING) return identities_[layer];
        const std::uint64_t key = std::uint64_t{before} << 32 | after;
        if (const auto found = known_[layer].find(key); found != known_[layer].end()) return found->second;
        const std::size_t symbols = boards_.symbols(layer);
        std::vector<Edge> row(symbols * symbols, NOTHING);
        const auto allow = [&](std::size_t in, std::size_t out) {
            row[in * symbols + out] =
                relate(layer + 1, boards_.child(layer, before, in), boards_.child(layer, after, out));
        };
        if (const Change* change = by_place_[layer])
            for (const auto& [in, out] : change->pairs) allow(in, out);
        else
            for (std::size_t symbol = 0; symbol < symbols; ++symbol) allow(symbol, symbol);
        return known_[layer][key] = pairs_.add(layer, row.data());
    }

private:
    const Forest& boards_;
    Forest& pairs_;
    const std::vector<Edge>& identities_;
    std::vector<const Change*> by_place_;
    std::size_t last_ = 0;  // places from here on do not change
    std::vector<std::unordered_map<std::uint64_t, Edge>> known_;
};

}  // namespace

Relation::Relation(const Forest& boards, std::span<const Move> moves, std::size_t limit_bytes)
    : pairs_(squares_of(boards), limit_bytes), identities_(boards.layers() + 1, EVERYTHING) {
    for (std::size_t l = boards.layers(); l-- > 0;) {
        const std::size_t symbols = boards.symbols(l);
        std::vector<Edge> row(symbols * symbols, NOTHING);
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) row[symbol * symbols + symbol] = identities_[l + 1];
        identities_[l] = pairs_.add(l, row.data());
    }
    std::vector<Edge> edges;
    edges.reserve(moves.size());
    for (const Move& move : moves) edges.push_back(relate(boards, move));
    root_ = pairs_.join_all(std::move(edges));
    nodes_ = pairs_.nodes();
}

Edge Relation::relate(const Forest& boards, const Move& move) {
    return MoveRelation(boards, pairs_, identities_, move).relate(0, move.before, move.after);
}

Transducer::Transducer(const Relation& relation, Forest& boards, bool is_reversed)
    : is_empty_(relation.root() == NOTHING) {
    const Forest& pairs = relation.pairs();
    const std::size_t layers = pairs.layers();
    // First the states of each layer, then their steps.
    std::vector<std::map<Edge, Edge>> numbers(layers + 1);
    const auto number = [&](std::size_t layer, Edge edge) {
        if (edge == relation.identity(layer)) return IDENTITY;
        if (edge == EVERYTHING) return ANY;
        return numbers[layer].at(edge);
    };
    const auto add = [&](std::size_t layer, Edge edge) {
        if (edge > EVERYTHING && edge != relation.identity(layer)) numbers[layer].emplace(edge, 0);
    };
    add(0, relation.root());
    for (std::size_t l = 0; l < layers; ++l)
        for (const auto& [edge, unused] : numbers[l])
            for (std::size_t i = 0; i < pairs.symbols(l); ++i) add(l + 1, pairs.child(l, edge, i));
    std::size_t count = 0;
    for (const auto& layer : numbers) count += layer.size();
    Edge next = first_ = boards.reserve_states(count);
    for (auto& layer : numbers)
        for (auto& [edge, its_number] : layer) its_number = next++;

    for (std::size_t l = 0; l < layers; ++l) {
        const std::size_t symbols = boards.symbols(l);
        for (const auto& [edge, unused] : numbers[l]) {
            starts_.push_back(steps_.size());
            for (std::size_t a = 0; a < symbols; ++a)
                for (std::size_t b = 0; b < symbols; ++b) {
                    const Edge to = pairs.child(l, edge, is_reversed ? b * symbols + a : a * symbols + b);
                    if (to != NOTHING)
                        steps_.push_back({static_cast<Symbol>(a), static_cast<Symbol>(b), number(l + 1, to)});
                }
        }
    }
    starts_.push_back(steps_.size());
    if (!is_empty_) start_ = number(0, relation.root());
}

}  // namespace setrograde

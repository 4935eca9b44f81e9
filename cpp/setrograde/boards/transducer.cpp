#include "setrograde/boards/transducer.hpp"

#include <algorithm>
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
    MoveRelation(const Forest& boards, Forest& pairs, const std::vector<Branch>& identities, const Move& move)
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

    Branch relate(std::size_t layer, Branch before, Branch after) {
        if (before == NOTHING || after == NOTHING) return NOTHING;
        if (layer >= last_ && before == EVERYTHING && after == EVERYTHING) return identities_[layer];
        const std::uint64_t key = std::uint64_t{before} << 32 | after;
        if (const auto found = known_[layer].find(key); found != known_[layer].end()) return found->second;
        const std::size_t symbols = boards_.symbols(layer);
        std::vector<Branch> row(symbols * symbols, NOTHING);
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
    const std::vector<Branch>& identities_;
    std::vector<const Change*> by_place_;
    std::size_t last_ = 0;  // places from here on do not change
    std::vector<std::unordered_map<std::uint64_t, Branch>> known_;
};

}  // namespace

Relation::Relation(const Forest& boards, std::span<const Move> moves, std::size_t limit_bytes,
                   const StopCheck& should_stop)
    : pairs_(squares_of(boards), limit_bytes), identities_(boards.layers() + 1, EVERYTHING) {
    pairs_.watch(should_stop);
    add_identities(boards);
    std::vector<Branch> branches;
    branches.reserve(moves.size());
    for (const Move& move : moves) {
        pairs_.poll();
        branches.push_back(MoveRelation(boards, pairs_, identities_, move).relate(0, move.before, move.after));
    }
    root_ = pairs_.join_all(std::move(branches));
    nodes_ = pairs_.nodes();
    pairs_.watch({});
}

void Relation::add_identities(const Forest& boards) {
    for (std::size_t l = boards.layers(); l-- > 0;) {
        const std::size_t symbols = boards.symbols(l);
        std::vector<Branch> row(symbols * symbols, NOTHING);
        for (std::size_t symbol = 0; symbol < symbols; ++symbol) row[symbol * symbols + symbol] = identities_[l + 1];
        identities_[l] = pairs_.add(l, row.data());
    }
}

Transducer::Transducer(const Relation& relation, Forest& boards, bool is_reversed)
    : is_empty_(relation.root() == NOTHING) {
    States states = find_states(relation, boards);
    number_states(states, boards);
    add_steps(relation, boards, states, is_reversed);
    if (!is_empty_) start_ = number_of(relation, states, 0, relation.root());
}

Transducer::States Transducer::find_states(const Relation& relation, const Forest& boards) {
    const Forest& pairs = relation.pairs();
    States states(pairs.layers() + 1);
    const auto add = [&](std::size_t layer, Branch branch) {
        if (branch > EVERYTHING && branch != relation.identity(layer)) states[layer].emplace(branch, 0);
    };
    add(0, relation.root());
    for (std::size_t l = 0; l < pairs.layers(); ++l)
        for (const auto& [branch, unused] : states[l]) {
            boards.poll();
            for (std::size_t i = 0; i < pairs.symbols(l); ++i) add(l + 1, pairs.child(l, branch, i));
        }
    return states;
}

void Transducer::number_states(States& states, Forest& boards) {
    std::size_t count = 0;
    for (const auto& layer : states) count += layer.size();
    Branch next = first_ = boards.reserve_states(count);
    for (auto& layer : states)
        for (auto& [branch, number] : layer) number = next++;
}

Branch Transducer::number_of(const Relation& relation, const States& states, std::size_t layer, Branch branch) {
    if (branch == relation.identity(layer)) return IDENTITY;
    if (branch == EVERYTHING) return ANY;
    return states[layer].at(branch);
}

void Transducer::add_steps(const Relation& relation, const Forest& boards, const States& states, bool is_reversed) {
    const Forest& pairs = relation.pairs();
    for (std::size_t l = 0; l < pairs.layers(); ++l) {
        const std::size_t symbols = boards.symbols(l);
        for (const auto& [branch, unused] : states[l]) {
            boards.poll();
            starts_.push_back(steps_.size());
            for (std::size_t a = 0; a < symbols; ++a)
                for (std::size_t b = 0; b < symbols; ++b) {
                    const Branch to = pairs.child(l, branch, is_reversed ? b * symbols + a : a * symbols + b);
                    if (to == NOTHING) continue;
                    steps_.push_back({.in = static_cast<Symbol>(a),
                                      .out = static_cast<Symbol>(b),
                                      .next = number_of(relation, states, l + 1, to)});
                }
        }
    }
    starts_.push_back(steps_.size());
}

}  // namespace setrograde

#include "setrograde/boards/player_moves.hpp"

#include <map>
#include <stdexcept>

#include "setrograde/boards/layered_image.hpp"

namespace setrograde {

namespace {

using Pairs = std::vector<std::pair<Symbol, Symbol>>;

void check_change(const Places& places, const Change& change) {
    const auto& [place, pairs] = change;
    for (const auto& [in, out] : pairs)
        if (in >= places.symbols(place) || out >= places.symbols(place))
            throw std::invalid_argument("not a symbol of its place");
}

}  // namespace

std::vector<Change> changes_by_layer(const Places& places, std::span<const Change> changes) {
    std::map<std::size_t, Pairs> by_layer;
    std::vector<bool> is_changed(places.size());
    for (const Change& change : changes) {
        if (change.place >= places.size() || is_changed[change.place])
            throw std::invalid_argument("not a place, or changed twice");
        is_changed[change.place] = true;
        check_change(places, change);
        const std::size_t layer = places.layer_of(change.place), stride = places.stride(change.place);
        auto [known, is_new] = by_layer.try_emplace(layer);
        if (is_new)
            for (std::size_t symbol = 0; symbol < places.symbols_of_layer(layer); ++symbol)
                known->second.emplace_back(symbol, symbol);
        Pairs more;
        for (const auto& [before, after] : known->second)
            for (const auto& [in, out] : change.pairs)
                if (places.at(change.place, before) == in)
                    more.emplace_back(before, after + (std::size_t{out} - in) * stride);
        known->second = std::move(more);
    }
    std::vector<Change> made;
    for (auto& [layer, pairs] : by_layer) made.push_back({.place = layer, .pairs = std::move(pairs)});
    return made;
}

PlayerMoves::PlayerMoves(std::shared_ptr<Forest> forest, std::span<const PlayerMove> moves, std::size_t limit_bytes,
                         const StopCheck& should_stop)
    : forest_(std::move(forest)) {
    for (const PlayerMove& move : moves)
        for (const ForestSet* set : {move.before, move.after})
            if (set) check_forest(*set, forest_);
    take_turn(*forest_, should_stop, [&] {
        std::vector<Move> by_layer;
        for (const PlayerMove& move : moves)
            by_layer.push_back({.before = move.before ? move.before->branch() : EVERYTHING,
                                .changes = changes_by_layer(forest_->places(), move.changes),
                                .after = move.after ? move.after->branch() : EVERYTHING});
        const Relation relation(*forest_, by_layer, limit_bytes, should_stop);
        forward_ = std::make_unique<Transducer>(relation, *forest_, false);
        reverse_ = std::make_unique<Transducer>(relation, *forest_, true);
        relation_nodes_ = relation.nodes();
    });
}

ForestSet PlayerMoves::image(const ForestSet& set, bool is_reversed, const StopCheck& should_stop) const {
    check_forest(set, forest_);
    return make_set(forest_, should_stop,
                    [&](Forest& forest) { return forest.image(transducer(is_reversed), set.branch()); });
}

ForestSet union_of_images(std::span<const PlayerImage> images, bool is_reversed, const StopCheck& should_stop) {
    if (images.empty()) throw std::invalid_argument("no sets");
    const std::shared_ptr<Forest>& forest = images[0].moves->forest();
    for (const auto& [moves, set] : images) {
        if (moves->forest() != forest) throw std::invalid_argument("moves of different forests");
        check_forest(*set, forest);
    }
    return make_set(forest, should_stop, [&](Forest& f) {
        std::vector<MovedSet> sets;
        for (const auto& [moves, set] : images) sets.push_back({&moves->transducer(is_reversed), set->branch()});
        return layered_image(f, sets);
    });
}

}  // namespace setrograde

#include <random>
#include <set>
#include <string>

#include "check.hpp"
#include "setrograde/boards/automaton.hpp"
#include "setrograde/boards/layered_image.hpp"
#include "setrograde/boards/transducer.hpp"

using namespace setrograde;

namespace {

using String = std::vector<std::uint8_t>;
using Explicit = std::set<String>;
constexpr std::size_t LIMIT = std::size_t{64} << 20;
const std::vector<std::size_t> ALPHABETS = {2, 3, 1, 4, 3};

std::vector<String> all_strings(const std::vector<std::size_t>& alphabets) {
    std::vector<String> strings = {{}};
    for (const std::size_t symbols : alphabets) {
        std::vector<String> longer;
        for (const String& string : strings)
            for (std::size_t symbol = 0; symbol < symbols; ++symbol) {
                longer.push_back(string);
                longer.back().push_back(static_cast<std::uint8_t>(symbol));
            }
        strings.swap(longer);
    }
    return strings;
}

Edge edge_of(Forest& forest, const Explicit& strings) {
    std::vector<Edge> edges;
    for (const String& string : strings) {
        Edge edge = EVERYTHING;
        for (std::size_t l = forest.layers(); l-- > 0;) {
            std::vector<Edge> row(forest.symbols(l), NOTHING);
            row[string[l]] = edge;
            edge = forest.add(l, row.data());
        }
        edges.push_back(edge);
    }
    return forest.join_all(std::move(edges));
}

Explicit strings_of(const Forest& forest, Edge edge, const std::vector<std::size_t>& alphabets) {
    const Automaton automaton(forest, std::vector<Edge>{edge});
    Explicit found;
    for (const String& string : all_strings(alphabets))
        if (automaton.contains(automaton.roots()[0], string.data())) found.insert(string);
    return found;
}

Explicit random_set(std::mt19937& random, const std::vector<std::size_t>& alphabets) {
    Explicit chosen;
    const unsigned share = random() % 101;
    for (const String& string : all_strings(alphabets))
        if (random() % 100 < share) chosen.insert(string);
    return chosen;
}

void test_the_algebra_is_that_of_explicit_sets() {
    std::mt19937 random(1);
    Forest forest(ALPHABETS, LIMIT);
    const std::vector<String> all = all_strings(ALPHABETS);
    for (int round = 0; round < 200; ++round) {
        const Explicit a = random_set(random, ALPHABETS), b = random_set(random, ALPHABETS);
        const Edge x = edge_of(forest, a), y = edge_of(forest, b);
        Explicit both, either, one, others;
        for (const String& string : all) {
            const bool in_a = a.contains(string), in_b = b.contains(string);
            if (in_a && in_b) both.insert(string);
            if (in_a || in_b) either.insert(string);
            if (in_a != in_b) one.insert(string);
            if (!in_a) others.insert(string);
        }
        CHECK(strings_of(forest, x, ALPHABETS) == a);
        CHECK(forest.meet(x, y) == edge_of(forest, both));
        CHECK(forest.join(x, y) == edge_of(forest, either));
        CHECK(forest.differ(x, y) == edge_of(forest, one));
        CHECK((x ^ 1) == edge_of(forest, others));
    }
    CHECK(edge_of(forest, {}) == NOTHING);
    CHECK(edge_of(forest, Explicit(all.begin(), all.end())) == EVERYTHING);
}

void test_strings_are_counted_and_numbered() {
    std::mt19937 random(2);
    Forest forest(ALPHABETS, LIMIT);
    for (int round = 0; round < 50; ++round) {
        const Explicit strings = random_set(random, ALPHABETS);
        const Automaton automaton(forest, std::vector<Edge>{edge_of(forest, strings)});
        const StringCounts counts(automaton);
        CHECK(counts.count(automaton.roots()[0])[0] == strings.size());
        std::uint64_t index = 0;
        for (const String& string : strings) CHECK(counts.string_at(automaton.roots()[0], {index++}) == string);
    }
}

void test_counts_may_be_large() {
    Forest forest(std::vector<std::size_t>(100, 64), LIMIT);  // 2^600 strings
    std::vector<Edge> row(64, NOTHING);
    row[63] = EVERYTHING;
    const Edge edge = forest.add(99, row.data());
    CHECK(edge > EVERYTHING);
    const Automaton automaton(forest, std::vector<Edge>{EVERYTHING, NOTHING});
    const StringCounts counts(automaton);
    const Words all = counts.count(EVERYTHING);
    CHECK(all.size() > 9 && all[9] == std::uint64_t{1} << (600 - 576));
    for (std::size_t i = 0; i < 9; ++i) CHECK(all[i] == 0);
    CHECK(counts.count(NOTHING)[0] == 0);
}

void test_automata_do_not_depend_on_how_sets_came_about() {
    std::mt19937 random(3);
    for (int round = 0; round < 20; ++round) {
        const Explicit strings = random_set(random, ALPHABETS);
        Forest one(ALPHABETS, LIMIT), other(ALPHABETS, LIMIT);
        edge_of(other, random_set(random, ALPHABETS));
        Edge built = NOTHING;
        for (const String& string : strings) built = other.join(edge_of(other, {string}), built);
        const Automaton a(one, std::vector<Edge>{edge_of(one, strings)});
        const Automaton b(other, std::vector<Edge>{built});
        CHECK(a.nodes() == b.nodes() && a.roots()[0] == b.roots()[0]);
        std::vector<std::vector<Edge>> layers;
        for (std::size_t l = 0; l < a.layers(); ++l) {
            const auto x = a.children(l), y = b.children(l);
            CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end()));
            layers.emplace_back(x.begin(), x.end());
        }
        // Read back from arrays, and planted in a forest with other nodes.
        const Automaton again(ALPHABETS, layers, {a.roots()[0]});
        CHECK(again.plant(other)[0] == built);
    }
}

void test_places_are_joined_if_they_are_alike() {
    const Places threes = Places::joined({3, 3, 3, 3, 3}), twos = Places::joined({2, 2, 2, 2});
    CHECK(threes.layers() == 3 && threes.symbols_of_layer(2) == 9 && threes.end_of(2) == 5);
    CHECK(twos.layers() == 2 && twos.symbols_of_layer(0) == 8 && twos.layer_of(3) == 1);
    CHECK(Places::joined({4, 4}).layers() == 2 && Places::joined({2, 3}).layers() == 2);
    CHECK(Places::joined({1, 1, 1}).layers() == 3 && Places::joined({3}).symbols_of_layer(0) == 3);
    const std::uint8_t string[] = {1, 2, 0, 1, 2};
    CHECK(threes.join(0, string) == 5 && threes.join(1, string) == 1 && threes.join(2, string) == 6);
    CHECK(threes.at(0, 5) == 1 && threes.at(1, 5) == 2 && threes.at(4, 8) == 2);
}

// A set that lies in layers of several places is, laid out, what it is in layers of one; and it comes back.
void test_automata_do_not_tell_how_places_are_joined() {
    std::mt19937 random(5);
    for (const std::vector<std::size_t>& alphabets :
         {std::vector<std::size_t>{3, 3, 3, 3, 3}, {3, 3, 3, 3}, {2, 2, 2, 2, 2}, {2, 2}, {3}, ALPHABETS})
        for (int round = 0; round < 20; ++round) {
            Forest apart(alphabets, LIMIT), joined(Places::joined(alphabets), LIMIT);
            const std::vector<Edge> roots = {edge_of(apart, random_set(random, alphabets)),
                                             edge_of(apart, random_set(random, alphabets)) ^ 1, EVERYTHING};
            const Automaton laid_out(apart, roots);
            const std::vector<Edge> planted = laid_out.plant(joined);
            const Automaton again(joined, planted);
            CHECK(again.layers() == alphabets.size() && again.nodes() == laid_out.nodes());
            CHECK(std::equal(again.roots().begin(), again.roots().end(), laid_out.roots().begin()));
            for (std::size_t place = 0; place < alphabets.size(); ++place) {
                const auto x = again.children(place), y = laid_out.children(place);
                CHECK(std::equal(x.begin(), x.end(), y.begin(), y.end()));
            }
            CHECK(joined.nodes_from(planted[0]) <= apart.nodes_from(roots[0]));
        }
}

bool is_refused(const std::vector<std::vector<Edge>>& layers, Edge root) {
    try {
        Automaton({2, 2}, layers, {root});
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void test_arrays_that_are_no_automaton_are_refused() {
    CHECK(!is_refused({{0, 2}, {0, 1}}, 2));
    CHECK(is_refused({{0, 2}}, 2));                // a layer is missing
    CHECK(is_refused({{0, 2, 1}, {0, 1}}, 2));     // half a node
    CHECK(is_refused({{0, 4}, {0, 1}}, 2));        // no such node
    CHECK(is_refused({{0, 2}, {0, 1}}, 4));        // no such root
    CHECK(is_refused({{1, 2}, {0, 1}}, 2));        // the other way round
    CHECK(is_refused({{0, 2}, {0, 0}}, 2));        // node 0 again
    CHECK(is_refused({{2, 4}, {0, 1, 0, 1}}, 2));  // twice the same
    CHECK(is_refused({{0, 2, 0, 3}, {0, 1}}, 2));  // nothing leads there
    CHECK(is_refused({{0, 2}, {0, 2}}, 2));        // beyond the last layer
}

// A move applied to explicit sets, change by change.
Explicit explicit_image(const Explicit& from, const std::vector<Move>& moves, const std::vector<Explicit>& before,
                        const std::vector<Explicit>& after, bool is_reversed) {
    Explicit to;
    for (const String& string : all_strings(ALPHABETS))
        for (const String& next : all_strings(ALPHABETS))
            for (std::size_t m = 0; m < moves.size(); ++m) {
                if (!before[m].contains(string) || !after[m].contains(next)) continue;
                bool is_move = true;
                for (std::size_t l = 0; l < string.size(); ++l) {
                    bool is_allowed = string[l] == next[l];
                    for (const Change& change : moves[m].changes)
                        if (change.place == l) {
                            is_allowed = false;
                            for (const auto& [in, out] : change.pairs) is_allowed |= in == string[l] && out == next[l];
                        }
                    is_move &= is_allowed;
                }
                if (is_move && from.contains(is_reversed ? next : string)) to.insert(is_reversed ? string : next);
            }
    return to;
}

void test_images_are_those_of_the_moves_one_by_one() {
    std::mt19937 random(4);
    Forest forest(ALPHABETS, LIMIT);
    for (int round = 0; round < 20; ++round) {
        std::vector<Move> moves;
        std::vector<Explicit> before, after;
        for (std::size_t m = random() % 4; m-- > 0;) {
            before.push_back(random_set(random, ALPHABETS));
            after.push_back(random_set(random, ALPHABETS));
            Move& move = moves.emplace_back();
            move.before = edge_of(forest, before.back());
            move.after = edge_of(forest, after.back());
            for (std::size_t place = 0; place < ALPHABETS.size(); ++place) {
                if (random() % 2) continue;
                Change& change = move.changes.emplace_back();
                change.place = place;
                for (int pairs = 0; pairs < 2; ++pairs)
                    change.pairs.emplace_back(random() % ALPHABETS[place], random() % ALPHABETS[place]);
            }
        }
        const Explicit from = random_set(random, ALPHABETS);
        const Relation relation(forest, moves, LIMIT);
        for (const bool is_reversed : {false, true}) {
            const Transducer transducer(relation, forest, is_reversed);
            const Edge image = edge_of(forest, explicit_image(from, moves, before, after, is_reversed));
            CHECK(forest.image(transducer, edge_of(forest, from)) == image);
            const MovedSet set{&transducer, edge_of(forest, from)};
            CHECK(layered_image(forest, {&set, 1}) == image);
        }
    }
}

// Steps of stones along a line of places, in either direction.
std::vector<Move> line_moves(std::size_t places, Symbol stone, int step) {
    std::vector<Move> moves;
    for (std::size_t from = 0; from < places; ++from) {
        const std::size_t to = from + static_cast<std::size_t>(step);
        if (to >= places) continue;
        moves.push_back({EVERYTHING, {{from, {{stone, 0}}}, {to, {{0, stone}}}}, EVERYTHING});
    }
    return moves;
}

Edge random_strings(Forest& forest, std::mt19937& random, int count) {
    Explicit strings;
    for (int i = 0; i < count; ++i) {
        String string;
        for (std::size_t l = 0; l < forest.layers(); ++l)
            string.push_back(static_cast<std::uint8_t>(random() % forest.symbols(l)));
        strings.insert(std::move(string));
    }
    return edge_of(forest, strings);
}

void test_layered_images_are_unions_of_images() {
    std::mt19937 random(8);
    for (const std::size_t symbols : {std::size_t{3}, std::size_t{4}, std::size_t{6}}) {
        Forest forest(std::vector<std::size_t>(16, symbols), LIMIT);
        std::vector<Transducer> kinds;
        for (const int step : {1, 2, -1, -3})
            for (const Symbol stone : {Symbol{1}, Symbol{2}})
                kinds.emplace_back(Relation(forest, line_moves(16, stone, step), LIMIT), forest, step > 1);
        for (int round = 0; round < 12; ++round) {
            std::vector<MovedSet> sets;
            Edge expected = NOTHING;
            for (const Transducer& moves : kinds) {
                if (random() % 3 == 0) continue;
                Edge edge = random_strings(forest, random, 1 + static_cast<int>(random() % 200));
                if (random() % 2) edge = forest.join(edge, forest.image(moves, edge)) ^ (random() & 1);
                sets.push_back({&moves, edge});
                expected = forest.join(expected, forest.image(moves, edge));
            }
            CHECK(layered_image(forest, sets) == expected);
        }
    }
}

// Several kinds of steps for each stone, so that images are much larger than their sets.
ForestSet large_image(std::size_t limit_bytes, const StopCheck& should_stop) {
    std::mt19937 random(9);
    const auto forest = std::make_shared<Forest>(std::vector<std::size_t>(20, 3), limit_bytes);
    std::vector<Transducer> kinds;
    for (const int step : {1, 2, 3, -1, -2, -3})
        for (const Symbol stone : {Symbol{1}, Symbol{2}})
            kinds.emplace_back(Relation(*forest, line_moves(20, stone, step), LIMIT), *forest, false);
    const ForestSet set = run_on(forest, {}, [&](Forest& f) { return random_strings(f, random, 2'000); });
    return run_on(forest, should_stop, [&](Forest& f) {
        std::vector<MovedSet> sets;
        for (const Transducer& moves : kinds) sets.push_back({&moves, set.edge()});
        return layered_image(f, sets);
    });
}

void test_layered_images_fit_in_the_limit_or_say_so() {
    CHECK(large_image(LIMIT, {}).edge() > EVERYTHING);
    bool is_full = false, stopped = false;
    try {
        large_image(std::size_t{9} << 18, {});
    } catch (const ForestFull&) {
        is_full = true;
    }
    CHECK(is_full);
    try {
        large_image(LIMIT, [] { return true; });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

void test_a_sweep_keeps_what_is_kept() {
    std::mt19937 random(5);
    const auto forest = std::make_shared<Forest>(ALPHABETS, LIMIT);
    std::vector<Explicit> strings;
    std::vector<ForestSet> sets;
    for (int i = 0; i < 30; ++i) {
        strings.push_back(random_set(random, ALPHABETS));
        sets.push_back(run_on(forest, {}, [&](Forest& f) { return edge_of(f, strings.back()); }));
    }
    const std::size_t nodes = forest->nodes();
    forest->sweep();
    CHECK(forest->nodes() < nodes && forest->sweeps() == 1);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        CHECK(strings_of(*forest, sets[i].edge(), ALPHABETS) == strings[i]);
        CHECK(edge_of(*forest, strings[i]) == sets[i].edge());
        const Edge other = sets[(i + 1) % sets.size()].edge();
        Explicit both;
        for (const String& string : strings[i])
            if (strings[(i + 1) % sets.size()].contains(string)) both.insert(string);
        CHECK(forest->meet(sets[i].edge(), other) == edge_of(*forest, both));
    }
    sets.clear();
    forest->sweep();
    CHECK(forest->nodes() == 0);
}

void test_a_full_forest_says_so_and_goes_on() {
    std::mt19937 random(6);
    const std::vector<std::size_t> alphabets(12, 2);
    const auto forest = std::make_shared<Forest>(alphabets, 200'000);
    const Explicit small = {String(12, 0), String(12, 1)};
    const ForestSet kept = run_on(forest, {}, [&](Forest& f) { return edge_of(f, small); });
    bool is_full = false;
    std::vector<ForestSet> sets;
    for (int i = 0; i < 1000 && !is_full; ++i) try {
            const Explicit strings = random_set(random, alphabets);
            sets.push_back(run_on(forest, {}, [&](Forest& f) { return edge_of(f, strings); }));
        } catch (const ForestFull&) {
            is_full = true;
        }
    CHECK(is_full && forest->sweeps() > 0 && forest->bytes() <= 200'000);
    CHECK(strings_of(*forest, kept.edge(), alphabets) == small);
    sets.clear();
    const Explicit strings = random_set(random, alphabets);
    const ForestSet again = run_on(forest, {}, [&](Forest& f) { return edge_of(f, strings); });
    CHECK(strings_of(*forest, again.edge(), alphabets) == strings);
}

void test_work_stops_when_told() {
    const auto forest = std::make_shared<Forest>(std::vector<std::size_t>(24, 3), LIMIT);
    std::mt19937 random(7);
    bool stopped = false;
    try {
        run_on(
            forest, [] { return true; },
            [&](Forest& f) {
                Edge all = NOTHING;
                for (;;) {
                    String string;
                    for (int l = 0; l < 24; ++l) string.push_back(static_cast<std::uint8_t>(random() % 3));
                    all = f.join(all, edge_of(f, {string}));
                }
                return all;
            });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

int main() {
    test_the_algebra_is_that_of_explicit_sets();
    test_strings_are_counted_and_numbered();
    test_counts_may_be_large();
    test_automata_do_not_depend_on_how_sets_came_about();
    test_places_are_joined_if_they_are_alike();
    test_automata_do_not_tell_how_places_are_joined();
    test_arrays_that_are_no_automaton_are_refused();
    test_images_are_those_of_the_moves_one_by_one();
    test_layered_images_are_unions_of_images();
    test_layered_images_fit_in_the_limit_or_say_so();
    test_a_sweep_keeps_what_is_kept();
    test_a_full_forest_says_so_and_goes_on();
    test_work_stops_when_told();
    return 0;
}

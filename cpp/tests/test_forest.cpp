#include <chrono>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "check.hpp"
#include "setrograde/boards/automaton.hpp"
#include "setrograde/boards/layered_image.hpp"
#include "setrograde/boards/player_moves.hpp"
#include "setrograde/boards/set_builders.hpp"

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

Branch branch_of(Forest& forest, const Explicit& strings) {
    std::vector<Branch> branches;
    for (const String& string : strings) {
        Branch branch = EVERYTHING;
        for (std::size_t l = forest.layers(); l-- > 0;) {
            std::vector<Branch> row(forest.symbols(l), NOTHING);
            row[string[l]] = branch;
            branch = forest.add(l, row.data());
        }
        branches.push_back(branch);
    }
    return forest.join_all(std::move(branches));
}

Explicit strings_of(const Forest& forest, Branch branch, const std::vector<std::size_t>& alphabets) {
    const Automaton automaton(forest, std::vector<Branch>{branch});
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
        const Branch x = branch_of(forest, a), y = branch_of(forest, b);
        Explicit both, either, one, others;
        for (const String& string : all) {
            const bool in_a = a.contains(string), in_b = b.contains(string);
            if (in_a && in_b) both.insert(string);
            if (in_a || in_b) either.insert(string);
            if (in_a != in_b) one.insert(string);
            if (!in_a) others.insert(string);
        }
        CHECK(strings_of(forest, x, ALPHABETS) == a);
        CHECK(forest.meet(x, y) == branch_of(forest, both));
        CHECK(forest.join(x, y) == branch_of(forest, either));
        CHECK(forest.differ(x, y) == branch_of(forest, one));
        CHECK((x ^ 1) == branch_of(forest, others));
    }
    CHECK(branch_of(forest, {}) == NOTHING);
    CHECK(branch_of(forest, Explicit(all.begin(), all.end())) == EVERYTHING);
}

void test_strings_are_counted_and_numbered() {
    std::mt19937 random(2);
    Forest forest(ALPHABETS, LIMIT);
    for (int round = 0; round < 50; ++round) {
        const Explicit strings = random_set(random, ALPHABETS);
        const Automaton automaton(forest, std::vector<Branch>{branch_of(forest, strings)});
        const StringCounts counts(automaton);
        CHECK(counts.count(automaton.roots()[0])[0] == strings.size());
        std::uint64_t index = 0;
        for (const String& string : strings) CHECK(counts.string_at(automaton.roots()[0], {index++}) == string);
    }
}

void test_counts_may_be_large() {
    Forest forest(std::vector<std::size_t>(100, 64), LIMIT);  // 2^600 strings
    std::vector<Branch> row(64, NOTHING);
    row[63] = EVERYTHING;
    const Branch branch = forest.add(99, row.data());
    CHECK(branch > EVERYTHING);
    const Automaton automaton(forest, std::vector<Branch>{EVERYTHING, NOTHING});
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
        branch_of(other, random_set(random, ALPHABETS));
        Branch built = NOTHING;
        for (const String& string : strings) built = other.join(branch_of(other, {string}), built);
        const Automaton a(one, std::vector<Branch>{branch_of(one, strings)});
        const Automaton b(other, std::vector<Branch>{built});
        CHECK(a.nodes() == b.nodes() && a.roots()[0] == b.roots()[0]);
        std::vector<std::vector<Branch>> layers;
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
            const std::vector<Branch> roots = {branch_of(apart, random_set(random, alphabets)),
                                               branch_of(apart, random_set(random, alphabets)) ^ 1, EVERYTHING};
            const Automaton laid_out(apart, roots);
            const std::vector<Branch> planted = laid_out.plant(joined);
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

bool is_refused(const std::vector<std::vector<Branch>>& layers, Branch root) {
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
            move.before = branch_of(forest, before.back());
            move.after = branch_of(forest, after.back());
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
            const Branch image = branch_of(forest, explicit_image(from, moves, before, after, is_reversed));
            CHECK(forest.image(transducer, branch_of(forest, from)) == image);
            const MovedSet set{&transducer, branch_of(forest, from)};
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

Branch random_strings(Forest& forest, std::mt19937& random, int count) {
    Explicit strings;
    for (int i = 0; i < count; ++i) {
        String string;
        for (std::size_t l = 0; l < forest.layers(); ++l)
            string.push_back(static_cast<std::uint8_t>(random() % forest.symbols(l)));
        strings.insert(std::move(string));
    }
    return branch_of(forest, strings);
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
            Branch expected = NOTHING;
            for (const Transducer& moves : kinds) {
                if (random() % 3 == 0) continue;
                Branch branch = random_strings(forest, random, 1 + static_cast<int>(random() % 200));
                if (random() % 2) branch = forest.join(branch, forest.image(moves, branch)) ^ (random() & 1);
                sets.push_back({&moves, branch});
                expected = forest.join(expected, forest.image(moves, branch));
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
    const ForestSet set = make_set(forest, {}, [&](Forest& f) { return random_strings(f, random, 2'000); });
    return make_set(forest, should_stop, [&](Forest& f) {
        std::vector<MovedSet> sets;
        for (const Transducer& moves : kinds) sets.push_back({&moves, set.branch()});
        return layered_image(f, sets);
    });
}

void test_layered_images_fit_in_the_limit_or_say_so() {
    CHECK(large_image(LIMIT, {}).branch() > EVERYTHING);
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
        sets.push_back(make_set(forest, {}, [&](Forest& f) { return branch_of(f, strings.back()); }));
    }
    const std::size_t nodes = forest->nodes();
    forest->sweep();
    CHECK(forest->nodes() < nodes && forest->sweeps() == 1);
    for (std::size_t i = 0; i < sets.size(); ++i) {
        CHECK(strings_of(*forest, sets[i].branch(), ALPHABETS) == strings[i]);
        CHECK(branch_of(*forest, strings[i]) == sets[i].branch());
        const Branch other = sets[(i + 1) % sets.size()].branch();
        Explicit both;
        for (const String& string : strings[i])
            if (strings[(i + 1) % sets.size()].contains(string)) both.insert(string);
        CHECK(forest->meet(sets[i].branch(), other) == branch_of(*forest, both));
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
    const ForestSet kept = make_set(forest, {}, [&](Forest& f) { return branch_of(f, small); });
    bool is_full = false;
    std::vector<ForestSet> sets;
    for (int i = 0; i < 1000 && !is_full; ++i) try {
            const Explicit strings = random_set(random, alphabets);
            sets.push_back(make_set(forest, {}, [&](Forest& f) { return branch_of(f, strings); }));
        } catch (const ForestFull&) {
            is_full = true;
        }
    CHECK(is_full && forest->sweeps() > 0 && forest->bytes() <= 200'000);
    CHECK(strings_of(*forest, kept.branch(), alphabets) == small);
    sets.clear();
    const Explicit strings = random_set(random, alphabets);
    const ForestSet again = make_set(forest, {}, [&](Forest& f) { return branch_of(f, strings); });
    CHECK(strings_of(*forest, again.branch(), alphabets) == strings);
}

void test_work_stops_when_told() {
    const auto forest = std::make_shared<Forest>(std::vector<std::size_t>(24, 3), LIMIT);
    std::mt19937 random(7);
    bool stopped = false;
    try {
        make_set(
            forest, [] { return true; },
            [&](Forest& f) {
                Branch all = NOTHING;
                for (;;) {
                    String string;
                    for (int l = 0; l < 24; ++l) string.push_back(static_cast<std::uint8_t>(random() % 3));
                    all = f.join(all, branch_of(f, {string}));
                }
                return all;
            });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

// --- sets made from lists and sums, and moves by place, on layers of several places ---

const std::vector<std::vector<std::size_t>> JOINED_ALPHABETS = {{3, 3, 3, 3, 3}, {2, 2, 2, 2}, {4, 4, 4}, ALPHABETS};

std::vector<std::uint8_t> flat(const Explicit& strings) {
    std::vector<std::uint8_t> all;
    for (const String& string : strings) all.insert(all.end(), string.begin(), string.end());
    return all;
}

void test_sets_of_strings_have_these_strings() {
    std::mt19937 random(10);
    for (const auto& alphabets : JOINED_ALPHABETS) {
        const auto forest = std::make_shared<Forest>(Places::joined(alphabets), LIMIT);
        for (int round = 0; round < 10; ++round) {
            const Explicit strings = random_set(random, alphabets);
            const std::vector<std::uint8_t> rows = flat(strings);
            const ForestSet set =
                make_set(forest, {}, [&](Forest& f) { return set_of_strings(f, rows.data(), strings.size()); });
            CHECK(strings_of(*forest, set.branch(), alphabets) == strings);
            const std::vector<std::uint8_t> asked = flat({all_strings(alphabets).front()});
            CHECK(find_strings(set, asked.data(), 1, {})[0] == strings.contains(all_strings(alphabets).front()));
        }
    }
}

template <class Work>
bool is_invalid(Work work) {
    try {
        work();
    } catch (const std::invalid_argument&) {
        return true;
    }
    return false;
}

void test_symbols_that_are_none_are_refused() {
    const auto forest = std::make_shared<Forest>(Places::joined({3, 3}), LIMIT);
    const auto other = std::make_shared<Forest>(Places::joined({3, 2}), LIMIT);
    const ForestSet set(forest, EVERYTHING), far(other, EVERYTHING);
    const std::uint8_t wrong[] = {0, 3};
    CHECK(is_invalid([&] { set_of_strings(*forest, wrong, 1); }));
    CHECK(is_invalid([&] { find_strings(set, wrong, 1, {}); }));
    CHECK(is_invalid([&] { check_weights(forest->places(), {{1, 2, 3}}); }));
    CHECK(is_invalid([&] { check_weights(forest->places(), {{1, 2, 3}, {1, 2}}); }));
    CHECK(is_invalid([&] { is_same(set, far, {}); }));
    const ForestSet* const both[] = {&set, &far};
    CHECK(is_invalid([&] { lay_out(both, {}); }));
    CHECK(is_invalid([&] { lay_out({}, {}); }));
    CHECK(is_invalid([&] { plant(lay_out({both, 1}, {}), other, {}); }));
    const Places& places = forest->places();
    CHECK(is_invalid([&] { changes_by_layer(places, std::vector<Change>{{2, {}}}); }));
    CHECK(is_invalid([&] { changes_by_layer(places, std::vector<Change>{{1, {}}, {1, {}}}); }));
    CHECK(is_invalid([&] { changes_by_layer(places, std::vector<Change>{{1, {{0, 3}}}}); }));
}

void test_sums_are_those_of_the_symbols() {
    std::mt19937 random(11);
    for (const auto& alphabets : JOINED_ALPHABETS) {
        const auto forest = std::make_shared<Forest>(Places::joined(alphabets), LIMIT);
        for (int round = 0; round < 10; ++round) {
            SymbolWeights weights;
            for (const std::size_t symbols : alphabets)
                for (std::int32_t& weight : weights.emplace_back(symbols))
                    weight = static_cast<std::int32_t>(random() % 9) - 4;
            check_weights(forest->places(), weights);
            const std::int64_t least = static_cast<std::int64_t>(random() % 9) - 6, most = least + 3;
            Explicit expected;
            for (const String& string : all_strings(alphabets)) {
                std::int64_t sum = 0;
                for (std::size_t place = 0; place < string.size(); ++place) sum += weights[place][string[place]];
                if (sum >= least && sum <= most) expected.insert(string);
            }
            const ForestSet set = make_set(forest, {}, [&](Forest& f) { return set_by_sum(f, weights, least, most); });
            CHECK(strings_of(*forest, set.branch(), alphabets) == expected);
        }
    }
}

void test_moves_by_place_are_those_of_the_layers() {
    const std::vector<std::size_t> alphabets(6, 3);
    const auto apart = std::make_shared<Forest>(alphabets, LIMIT);
    const auto joined = std::make_shared<Forest>(Places::joined(alphabets), LIMIT);
    std::mt19937 random(12);
    const Explicit from = random_set(random, alphabets), within = random_set(random, alphabets);
    std::vector<Explicit> images[2];
    for (const auto& forest : {apart, joined}) {
        const std::vector<std::uint8_t> rows = flat(from), bound = flat(within);
        const ForestSet set =
            make_set(forest, {}, [&](Forest& f) { return set_of_strings(f, rows.data(), from.size()); });
        const ForestSet before =
            make_set(forest, {}, [&](Forest& f) { return set_of_strings(f, bound.data(), within.size()); });
        std::vector<PlayerMove> moves;
        for (std::size_t place = 0; place + 1 < alphabets.size(); ++place)
            moves.push_back({place % 2 ? &before : nullptr,
                             {{place, {{1, 0}}}, {place + 1, {{0, 1}, {2, 1}}}},
                             place == 3 ? &before : nullptr});
        const PlayerMoves player(forest, moves, LIMIT, {});
        for (const bool is_reversed : {false, true}) {
            const ForestSet image = player.image(set, is_reversed, {});
            const PlayerImage part{&player, &set};
            CHECK(is_same(union_of_images({&part, 1}, is_reversed, {}), image, {}));
            images[forest == joined].push_back(strings_of(*forest, image.branch(), alphabets));
        }
    }
    CHECK(images[0] == images[1] && !images[0][0].empty() && !images[0][1].empty());
}

// --- stopping ---

// Sets with many nodes, so that a sweep asks its check in every part.
std::vector<ForestSet> large_sets(const std::shared_ptr<Forest>& forest) {
    std::mt19937 random(13);
    std::vector<ForestSet> sets;
    for (int i = 0; i < 2; ++i)
        sets.push_back(make_set(forest, {}, [&](Forest& f) { return random_strings(f, random, 10'000); }));
    return sets;
}

void test_a_sweep_that_is_stopped_is_finished_by_the_next_turn() {
    const std::vector<std::size_t> alphabets(14, 3);
    const auto whole = std::make_shared<Forest>(alphabets, std::size_t{1} << 30);
    const std::vector<ForestSet> expected = large_sets(whole);
    const Automaton laid_out = lay_out(std::vector<const ForestSet*>{&expected[0], &expected[1]}, {});
    const auto nodes_of_join = [](const ForestSet& a, const ForestSet& b) {
        return count_nodes(make_set(a.forest(), {}, [&](Forest& f) { return f.join(a.branch(), b.branch()); }), {});
    };
    bool is_stopped = true;
    for (int asks = 0; is_stopped; asks += 3) {
        const auto forest = std::make_shared<Forest>(alphabets, std::size_t{1} << 30);
        std::vector<ForestSet> sets = plant(laid_out, forest, {});
        nodes_of_join(sets[0], sets[1]);  // what a sweep drops
        is_stopped = false;
        int left = asks;
        try {
            take_turn(*forest, [&] { return --left < 0; }, [&] { forest->sweep(); });
        } catch (const Stopped&) {
            is_stopped = true;
        }
        // Handles come and go in between.
        sets.emplace_back(forest, NOTHING);
        sets.pop_back();
        for (std::size_t i = 0; i < 2; ++i) CHECK(count_nodes(sets[i], {}) == count_nodes(expected[i], {}));
        CHECK(nodes_of_join(sets[0], sets[1]) == nodes_of_join(expected[0], expected[1]));
    }
}

void test_work_stopped_anywhere_leaves_a_forest_that_answers() {
    const std::vector<std::size_t> alphabets(14, 3);
    const auto forest = std::make_shared<Forest>(alphabets, std::size_t{1} << 30);
    const auto whole = std::make_shared<Forest>(alphabets, std::size_t{1} << 30);
    const std::vector<ForestSet> expected = large_sets(whole);
    const Automaton laid_out = lay_out(std::vector<const ForestSet*>{&expected[0], &expected[1]}, {});
    bool is_stopped = true;
    for (int asks = 0; is_stopped; asks = 2 * asks + 1) {
        is_stopped = false;
        int left = asks;
        const StopCheck check = [&] { return --left < 0; };
        try {
            const std::vector<ForestSet> sets = plant(laid_out, forest, check);
            const ForestSet either =
                make_set(forest, check, [&](Forest& f) { return f.join(sets[0].branch(), sets[1].branch()); });
            const ForestSet* const roots[] = {&either};
            const Automaton automaton = lay_out(roots, check);
            const StringCounts counts(automaton, check);
            const ForestSet again =
                make_set(whole, {}, [&](Forest& f) { return f.join(expected[0].branch(), expected[1].branch()); });
            const ForestSet* const its_roots[] = {&again};
            const Automaton its_automaton = lay_out(its_roots, {});
            CHECK(counts.count(automaton.roots()[0]) == StringCounts(its_automaton).count(its_automaton.roots()[0]));
        } catch (const Stopped&) {
            is_stopped = true;
        }
    }
}

void test_whoever_waits_for_a_turn_can_be_stopped() {
    const auto forest = std::make_shared<Forest>(ALPHABETS, LIMIT);
    const ForestSet set(forest, EVERYTHING);
    StopFlag flag;
    bool is_stopped = false;
    take_turn(*forest, {}, [&] {
        std::jthread waiting([&] {
            try {
                make_set(forest, [&] { return flag.is_set(); }, [&](Forest&) { return set.branch() ^ 1; });
            } catch (const Stopped&) {
                is_stopped = true;
            }
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        flag.set();
    });
    CHECK(is_stopped);
    CHECK(make_set(forest, {}, [&](Forest&) { return set.branch() ^ 1; }).branch() == NOTHING);
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
    test_sets_of_strings_have_these_strings();
    test_symbols_that_are_none_are_refused();
    test_sums_are_those_of_the_symbols();
    test_moves_by_place_are_those_of_the_layers();
    test_a_sweep_that_is_stopped_is_finished_by_the_next_turn();
    test_work_stopped_anywhere_leaves_a_forest_that_answers();
    test_whoever_waits_for_a_turn_can_be_stopped();
    return 0;
}

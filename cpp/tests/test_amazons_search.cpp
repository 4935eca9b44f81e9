#include "check.hpp"
#include "setrograde/boards/amazons/search.hpp"

#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <string>

using namespace setrograde;

namespace {

// --- a player written to be believed: letters, rays one square at a time, plain minimax ---

struct PlainBoard {
    int width, height;
    std::string letters;  // row by row: x, o, '.' or '#'
};

std::vector<std::string> plain_moves(const PlainBoard& board, char own) {
    const auto reach = [&](const std::string& letters, int start) {
        std::vector<int> squares;
        for (int down = -1; down <= 1; ++down)
            for (int right = -1; right <= 1; ++right) {
                if (!down && !right) continue;
                int x = start % board.width + right, y = start / board.width + down;
                while (x >= 0 && x < board.width && y >= 0 && y < board.height &&
                       letters[static_cast<std::size_t>(y * board.width + x)] == '.') {
                    squares.push_back(y * board.width + x);
                    x += right;
                    y += down;
                }
            }
        return squares;
    };
    std::vector<std::string> after;
    for (int from = 0; from < board.width * board.height; ++from) {
        if (board.letters[static_cast<std::size_t>(from)] != own) continue;
        std::string lifted = board.letters;
        lifted[static_cast<std::size_t>(from)] = '.';
        for (const int end : reach(lifted, from)) {
            std::string moved = lifted;
            moved[static_cast<std::size_t>(end)] = own;
            for (const int shot : reach(moved, end)) {
                after.push_back(moved);
                after.back()[static_cast<std::size_t>(shot)] = '#';
            }
        }
    }
    return after;
}

using Known = std::map<std::pair<std::string, int>, bool>;

// Whether x wins with `spare` extra moves (those of o if negative), by minimax.
bool plain_x_wins(const PlainBoard& board, bool is_x_to_move, int spare, Known& known) {
    const std::pair key{board.letters + (is_x_to_move ? 'x' : 'o'), spare};
    if (const auto found = known.find(key); found != known.end()) return found->second;
    bool x_wins = !is_x_to_move;
    const auto consider = [&](const std::string& letters, int left) {
        if (plain_x_wins({board.width, board.height, letters}, !is_x_to_move, left, known) == is_x_to_move)
            x_wins = is_x_to_move;
        return x_wins == is_x_to_move;
    };
    bool is_over = false;
    if (is_x_to_move && spare > 0) is_over = consider(board.letters, spare - 1);
    if (!is_x_to_move && spare < 0) is_over = consider(board.letters, spare + 1);
    if (!is_over)
        for (const std::string& letters : plain_moves(board, is_x_to_move ? 'x' : 'o'))
            if (consider(letters, spare)) break;
    known[key] = x_wins;
    return x_wins;
}

bool plain_x_wins(const PlainBoard& board, bool is_x_to_move, int spare = 0) {
    Known known;
    return plain_x_wins(board, is_x_to_move, spare, known);
}

AmazonsBoard masks(const PlainBoard& board, bool is_x_to_move) {
    AmazonsBoard made;
    for (std::size_t i = 0; i < board.letters.size(); ++i) {
        const Squares square = Squares{1} << i;
        const char letter = board.letters[i];
        if (letter == '.') made.empty |= square;
        if (letter == 'x') (is_x_to_move ? made.own : made.other) |= square;
        if (letter == 'o') (is_x_to_move ? made.other : made.own) |= square;
    }
    return made;
}

PlainBoard letters_of(const AmazonsGrid& grid, const AmazonsBoard& board) {
    const auto squares = static_cast<std::size_t>(grid.width() * grid.height());
    PlainBoard made{grid.width(), grid.height(), std::string(squares, '#')};
    for (std::size_t i = 0; i < made.letters.size(); ++i) {
        const Squares square = Squares{1} << i;
        if (board.own & square) made.letters[i] = 'x';
        if (board.other & square) made.letters[i] = 'o';
        if (board.empty & square) made.letters[i] = '.';
    }
    return made;
}

PlainBoard random_board(std::mt19937& random, int width, int height, int empty, int xs, int os) {
    PlainBoard board{width, height, std::string(static_cast<std::size_t>(width * height), '#')};
    const auto put = [&](char letter, int count) {
        for (int i = 0; i < count; ++i) {
            std::size_t at = random() % board.letters.size();
            while (board.letters[at] != '#') at = (at + 1) % board.letters.size();
            board.letters[at] = letter;
        }
    };
    put('x', xs);
    put('o', os);
    // Half of the boards have their empty squares in one place, where more can be contested.
    if (random() % 2) {
        int at = static_cast<int>(random() % board.letters.size());
        for (int i = 0, tries = 0; i < empty && tries < 200; ++tries) {
            auto& letter = board.letters[static_cast<std::size_t>(at)];
            if (letter == '#') {
                letter = '.';
                ++i;
            }
            const int x = at % width + static_cast<int>(random() % 3) - 1;
            const int y = at / width + static_cast<int>(random() % 3) - 1;
            if (x >= 0 && x < width && y >= 0 && y < height) at = y * width + x;
        }
    } else {
        put('.', empty);
    }
    return board;
}

struct Size {
    int width, height;
};
constexpr Size SIZES[] = {{4, 4}, {4, 5}, {5, 4}, {3, 4}, {6, 4},  {5, 5},
                          {4, 7}, {6, 5}, {3, 3}, {2, 4}, {10, 2}, {1, 9}};

template <typename Check>
void for_random_boards(unsigned seed, int boards, int most_empty, Check check) {
    std::mt19937 random(seed);
    for (const auto& [width, height] : SIZES)
        for (int i = 0; i < boards; ++i) {
            const int most = width * height;
            const int xs = static_cast<int>(random() % 5), os = static_cast<int>(random() % 5);
            if (xs + os >= most) continue;
            const auto choices = static_cast<unsigned>(std::min(most_empty, most - xs - os));
            const int empty = 1 + static_cast<int>(random() % choices);
            check(random_board(random, width, height, empty, xs, os));
        }
}

// --- tests ---

void test_moves_are_those_of_the_plain_player() {
    for_random_boards(1, 200, 16, [](const PlainBoard& board) {
        const AmazonsGrid grid(board.width, board.height);
        std::multiset<std::string> expected, found;
        for (const auto& letters : plain_moves(board, 'x')) expected.insert(letters);
        grid.visit_moves(masks(board, true), [&](const AmazonsBoard& after) {
            found.insert(letters_of(grid, {after.other, after.own, after.empty}).letters);
            return false;
        });
        CHECK(expected == found);
        CHECK(grid.has_moves(masks(board, true)) == !expected.empty());
    });
}

// Whether x wins if the part is worth `worth` to him at least, whatever else there is: with as many spare
// moves of o in return, x wins if he moves second.
bool is_worth_at_least(const PlainBoard& board, int worth, bool to_x) {
    return plain_x_wins(board, !to_x, to_x ? -worth : worth) == to_x;
}

// Steps of a king from the nearest `own` over empty squares, for each square; -1 if there is no way.
std::vector<int> plain_steps(const PlainBoard& board, char own) {
    std::vector<int> steps(board.letters.size(), -1), way;
    for (std::size_t i = 0; i < board.letters.size(); ++i)
        if (board.letters[i] == own) steps[i] = 0, way.push_back(static_cast<int>(i));
    for (std::size_t i = 0; i < way.size(); ++i)
        for (int down = -1; down <= 1; ++down)
            for (int right = -1; right <= 1; ++right) {
                const int x = way[i] % board.width + right, y = way[i] / board.width + down;
                if (x < 0 || x >= board.width || y < 0 || y >= board.height) continue;
                const auto at = static_cast<std::size_t>(y * board.width + x);
                if (board.letters[at] != '.' || steps[at] >= 0) continue;
                steps[at] = steps[static_cast<std::size_t>(way[i])] + 1;
                way.push_back(static_cast<int>(at));
            }
    return steps;
}

void test_nearer_squares_take_fewer_steps() {
    for_random_boards(2, 200, 16, [](const PlainBoard& board) {
        const std::vector<int> xs = plain_steps(board, 'x'), os = plain_steps(board, 'o');
        int expected = 0;
        for (std::size_t i = 0; i < board.letters.size(); ++i) {
            if (board.letters[i] != '.') continue;
            expected += xs[i] >= 0 && (os[i] < 0 || xs[i] < os[i]);
            expected -= os[i] >= 0 && (xs[i] < 0 || os[i] < xs[i]);
        }
        CHECK(AmazonsGrid(board.width, board.height).nearer_squares(masks(board, true)) == expected);
    });
}

void test_images_keep_the_winner_and_are_one() {
    for_random_boards(3, 40, 5, [](const PlainBoard& board) {
        const AmazonsGrid grid(board.width, board.height);
        const AmazonsBoard least = grid.least_image(masks(board, true));
        CHECK(plain_x_wins(letters_of(grid, least), true) == plain_x_wins(board, true));
        PlainBoard mirrored = board, upside_down = board;
        for (int y = 0; y < board.height; ++y)
            for (int x = 0; x < board.width; ++x) {
                const char letter = board.letters[static_cast<std::size_t>(y * board.width + x)];
                mirrored.letters[static_cast<std::size_t>(y * board.width + board.width - 1 - x)] = letter;
                upside_down.letters[static_cast<std::size_t>((board.height - 1 - y) * board.width + x)] = letter;
            }
        CHECK(grid.least_image(masks(mirrored, true)) == least);
        CHECK(grid.least_image(masks(upside_down, true)) == least);
        CHECK(grid.least_image(least) == least);
    });
}

void test_images_turn_and_move_where_there_is_room() {
    const AmazonsGrid grid(4, 5);
    const auto least = [&](const char* letters) { return grid.least_image(masks({4, 5, letters}, true)); };
    CHECK(least("x.###o##############") == least("x###.o##############"));
    CHECK(least("x.###o##############") == least("#####x###.o#########"));
    CHECK(least("x.o#################") == least("###x###.###o########"));
    CHECK(least("x###.###.###.###o###") == least("#o###.###.###.###x##"));  // too long to lie down
}

int plain_most_moves(const PlainBoard& board) {
    int most = 0;
    for (const std::string& letters : plain_moves(board, 'x'))
        most = std::max(most, 1 + plain_most_moves({board.width, board.height, letters}));
    return most;
}

void test_territory_is_worth_the_longest_row_of_moves() {
    for_random_boards(4, 30, 5, [](const PlainBoard& board) {
        const AmazonsGrid grid(board.width, board.height);
        AmazonsTerritory territory(grid);
        const AmazonsBoard made = masks(board, true);
        const int expected = plain_most_moves(board);
        CHECK(territory.most_moves(made.empty, made.own) == expected);
        CHECK(territory.most_moves(made.empty, made.own, made.own) <= expected);
    });
}

void test_a_corner_too_many_is_of_no_use() {
    const AmazonsGrid grid(3, 3);
    AmazonsTerritory territory(grid);
    const AmazonsBoard fork = masks({3, 3, ".#.#x####"}, true);
    CHECK(territory.most_moves(fork.empty, fork.own) == 1);
    const AmazonsBoard ends = masks({3, 3, ".#.#x#.#."}, true);
    CHECK(territory.most_moves(ends.empty, ends.own) == plain_most_moves({3, 3, ".#.#x#.#."}));
    CHECK(territory.most_moves(ends.empty, ends.own, ends.own) == 1);
}

void test_reduced_boards_have_the_same_winner() {
    int reduced_boards = 0;
    for_random_boards(5, 30, 5, [&](const PlainBoard& board) {
        const AmazonsGrid grid(board.width, board.height);
        AmazonsTerritory territory(grid);
        const ReducedBoard reduced = territory.reduce(masks(board, true));
        const PlainBoard left = letters_of(grid, reduced.board);
        reduced_boards += reduced.spare != 0 && left.letters.find('.') != std::string::npos;
        for (const bool is_x_to_move : {true, false})
            CHECK(plain_x_wins(left, is_x_to_move, reduced.spare) == plain_x_wins(board, is_x_to_move));
    });
    CHECK(reduced_boards > 10);
}

void test_bounds_are_bounds() {
    int closed = 0;
    for_random_boards(6, 30, 5, [&](const PlainBoard& board) {
        const AmazonsGrid grid(board.width, board.height);
        AmazonsTerritory territory(grid);
        ReducedBoard reduced = territory.reduce(masks(board, true));
        territory.set_bounds(reduced);
        const PlainBoard left = letters_of(grid, reduced.board);
        closed += reduced.least + std::popcount(reduced.board.empty) > 0 && reduced.board.empty;
        CHECK(is_worth_at_least(left, reduced.least, true));
        CHECK(is_worth_at_least(left, -reduced.most, false));
        for (int spare = -4; spare <= 4; ++spare) {
            reduced.spare = spare;
            if (const auto is_won = reduced.is_won())
                CHECK(*is_won == plain_x_wins(left, true, spare));
            else if (territory.wins_by_a_step(reduced))
                CHECK(plain_x_wins(left, true, spare));
        }
    });
    CHECK(closed > 10);
}

void test_winners_are_those_of_minimax() {
    for_random_boards(2, 75, 6, [](const PlainBoard& board) {
        AmazonsSearch search(board.width, board.height, 0);
        for (const bool is_x_to_move : {true, false})
            CHECK(search.is_won(masks(board, is_x_to_move)) == (plain_x_wins(board, is_x_to_move) == is_x_to_move));
    });
}

// One search for many boards: what the table keeps of one serves another.
void test_winners_with_a_table_in_use_are_those_of_minimax() {
    std::mt19937 random(7);
    AmazonsSearch search(4, 5, 0);
    for (int i = 0; i < 40; ++i) {
        const PlainBoard board = random_board(random, 4, 5, 7, 4, 4);
        for (const bool is_x_to_move : {true, false})
            CHECK(search.is_won(masks(board, is_x_to_move)) == (plain_x_wins(board, is_x_to_move) == is_x_to_move));
    }
}

PlainBoard start(int width, int height) {
    PlainBoard board{width, height, std::string(static_cast<std::size_t>(width * height), '.')};
    const auto put = [&](char letter, int x, int y) {
        board.letters[static_cast<std::size_t>(y * width + x)] = letter;
    };
    for (const int x : {1, width - 2}) put('x', x, 0), put('o', x, height - 1);
    for (const int x : {0, width - 1}) put('x', x, 1), put('o', x, height - 2);
    return board;
}

void test_small_boards_have_the_known_winners_in_a_full_table() {
    AmazonsSearch small(4, 4, 0), wide(5, 4, 0);
    CHECK(!small.is_won(masks(start(4, 4), true)));
    CHECK(wide.is_won(masks(start(5, 4), true)));
}

// A table that grows, one that grows by less than twice, one that is full long before the end.
void test_winners_do_not_depend_on_the_table() {
    const AmazonsBoard after_a_move{0x96, 0x49020, 0xb6f48};
    AmazonsSearch large(4, 5, std::size_t{1} << 28), odd(4, 5, std::size_t{5} << 19), full(4, 5, 0);
    CHECK(large.is_won(after_a_move) && odd.is_won(after_a_move));
    CHECK(large.table_bytes() > odd.table_bytes() && odd.table_bytes() > std::size_t{1} << 20);
    CHECK(!full.is_won(masks(start(4, 5), true)));
    CHECK(full.table_bytes() <= AmazonsSearch::MIN_LIMIT_BYTES && full.nodes() > 4 * full.stored());
}

void test_what_is_known_is_what_a_search_found() {
    AmazonsSearch search(5, 4, 0), fresh(5, 4, 0);
    const AmazonsBoard first = masks(start(5, 4), true);
    CHECK(!search.is_known_won(first));
    CHECK(search.is_won(first) && search.is_known_won(first) == true);
    int lost = 0;
    search.grid().visit_moves(first, [&](const AmazonsBoard& after) {
        const auto known = search.is_known_won(after);
        if (known) CHECK(*known == fresh.is_won(after));
        lost += known == false;
        return false;
    });
    CHECK(lost > 0);
}

void test_nonsense_is_refused() {
    CHECK(is_refused([] { AmazonsGrid(0, 4); }));
    CHECK(is_refused([] { AmazonsGrid(4, -4); }));
    CHECK(is_refused([] { AmazonsGrid(4, 8); }));
    CHECK(is_refused([] { AmazonsGrid(1 << 16, 1 << 16); }));
    AmazonsSearch search(4, 4, 0);
    CHECK(is_refused([&] { search.is_won({1, 1, 2}); }));
    CHECK(is_refused([&] { search.is_won({1, 2, 3}); }));
    CHECK(is_refused([&] { search.is_won({1, 2, 1 << 16}); }));
    CHECK(is_refused([&] { search.is_known_won({1, 1, 2}); }));
    CHECK(!search.is_won({}));
}

void test_a_search_can_be_stopped_and_asked_again() {
    bool is_stopped = false, should_stop = true;
    const StopCheck check = [&] { return should_stop; };
    AmazonsSearch search(4, 4, 0), long_search(6, 5, 0);
    int asked = 0;
    try {
        long_search.is_won(masks(start(6, 5), true), [&] { return ++asked > 100; });
    } catch (const Stopped&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
    is_stopped = false;
    try {
        search.is_won(masks(start(4, 4), true), check);
    } catch (const Stopped&) {
        is_stopped = true;
    }
    CHECK(is_stopped);
    should_stop = false;
    CHECK(!search.is_won(masks(start(4, 4), true), check));
    CHECK(!long_search.is_won(masks({6, 5, "x" + std::string(29, '#')}, true)));
}

}  // namespace

int main() {
    test_moves_are_those_of_the_plain_player();
    test_nearer_squares_take_fewer_steps();
    test_images_keep_the_winner_and_are_one();
    test_images_turn_and_move_where_there_is_room();
    test_territory_is_worth_the_longest_row_of_moves();
    test_a_corner_too_many_is_of_no_use();
    test_reduced_boards_have_the_same_winner();
    test_bounds_are_bounds();
    test_winners_are_those_of_minimax();
    test_winners_with_a_table_in_use_are_those_of_minimax();
    test_small_boards_have_the_known_winners_in_a_full_table();
    test_winners_do_not_depend_on_the_table();
    test_what_is_known_is_what_a_search_found();
    test_nonsense_is_refused();
    test_a_search_can_be_stopped_and_asked_again();
}

#include "check.hpp"
#include "setrograde/amazons_search.hpp"

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
    PlainBoard made{grid.width(), grid.height(), std::string(static_cast<std::size_t>(grid.width() * grid.height()), '#')};
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
        for (int i = 0, at = static_cast<int>(random() % board.letters.size()), tries = 0; i < empty && tries < 200; ++tries) {
            auto& letter = board.letters[static_cast<std::size_t>(at)];
            if (letter == '#') {
                letter = '.';
                ++i;
            }
            const int x = at % width + static_cast<int>(random() % 3) - 1, y = at / width + static_cast<int>(random() % 3) - 1;
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
constexpr Size SIZES[] = {{4, 4}, {4, 5}, {5, 4}, {3, 4}, {6, 4}, {5, 5}, {4, 7}, {6, 5}, {3, 3}, {10, 2}, {1, 9}, {2, 4}};

template <typename Check>
void for_random_boards(unsigned seed, int boards, int most_empty, Check check) {
    std::mt19937 random(seed);
    for (const auto& [width, height] : SIZES)
        for (int i = 0; i < boards; ++i) {
            const int most = width * height;
            const int xs = static_cast<int>(random() % 5), os = static_cast<int>(random() % 5);
            if (xs + os >= most) continue;
            const int empty = 1 + static_cast<int>(random() % static_cast<unsigned>(std::min(most_empty, most - xs - os)));
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

void test_winners_are_those_of_minimax() {
    for_random_boards(2, 400, 7, [](const PlainBoard& board) {
        AmazonsSearch search(board.width, board.height, 0);
        for (const bool is_x_to_move : {true, false})
            if(search.is_won(masks(board, is_x_to_move)) != (plain_x_wins(board, is_x_to_move) == is_x_to_move)) {
              for(int y=0;y<board.height;++y) std::printf("%s\n", board.letters.substr(static_cast<std::size_t>(y*board.width), static_cast<std::size_t>(board.width)).c_str());
              CHECK(false);
            }
    });
}

}  // namespace

int main() {
    test_moves_are_those_of_the_plain_player();
    test_winners_are_those_of_minimax();
}

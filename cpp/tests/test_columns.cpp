#include "check.hpp"
#include "setrograde/cards/columns.hpp"

using namespace setrograde;

namespace {

constexpr std::uint8_t spade(int rank) { return static_cast<std::uint8_t>(48 + rank); }

// N: SAK, E: SQJ, S: ST9, W: S87
const PerSeat<CardSet> HANDS{bit_of(spade(12)) | bit_of(spade(11)), bit_of(spade(10)) | bit_of(spade(9)),
                             bit_of(spade(8)) | bit_of(spade(7)), bit_of(spade(6)) | bit_of(spade(5))};

void test_columns_are_put_in_order() {
    const std::uint8_t codes[] = {spade(6), spade(12), spade(10), spade(7)};
    const ColumnRun run = run_columns(HANDS, codes, 4, WEST, NORTH, NOTRUMP, false);
    CHECK(run.why == ColumnStop::NONE && run.stop == -1 && run.won[0] == 1);
    CHECK((run.played == std::vector<std::uint8_t>{spade(12), spade(10), spade(7), spade(6)}));
}

void test_rotated_columns_are_placed_by_holder() {
    const std::uint8_t codes[] = {spade(12), spade(10), spade(7), spade(6)};
    CHECK(run_columns(HANDS, codes, 4, WEST, NORTH, NOTRUMP, false).why == ColumnStop::NOT_HELD);
    CHECK(run_columns(HANDS, codes, 4, WEST, NORTH, NOTRUMP, true).why == ColumnStop::NONE);
}

void test_bad_codes_stop_the_run() {
    const std::uint8_t codes[] = {255, 200, 64, 13};
    const ColumnRun run = run_columns(HANDS, codes, 4, NORTH, NORTH, NOTRUMP, true);
    CHECK(run.why == ColumnStop::UNKNOWN && run.stop == 0 && run.played.empty());
    CHECK(run_columns(HANDS, codes, 3, NORTH, NORTH, NOTRUMP, true).stop == -1);
}

}  // namespace

int main() {
    test_columns_are_put_in_order();
    test_rotated_columns_are_placed_by_holder();
    test_bad_codes_stop_the_run();
    return 0;
}

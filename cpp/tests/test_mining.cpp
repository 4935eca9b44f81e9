#include <algorithm>
#include <set>
#include <stdexcept>

#include "check.hpp"
#include "setrograde/endings/mining/mining.hpp"

using namespace setrograde;

namespace {

const ShareCheck GO_ON = [](double) { return false; };

Wanted wanting(Property property) {
    Wanted wanted;
    wanted.property = property;
    return wanted;
}

LayoutHistogram sum(const std::vector<MinedCount>& counts, bool endings) {
    LayoutHistogram total{};
    for (const MinedCount& count : counts)
        for (std::size_t v = 0; v < total.size(); ++v) total[v] += (endings ? count.endings : count.layouts)[v];
    return total;
}

// As found by plain enumeration in Python (tests/oracle/mining.py).
void counts_of_eight_cards() {
    const std::array<LayoutHistogram, PROPERTIES> expected{
        {{87062, 100}, {71219, 14757, 1186}, {86500, 662}, {86500, 662}, {87162}}};
    for (std::size_t p = 0; p < PROPERTIES; ++p) {
        const Mine mine(ShapeIndex(2).shapes(), wanting(static_cast<Property>(p)), {}, 2, GO_ON);
        const auto counts = mine.count(0, mine.shapes(), 2, GO_ON);
        CHECK(sum(counts, true) == expected[p]);
        std::uint64_t layouts = 0;
        for (const std::uint64_t number : sum(counts, false)) layouts += number;
        CHECK(layouts == 87921);
    }
}

void layouts_are_found_by_number() {
    const std::vector<Shape> shapes = ShapeIndex(2).shapes();
    const Mine mine(shapes, wanting(Property::ONLY_CARD), {}, 1, GO_ON);
    const auto counts = mine.count(0, shapes.size(), 1, GO_ON);
    for (std::size_t i = 0; i < shapes.size(); i += 97) {
        const std::uint64_t many = counts[i].layouts[1] + counts[i].layouts[2];
        std::vector<std::uint64_t> numbers;
        for (std::uint64_t n = 0; n < many; ++n) numbers.push_back(n);
        const std::vector<Layout> found = mine.find(i, numbers, 1);
        CHECK(std::set<Layout>(found.begin(), found.end()).size() == many);
        for (const Layout& layout : found)
            for (std::size_t suit = 0; suit < 4; ++suit)
                for (int player = 0; player < PLAYERS; ++player)
                    CHECK(std::count(layout[suit].begin(), layout[suit].end(), player) ==
                          held(shapes[i].suits[suit], player));
        bool refused = false;
        try {
            mine.find(i, {many}, 1);
        } catch (const std::invalid_argument&) {
            refused = true;
        }
        CHECK(refused);
    }
}

void leads_are_compared() {
    // One suit: the leader has the ace and a low card, others may have the rest.
    SuitMasks masks;
    masks[3] = {1, 14, 14, 14, 14, 14, 14, 1};
    PerSeat<PerSuit<std::uint8_t>> least{}, most{};
    for (auto& lengths : most) lengths.fill(13);
    const std::vector<Shape> shapes = shapes_of_masks(masks, false, least, most);
    CHECK(shapes.size() == 1);
    const LeadComparison found = compare_leads(shapes, masks, {{3, true, 8}, {3, true, 5}, {3, true, 1}}, 2, GO_ON);
    CHECK(found.layouts == 90);
    CHECK(found.leads[0].tricks[0] == 0 && found.leads[0].tricks[7] == 0);
    CHECK(found.leads[1].tricks[7] == 90);  // never his
    std::uint64_t best = 0;
    for (const std::size_t lead : {0, 2}) best = std::max(best, found.leads[lead].cost[0]);
    CHECK(best > 0 && best <= 90);
}

void work_can_be_stopped() {
    int asked = 0;
    bool stopped = false;
    try {
        const Mine mine(ShapeIndex(3).shapes(), wanting(Property::LEAD_COSTS), {}, 2,
                        [&](double) { return ++asked > 3; });
    } catch (const Stopped&) {
        stopped = true;
    }
    CHECK(stopped);
}

}  // namespace

int main() {
    counts_of_eight_cards();
    layouts_are_found_by_number();
    leads_are_compared();
    work_can_be_stopped();
}

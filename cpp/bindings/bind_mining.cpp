#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include "convert.hpp"
#include "setrograde/endings/mining/property_check.hpp"

namespace nb = nanobind;
using namespace setrograde;
using namespace nb::literals;

namespace {

// A row is four splits and 1 for trumps, 0 for none.
using ManyShapes = nb::ndarray<const std::uint16_t, nb::shape<-1, 5>, nb::c_contig, nb::device::cpu>;
using OutCounts = nb::ndarray<std::uint64_t, nb::shape<-1, 8>, nb::c_contig, nb::device::cpu>;
using Lengths = PerSeat<PerSuit<std::uint8_t>>;
using MaskBytes = std::array<nb::bytes, 4>;

using ShareListener = Listener<double>;

std::vector<Shape> shapes_of(const ManyShapes& rows) {
    std::vector<Shape> shapes(rows.shape(0));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        const std::uint16_t* row = rows.data() + 5 * i;
        unsigned sum = 0;
        for (std::size_t suit = 0; suit < 4; ++suit) {
            shapes[i].suits[suit] = row[suit];
            sum += row[suit];
            if (length(row[suit]) > LONGEST_SUIT) throw nb::value_error("more than 13 cards of a suit");
        }
        shapes[i].has_trumps = row[4] != 0;
        const int tricks = shapes[i].tricks();
        if (tricks < 1 || tricks > MAX_MINED_TRICKS || sum != 0x1111u * static_cast<unsigned>(tricks) ||
            tricks != shapes[0].tricks() || (row[4] && !row[3]))
            throw nb::value_error("not a shape");
    }
    return shapes;
}

SuitMasks masks_of(const MaskBytes& bytes) {
    SuitMasks masks;
    std::size_t cards = 0;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(bytes[suit].c_str());
        masks[suit].assign(from, from + bytes[suit].size());
        cards += masks[suit].size();
        if (masks[suit].size() > LONGEST_SUIT ||
            std::any_of(masks[suit].begin(), masks[suit].end(), [](auto mask) { return mask > 15; }))
            throw nb::value_error("not masks of a suit");
    }
    if (cards % 4 || cards == 0 || cards > 4 * MAX_MINED_TRICKS) throw nb::value_error("not a number of cards");
    return masks;
}

void check_lengths(const std::vector<Shape>& shapes, const SuitMasks& masks) {
    for (const Shape& shape : shapes)
        for (std::size_t suit = 0; suit < 4; ++suit)
            if (static_cast<std::size_t>(length(shape.suits[suit])) != masks[suit].size())
                throw nb::value_error("shapes with other suits than the masks");
}

nb::bytes shape_rows(const std::vector<Shape>& shapes) {
    std::vector<std::uint16_t> rows;
    rows.reserve(5 * shapes.size());
    for (const Shape& shape : shapes) {
        rows.insert(rows.end(), shape.suits.begin(), shape.suits.end());
        rows.push_back(shape.has_trumps);
    }
    return nb::bytes(rows.data(), rows.size() * sizeof(rows[0]));
}

void make_mine(Mine* self, const ManyShapes& rows, const std::array<int, 5>& wanted,
               const std::optional<MaskBytes>& mask_bytes, std::size_t threads, const ShareListener& progress,
               const StopFlag* stop) {
    if (wanted[0] < 0 || wanted[0] > PROPERTIES) throw nb::value_error("no such property");
    std::vector<Shape> shapes = shapes_of(rows);
    std::optional<SuitMasks> masks;
    if (mask_bytes) {
        masks = masks_of(*mask_bytes);
        check_lengths(shapes, *masks);
    }
    const Wanted want{.property = static_cast<Property>(wanted[0]),
                      .least_cost = std::max(wanted[1], 1),
                      .tricks = wanted[2],
                      .least_choices = wanted[3],
                      .most_holding = wanted[4]};
    run_stoppable([&] {
        return new (self) Mine(std::move(shapes), want, std::move(masks), threads, python_check(stop, progress));
    });
}

void count_mine(const Mine& mine, std::size_t from, const OutCounts& layouts, const OutCounts& endings,
                std::size_t threads, const ShareListener& progress, const StopFlag* stop) {
    const std::size_t size = layouts.shape(0);
    if (endings.shape(0) != size || from > mine.shapes() || size > mine.shapes() - from)
        throw nb::value_error("arrays of other lengths");
    const std::vector<MinedCount> found =
        run_stoppable([&] { return mine.count(from, from + size, threads, python_check(stop, progress)); });
    for (std::size_t i = 0; i < size; ++i) {
        std::copy(found[i].layouts.begin(), found[i].layouts.end(), layouts.data() + 8 * i);
        std::copy(found[i].endings.begin(), found[i].endings.end(), endings.data() + 8 * i);
    }
}

std::vector<std::array<nb::bytes, 4>> find_in_mine(const Mine& mine, std::size_t shape,
                                                   const std::vector<std::uint64_t>& numbers, int cost,
                                                   const StopFlag* stop) {
    if (shape >= mine.shapes() || cost < 1 || cost > MAX_MINED_TRICKS) throw nb::value_error("no such shape or cost");
    const std::vector<Layout> found =
        run_stoppable([&] { return mine.find(shape, numbers, cost, python_check(stop)); });
    const auto as_bytes = [](const std::vector<std::uint8_t>& owners) {
        return nb::bytes(owners.data(), owners.size());
    };
    std::vector<std::array<nb::bytes, 4>> result;
    for (const Layout& layout : found)
        result.push_back({as_bytes(layout[0]), as_bytes(layout[1]), as_bytes(layout[2]), as_bytes(layout[3])});
    return result;
}

using TwoHistograms = std::pair<LayoutHistogram, LayoutHistogram>;

std::pair<std::uint64_t, std::vector<TwoHistograms>> compare(const ManyShapes& rows, const MaskBytes& mask_bytes,
                                                             const std::vector<std::pair<int, int>>& cards,
                                                             std::size_t threads, const ShareListener& progress,
                                                             const StopFlag* stop) {
    const std::vector<Shape> shapes = shapes_of(rows);
    const SuitMasks masks = masks_of(mask_bytes);
    check_lengths(shapes, masks);
    std::vector<Lead> leads;
    for (const auto& [suit, unread] : cards) {
        if (suit < 0 || suit > 3 || unread < 1 ||
            unread > static_cast<int>(masks[static_cast<std::size_t>(suit)].size()))
            throw nb::value_error("no such card");
        leads.push_back({suit, true, unread});
    }
    const LeadComparison found =
        run_stoppable([&] { return compare_leads(shapes, masks, leads, threads, python_check(stop, progress)); });
    std::vector<TwoHistograms> counts;
    for (const CardCount& count : found.leads) counts.emplace_back(count.tricks, count.cost);
    return {found.layouts, counts};
}

PlainCounts check_plainly(const ManyShapes& rows, const DiagramLevel& level, const DiagramLevel* below,
                          std::size_t threads, const ShareListener& progress, const StopFlag* stop) {
    const std::vector<Shape> shapes = shapes_of(rows);
    const int tricks = level.tricks();
    for (const Shape& shape : shapes)
        if (shape.tricks() != tricks || canonical(shape).shape != shape)
            throw nb::value_error("not canonical shapes of this level");
    if ((below ? below->tricks() : 0) != tricks - 1) throw nb::value_error("not the level below");
    return run_stoppable([&] { return count_plainly(shapes, level, below, threads, python_check(stop, progress)); });
}

}  // namespace

void bind_mining(nb::module_& module) {
    module.def(
        "list_shapes",
        [](int tricks, bool for_sharing, const StopFlag* stop) {
            if (tricks < 1 || tricks > MAX_MINED_TRICKS) throw nb::value_error("tricks out of range");
            return shape_rows(run_stoppable([&] {
                const StopCheck check = python_check(stop);
                std::vector<Shape> shapes = ShapeIndex(tricks).shapes(check);
                if (for_sharing) sort_for_sharing(shapes, check);
                return shapes;
            }));
        },
        "tricks"_a, "for_sharing"_a = false, "stop"_a = nb::none(),
        "All canonical shapes, each four splits and 1 for trumps, as words of 16 bits: in the order of their numbers, "
        "or so that neighbours share most work.");
    module.def(
        "shapes_of_masks",
        [](const MaskBytes& masks, bool has_trumps, const Lengths& least, const Lengths& most) {
            return shape_rows(shapes_of_masks(masks_of(masks), has_trumps, least, most));
        },
        "masks"_a, "has_trumps"_a, "least"_a, "most"_a,
        "The shapes of a set, in the form of `list_shapes`; suits as the masks have them.");
    nb::class_<Mine>(module, "Mine", "All endings of some shapes that have a property.")
        .def("__init__", &make_mine, "shapes"_a, "wanted"_a, "masks"_a.none(), "threads"_a, "progress"_a = nb::none(),
             "stop"_a = nb::none(),
             "`wanted`: property, least cost, tricks or -1, least choices, most cards that hold.")
        .def_prop_ro("shapes", &Mine::shapes)
        .def("count", &count_mine, "first"_a, "layouts"_a, "endings"_a, "threads"_a, "progress"_a = nb::none(),
             "stop"_a = nb::none(),
             "Fills a row of each array, by tricks at stake, for as many shapes as they have rows.")
        .def("find", &find_in_mine, "shape"_a, "numbers"_a, "cost"_a, "stop"_a = nb::none(),
             "Owners of the cards of each suit, highest first, for layouts with so much at stake, by number.");
    module.def(
        "compare_leads", &compare, "shapes"_a, "masks"_a, "cards"_a, "threads"_a, "progress"_a = nb::none(),
        "stop"_a = nb::none(),
        "All layouts; and for each card, given as suit and cards from it down, layouts by tricks of the leader's "
        "side, and by what it costs: in the last place those where he has not got it.");
    module.def("count_plainly", &check_plainly, "shapes"_a, "level"_a, "below"_a.none(), "threads"_a,
               "progress"_a = nb::none(), "stop"_a = nb::none(),
               "Endings of canonical shapes by tricks at stake, for each property, by enumeration.");
}

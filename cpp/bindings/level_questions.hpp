// What a stored level is asked, the same for a level in one file and for one in shards.
#pragma once

#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <algorithm>

#include "convert.hpp"
#include "setrograde/endings/queries/set_query.hpp"

namespace setrograde {

namespace nb = nanobind;
using namespace nb::literals;

using Hands = PerSeat<CardSet>;
using ManyHands = nb::ndarray<const CardSet, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using ManyBytes = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using OutBytes = nb::ndarray<std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Lengths = PerSeat<PerSuit<std::uint8_t>>;

inline std::uint8_t checked_value(std::uint8_t value) {
    if (value == BAD_POSITION) throw nb::value_error("not a position of this level");
    return value;
}

// The number of the first bad position, or the number of positions if all are good.
template <class Level>
std::size_t probe_many(const Level& level, const ManyHands& hands, const ManyBytes& strains, const ManyBytes& leaders,
                       const OutBytes& out) {
    const std::size_t size = hands.shape(0);
    if (strains.shape(0) != size || leaders.shape(0) != size || out.shape(0) != size)
        throw nb::value_error("arrays of different lengths");
    static_assert(sizeof(Hands) == 4 * sizeof(CardSet));
    const nb::gil_scoped_release released;
    level.values({reinterpret_cast<const Hands*>(hands.data()), size}, {strains.data(), size}, {leaders.data(), size},
                 {out.data(), size});
    const std::uint8_t* end = out.data() + size;
    return static_cast<std::size_t>(std::find(out.data(), const_cast<std::uint8_t*>(end), BAD_POSITION) - out.data());
}

template <class Level>
std::pair<std::vector<std::uint64_t>, std::size_t> ask(const Level& level, const std::array<nb::bytes, 4>& masks,
                                                       int strain, const Lengths& least, const Lengths& most,
                                                       const StopFlag* stop) {
    DealSet set;
    for (std::size_t suit = 0; suit < 4; ++suit) {
        const auto* from = reinterpret_cast<const std::uint8_t*>(masks[suit].c_str());
        set.masks[suit].assign(from, from + masks[suit].size());
    }
    set.strain = strain;
    set.least = least;
    set.most = most;
    if (!is_set_of(set, level.tricks())) throw nb::value_error("not a set of this level");
    const SetAnswer answer = run_stoppable([&] { return query(level, set, python_check(stop)); });
    return {{answer.deals.begin(), answer.deals.begin() + level.tricks() + 1}, answer.shapes};
}

template <class Level>
void def_questions(nb::class_<Level>& bound) {
    bound
        .def(
            "value",
            [](const Level& level, const Hands& hands, int strain, int leader) {
                return checked_value(level.value(hands, strain, leader));
            },
            "hands"_a, "strain"_a, "leader"_a, "Tricks of the leader's side.")
        .def("values", &probe_many<Level>, "hands"_a, "strains"_a, "leaders"_a, "out"_a,
             "Fills `out`; the number of the first bad position, or their number if all are good.")
        .def(
            "path",
            [](const Level& level, const Hands& hands, int strain, int leader) {
                checked_value(level.value(hands, strain, leader));
                std::vector<std::tuple<int, int, int, unsigned>> path;
                for (const Asked& asked : level.path(hands, strain, leader))
                    path.emplace_back(asked.suit, asked.unread, asked.owner, asked.same);
                return path;
            },
            "hands"_a, "strain"_a, "leader"_a,
            "Cards asked about: suit, cards from it down, owner, and owners who lead to the same place.")
        .def(
            "values_of_shape",
            [](const Level& level, std::size_t rank) {
                if (rank >= level.index().size()) throw nb::value_error("no such shape");
                std::vector<std::uint8_t> values;
                {
                    const nb::gil_scoped_release released;
                    values = level.values_of_shape(rank);
                }
                return nb::bytes(values.data(), values.size());
            },
            "rank"_a)
        .def("query", &ask<Level>, "masks"_a, "strain"_a, "least"_a, "most"_a, "stop"_a = nb::none(),
             "Deals by tricks of the leader's side, and the number of shapes.");
}

}  // namespace setrograde

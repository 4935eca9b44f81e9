#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "convert.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/play/layout_classes.hpp"
#include "setrograde/play/strategy_search.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Worlds = nb::ndarray<const std::uint64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Weights = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Facts = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using FactRow = nb::ndarray<nb::numpy, std::uint8_t, nb::ndim<1>>;

// An array of numpy that owns the values.
template <class T>
nb::ndarray<nb::numpy, T, nb::ndim<1>> to_array(std::vector<T> values) {
    auto* kept = new std::vector<T>(std::move(values));
    const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
    return {kept->data(), {kept->size()}, owner};
}

template <class Array>
auto to_vector(const Array& array) {
    return std::vector(array.data(), array.data() + array.size());
}

// Outcomes behind a lock, so that calls from several Python threads queue up.
class OutcomesHandle {
public:
    OutcomesHandle(std::size_t limit_bytes, Endings endings) : limit_bytes_(limit_bytes) { make(std::move(endings)); }

    template <class Work>
    auto run(const StopFlag* stop, Work work) {
        const StopCheck should_stop = python_check(stop);
        return run_stoppable([&] {
            const auto lock = lock_unless_stopped(mutex_, should_stop);
            if (should_stop()) throw Stopped{};
            should_stop_ = &should_stop;
            return work(*outcomes_, should_stop);
        });
    }

    void use_endings(const Endings& endings, const StopFlag* stop) {
        run(stop, [&](Outcomes&, const StopCheck&) { make(endings); });
    }

private:
    void make(Endings endings) {
        outcomes_ = std::make_unique<Outcomes>(limit_bytes_, [this] { return (*should_stop_)(); }, std::move(endings));
    }

    const std::size_t limit_bytes_;
    std::timed_mutex mutex_;
    const StopCheck* should_stop_ = nullptr;  // of the call that holds the lock
    std::unique_ptr<Outcomes> outcomes_;
};

// Hands by seat, hidden seats, roles by seat, strain, leader, trick, hidden cards.
using State = std::tuple<PerSeat<CardSet>, std::pair<int, int>, PerSeat<int>, int, int, std::vector<int>, CardSet>;

PlayProblem to_play(const State& state, const Worlds& worlds) {
    const auto& [seen, hidden_seats, roles, strain, leader, trick, hidden] = state;
    PlayProblem play{.seen = seen,
                     .hidden_seats = {{hidden_seats.first, hidden_seats.second}},
                     .strain = strain,
                     .leader = leader,
                     .trick = trick,
                     .hidden = hidden,
                     .worlds = to_vector(worlds)};
    for (int seat = 0; seat < SEATS; ++seat) play.roles[seat] = static_cast<Role>(roles[seat]);
    return play;
}

template <class Problem>
void refuse_if_wrong(const Problem& problem) {
    if (const char* wrong = check(problem)) throw nb::value_error(wrong);
}

std::vector<Position> positions_of(const PlayProblem& play) {
    std::vector<Position> positions;
    for (const CardSet world : play.worlds) {
        Position position{.hands = play.seen, .strain = play.strain, .leader = play.leader};
        position.hands[play.hidden_seats[0]] = world;
        position.hands[play.hidden_seats[1]] = play.hidden & ~world;
        for (const Place card : play.trick) position.trick[position.trick_size++] = card;
        positions.push_back(position);
    }
    return positions;
}

using Candidate = std::tuple<int, double, double, bool, FactRow>;

using AnswerDict = nb::typed<nb::dict, nb::str, nb::any>;

AnswerDict to_dict(StrategyAnswer answer) {
    std::vector<Candidate> candidates;
    for (CandidateValue& c : answer.candidates)
        candidates.emplace_back(c.card, c.value, c.double_dummy, c.is_bound, to_array(std::move(c.vector)));
    nb::dict d;
    d["candidates"] = nb::cast(std::move(candidates));
    d["value"] = answer.value;
    d["double_dummy"] = answer.double_dummy;
    d["vector"] = to_array(std::move(answer.vector));
    d["depth"] = answer.depth;
    d["is_limited"] = answer.is_limited;
    d["is_complete"] = answer.is_complete;
    d["nodes"] = answer.nodes;
    d["asks"] = answer.asks;
    d["work"] = answer.work;
    return AnswerDict(d);
}

void bind_classes(nb::module_& module) {
    module.def(
        "find_layout_classes",
        [](CardSet hidden, CardSet others, int length, CardSet held, CardSet denied, const PerSuit<int>& shortest,
           const PerSuit<int>& longest, int grouping, int small, std::uint64_t seed, std::size_t limit) {
            const LayoutProblem problem{
                hidden, others, length, held, denied, shortest, longest, static_cast<Grouping>(grouping), small, seed};
            auto found = find_layout_classes(problem, limit);
            using Found = std::tuple<std::vector<CardSet>, nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>,
                                     nb::ndarray<nb::numpy, std::uint64_t, nb::ndim<1>>>;
            if (!found) return std::optional<Found>{};
            return std::optional<Found>(std::in_place, std::move(found->groups), to_array(std::move(found->layouts)),
                                        to_array(std::move(found->weights)));
        },
        nb::arg("hidden"), nb::arg("others"), nb::arg("length"), nb::arg("held"), nb::arg("denied"),
        nb::arg("shortest"), nb::arg("longest"), nb::arg("grouping"), nb::arg("small"), nb::arg("seed"),
        nb::arg("limit"), "Groups of cards, one layout of each class, and weights; none if there are too many.");
}

}  // namespace

void bind_strategy(nb::module_& module) {
    bind_classes(module);
    nb::class_<OutcomesHandle>(module, "StrategySearch", "Context for strategy search; see setrograde.solve.strategy.")
        .def(
            "__init__",
            [](OutcomesHandle* self, std::size_t limit_bytes, const std::shared_ptr<ThresholdLevel>& endings) {
                new (self) OutcomesHandle(limit_bytes, endings);
            },
            nb::arg("limit_bytes"), nb::arg("endings") = nb::none())
        .def(
            "use_endings",
            [](OutcomesHandle& self, const Endings& endings, const StopFlag* stop) { self.use_endings(endings, stop); },
            nb::arg("endings").none(), nb::arg("stop") = nb::none())
        .def(
            "reset",
            [](OutcomesHandle& self, const StopFlag* stop) {
                self.run(stop, [](Outcomes& outcomes, const StopCheck&) { outcomes.reset(); });
            },
            nb::arg("stop") = nb::none(), "Forgets what was learned.")
        .def(
            "outcomes",
            [](OutcomesHandle& self, const State& state, const Worlds& worlds, int need, const StopFlag* stop) {
                const PlayProblem play = to_play(state, worlds);
                refuse_if_wrong(play);
                const std::vector<Position> positions = positions_of(play);
                std::vector<std::uint8_t> answers(positions.size());
                self.run(stop,
                         [&](Outcomes& outcomes, const StopCheck&) { outcomes.ask_all(positions, need, answers); });
                return to_array(std::move(answers));
            },
            nb::arg("state"), nb::arg("worlds"), nb::arg("need"), nb::arg("stop") = nb::none(),
            "For each world a one if North-South take `need` of the tricks left double dummy.")
        .def(
            "search",
            [](OutcomesHandle& self, const State& state, const Worlds& worlds, const std::optional<Weights>& weights,
               const std::vector<std::pair<int, double>>& steps, const std::optional<Facts>& plan, int depth,
               bool has_labels, int small, unsigned cuts, bool breaks_ties, bool searches_forced_cards,
               std::uint64_t work_limit, double seconds, const StopFlag* stop) {
                StrategyProblem problem{.play = to_play(state, worlds), .weights = {}, .steps = {}, .plan = {}};
                if (weights) problem.weights = to_vector(*weights);
                if (plan) problem.plan = to_vector(*plan);
                for (const auto& [need, worth] : steps) problem.steps.push_back({need, worth});
                problem.depth = depth;
                problem.has_labels = has_labels;
                problem.small = small;
                problem.cuts = cuts;
                problem.breaks_ties = breaks_ties;
                problem.searches_forced_cards = searches_forced_cards;
                problem.work_limit = work_limit;
                problem.seconds = seconds;
                refuse_if_wrong(problem);
                return to_dict(self.run(stop, [&](Outcomes& outcomes, const StopCheck& should_stop) {
                    return search_strategy(problem, outcomes, should_stop);
                }));
            },
            nb::arg("state"), nb::arg("worlds"), nb::arg("weights").none(), nb::arg("steps"), nb::arg("plan").none(),
            nb::arg("depth"), nb::arg("has_labels"), nb::arg("small"), nb::arg("cuts"), nb::arg("breaks_ties"),
            nb::arg("searches_forced_cards"), nb::arg("work_limit"), nb::arg("seconds"), nb::arg("stop") = nb::none(),
            "The candidates and the value of the best strategy.");
}

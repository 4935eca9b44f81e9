#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include <atomic>
#include <mutex>

#include "convert.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/search/ending_check.hpp"
#include "setrograde/search/solver.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

using Hands = PerSeat<CardSet>;
using Trick = std::vector<int>;

// What may end one call: its own flag, and a `cancel` after the call was made.
struct Call {
    const StopFlag* stop;
    std::optional<std::uint64_t> since;  // how often the solver had been cancelled then; now, if none
};

// A solver behind a lock, so that calls from several Python threads queue up.
class SolverHandle {
public:
    SolverHandle(std::size_t limit_bytes, unsigned techniques, Endings endings)
        : limit_bytes_(limit_bytes), techniques_(techniques), solver_(make(std::move(endings))) {}

    void cancel() { ++cancels_; }
    std::uint64_t cancels() const { return cancels_; }

    // Runs without the GIL; a search that fails or is stopped leaves an empty table behind.
    template <class Work>
    auto run(const Call& call, Work work) {
        const std::uint64_t cancels = call.since.value_or(cancels_);
        const StopCheck should_stop = [&, check = python_check(call.stop)] {
            return cancels_.load(std::memory_order_relaxed) != cancels || check();
        };
        return run_stoppable([&] {
            const auto lock = lock_unless_stopped(mutex_, should_stop);
            if (should_stop()) throw Stopped{};
            should_stop_ = &should_stop;
            try {
                return work(*solver_);
            } catch (...) {
                solver_->reset();
                throw;
            }
        });
    }

    // From now on with this database, or without one.
    void use_endings(const Endings& endings, const Call& call) {
        run(call, [&](const Solver&) { solver_ = make(endings); });
    }

private:
    std::unique_ptr<Solver> make(Endings endings) const {
        return std::make_unique<Solver>(
            limit_bytes_, techniques_, [this] { return (*should_stop_)(); }, std::move(endings));
    }

    const std::size_t limit_bytes_;
    const unsigned techniques_;
    std::atomic<std::uint64_t> cancels_{0};
    std::timed_mutex mutex_;
    const StopCheck* should_stop_ = nullptr;  // of the call that holds the lock
    std::unique_ptr<Solver> solver_;
};

void check_full(const Hands& hands) { make_position(hands, NOTRUMP, NORTH, {}); }

using Counters = nb::typed<nb::dict, nb::str, nb::int_>;

Counters to_dict(const Statistics& s) {
    nb::dict d;
    d["nodes"] = s.nodes;
    d["tricks"] = s.tricks;
    d["lookups"] = s.lookups;
    d["hits"] = s.hits;
    d["stores"] = s.stores;
    d["named_cards"] = s.named_cards;
    d["quick"] = s.quick;
    d["slow"] = s.slow;
    d["probes"] = s.probes;
    d["leads_cut"] = s.leads_cut;
    d["leads_cut_first"] = s.leads_cut_first;
    d["collections"] = s.collections;
    d["table_bytes"] = s.table_bytes;
    return Counters(d);
}

void bind_threshold_level(nb::module_& module) {
    nb::class_<ThresholdLevel>(module, "ThresholdLevel", "A level of endings made for the search, mapped.")
        .def(
            "__init__",
            [](ThresholdLevel* self, const std::string& path) {
                const nb::gil_scoped_release released;
                new (self) ThresholdLevel(path);
            },
            nb::arg("path"))
        .def_prop_ro("tricks", &ThresholdLevel::tricks)
        .def_prop_ro("nodes", &ThresholdLevel::nodes)
        .def_prop_ro("file_bytes", [](const ThresholdLevel& level) { return level.file().file_bytes(); })
        .def(
            "check",
            [](const ThresholdLevel& level, const StopFlag* stop) {
                run_stoppable([&] { level.file().touch_all(python_check(stop)); });
            },
            nb::arg("stop") = nb::none(), "Compares all checksums.")
        .def(
            "check_size", [](const ThresholdLevel& level) { level.file().check_size(); },
            "Raises an error if the file was shortened after it was opened.");

    module.def(
        "write_thresholds",
        [](const DiagramLevel& level, const std::string& path, const StopFlag* stop) {
            run_stoppable([&] { write_thresholds(level, path, python_check(stop)); });
        },
        nb::arg("level"), nb::arg("path"), nb::arg("stop") = nb::none(),
        "Makes the file for the search from a level of diagrams.");

    module.def(
        "check_endings",
        [](const Hands& hands, int strain, int leader, const std::shared_ptr<ThresholdLevel>& endings,
           const DiagramLevel& values, int members, std::uint64_t seed, const StopFlag* stop) {
            const Position position = make_position(hands, strain, leader, {});
            if (endings->tricks() != values.tricks()) throw nb::value_error("levels of different tricks");
            return run_stoppable([&] {
                const EndingCheck check = check_endings(position, endings, values, members, seed, python_check(stop));
                return std::tuple(check.answers, check.members, check.wrong);
            });
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("endings"), nb::arg("values"),
        nb::arg("members"), nb::arg("seed"), nb::arg("stop") = nb::none(),
        "Solves a deal and tries each answer of the database on random members of its set. Returns the "
        "numbers of answers, of members tried and of wrong members.");
}

void bind_solver_class(nb::module_& module) {
    using Since = std::optional<std::uint64_t>;
    nb::class_<SolverHandle>(module, "Solver",
                             "Context for double-dummy questions; see setrograde.solve. A call is stopped by its "
                             "flag `stop`, and by a `cancel` after `since`, the value of `cancels` when the call "
                             "was made (now, by default).")
        .def(
            "__init__",
            [](SolverHandle* self, std::size_t limit_bytes, unsigned techniques,
               const std::shared_ptr<ThresholdLevel>& endings) {
                new (self) SolverHandle(limit_bytes, techniques, endings);
            },
            nb::arg("limit_bytes"), nb::arg("techniques"), nb::arg("endings") = nb::none())
        .def(
            "solve",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const Trick& trick,
               std::optional<int> guess, const StopFlag* stop, Since since) {
                const Position position = make_position(hands, strain, leader, trick);
                return self.run({stop, since}, [&](Solver& solver) {
                    const std::uint64_t before = solver.statistics().nodes;
                    const Value value = solver.solve(position, guess);
                    return std::tuple(value.tricks_ns, value.named, solver.statistics().nodes - before);
                });
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("guess") = nb::none(),
            nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(),
            "North-South's tricks, the cards that mattered, and the number of positions searched.")
        .def(
            "ask",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const Trick& trick, int need,
               const StopFlag* stop, Since since) {
                const Position position = make_position(hands, strain, leader, trick);
                const Answer answer =
                    self.run({stop, since}, [&](Solver& solver) { return solver.ask(position, need); });
                return std::pair(answer.yes, answer.named);
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("need"),
            nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(),
            "Whether North-South take `need` tricks, and the cards that mattered.")
        .def(
            "solve_cards",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const Trick& trick, const StopFlag* stop,
               Since since) {
                const Position position = make_position(hands, strain, leader, trick);
                std::vector<std::pair<int, int>> cards;
                for (const CardValue& value :
                     self.run({stop, since}, [&](Solver& solver) { return solver.solve_cards(position); }))
                    cards.emplace_back(value.card, value.tricks_ns);
                return cards;
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("stop") = nb::none(),
            nb::arg("since") = nb::none(), "Pairs of legal card and North-South's tricks after it.")
        .def(
            "solve_leaders",
            [](SolverHandle& self, const Hands& hands, int strain, const StopFlag* stop, Since since) {
                check_full(hands);
                if (strain < 0 || strain > NOTRUMP) throw nb::value_error("value out of range");
                return self.run({stop, since}, [&](Solver& solver) { return solver.solve_leaders(hands, strain); });
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(),
            "North-South's tricks for leaders N, E, S, W.")
        .def("cancel", &SolverHandle::cancel, "Stops all calls made so far, also those that wait for their turn.")
        .def_prop_ro("cancels", &SolverHandle::cancels, "How often `cancel` was called.")
        .def(
            "use_endings",
            [](SolverHandle& self, const Endings& endings, const StopFlag* stop, Since since) {
                self.use_endings(endings, {stop, since});
            },
            nb::arg("endings").none(), nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(),
            "Goes on with this database of endings or none, with an empty table and counters at zero.")
        .def(
            "reset",
            [](SolverHandle& self, const StopFlag* stop, Since since) {
                self.run({stop, since}, [](Solver& solver) { solver.reset(); });
            },
            nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(), "Forgets the table.")
        .def(
            "statistics",
            [](SolverHandle& self, const StopFlag* stop, Since since) {
                return to_dict(self.run({stop, since}, [](const Solver& solver) { return solver.statistics(); }));
            },
            nb::arg("stop") = nb::none(), nb::arg("since") = nb::none(), "Counters since the solver was made.");
}

void bind_batches(nb::module_& module) {
    module.def(
        "solve_tables",
        [](const std::vector<Hands>& deals, int threads, std::size_t limit_bytes, const Listener<std::size_t>& progress,
           const std::shared_ptr<ThresholdLevel>& endings, const StopFlag* stop) {
            for (const Hands& hands : deals) check_full(hands);
            return run_stoppable(
                [&] { return solve_tables(deals, threads, limit_bytes, python_check(stop, progress), endings); });
        },
        nb::arg("deals"), nb::arg("threads"), nb::arg("limit_bytes"), nb::arg("progress") = nb::none(),
        nb::arg("endings") = nb::none(), nb::arg("stop") = nb::none(),
        "North-South's tricks by deal, strain and leader; `progress` hears the number of finished strains.");
    module.def(
        "solve_many",
        [](const std::vector<std::tuple<Hands, int, int, Trick>>& questions, int threads, std::size_t limit_bytes,
           const Listener<std::size_t>& progress, const std::shared_ptr<ThresholdLevel>& endings,
           const StopFlag* stop) {
            std::vector<Position> positions;
            positions.reserve(questions.size());
            for (const auto& [hands, strain, leader, trick] : questions)
                positions.push_back(make_position(hands, strain, leader, trick));
            return run_stoppable(
                [&] { return solve_many(positions, threads, limit_bytes, python_check(stop, progress), endings); });
        },
        nb::arg("questions"), nb::arg("threads"), nb::arg("limit_bytes"), nb::arg("progress") = nb::none(),
        nb::arg("endings") = nb::none(), nb::arg("stop") = nb::none(), "North-South's tricks of each position.");
}

}  // namespace

void bind_solver(nb::module_& module) {
    bind_threshold_level(module);
    bind_solver_class(module);
    bind_batches(module);
}

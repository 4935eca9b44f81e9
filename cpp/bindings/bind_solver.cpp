#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
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

using Hands = std::array<CardSet, 4>;

// A solver behind a lock, so that calls from several Python threads queue up.
class SolverHandle {
public:
    SolverHandle(std::size_t limit_bytes, unsigned techniques, Endings endings)
        : cancelled_(false),
          solver_(
              limit_bytes, techniques,
              [this, check = signal_check()] { return cancelled_.load(std::memory_order_relaxed) || check(); },
              std::move(endings)) {}

    void cancel() { cancelled_ = true; }

    // Runs without the GIL; a stopped search leaves an empty table behind.
    template <typename Work>
    auto run(Work work) {
        try {
            const nb::gil_scoped_release released;
            const std::lock_guard lock(mutex_);
            cancelled_ = false;  // it was meant for a search before this one
            try {
                return work(solver_);
            } catch (...) {  // stopped, or the database of endings is damaged
                solver_.reset();
                throw;
            }
        } catch (const Stopped&) {
            rethrow_stopped();
        }
    }

private:
    std::atomic<bool> cancelled_;
    std::mutex mutex_;
    Solver solver_;
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

using Progress = std::optional<std::function<void(std::size_t)>>;

// Calls `progress` with the number of finished tasks whenever signals are looked at.
StopCheck watch(const Progress& progress, const std::atomic<std::size_t>& done) {
    return [&progress, &done] {
        const nb::gil_scoped_acquire gil;
        if (PyErr_CheckSignals() != 0) return true;
        if (progress) {
            try {
                (*progress)(done.load());
            } catch (nb::python_error& error) {
                error.restore();
                return true;
            }
        }
        return false;
    };
}

}  // namespace

void bind_solver(nb::module_& module) {
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
            "check", [](const ThresholdLevel& level) { level.file().touch_all(); },
            nb::call_guard<nb::gil_scoped_release>(), "Compares all checksums.");

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
           const DiagramLevel& values, int members, std::uint64_t seed) {
            const Position position = make_position(hands, strain, leader, {});
            if (endings->tricks() != values.tricks()) throw nb::value_error("levels of different tricks");
            try {
                const nb::gil_scoped_release released;
                const EndingCheck check = check_endings(position, endings, values, members, seed, signal_check());
                return std::tuple(check.answers, check.members, check.wrong);
            } catch (const Stopped&) {
                rethrow_stopped();
            }
        },
        nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("endings"), nb::arg("values"),
        nb::arg("members"), nb::arg("seed"),
        "Solves a deal and tries each answer of the database on random members of its set: answers, "
        "members, wrong ones.");

    nb::class_<SolverHandle>(module, "Solver", "Context for double-dummy questions; see setrograde.solve.")
        .def(
            "__init__",
            [](SolverHandle* self, std::size_t limit_bytes, unsigned techniques,
               const std::shared_ptr<ThresholdLevel>& endings) {
                new (self) SolverHandle(limit_bytes, techniques, endings);
            },
            nb::arg("limit_bytes"), nb::arg("techniques"), nb::arg("endings") = nb::none())
        .def(
            "solve",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const std::vector<int>& trick,
               std::optional<int> guess) {
                const Position position = make_position(hands, strain, leader, trick);
                const Value value = self.run([&](Solver& s) { return s.solve(position, guess); });
                return std::pair(value.tricks_ns, value.named);
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("guess") = nb::none(),
            "North-South's tricks and the cards that mattered.")
        .def(
            "ask",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const std::vector<int>& trick,
               int need) {
                const Position position = make_position(hands, strain, leader, trick);
                const Answer answer = self.run([&](Solver& s) { return s.ask(position, need); });
                return std::pair(answer.yes, answer.named);
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"), nb::arg("need"),
            "Whether North-South take `need` tricks, and the cards that mattered.")
        .def(
            "solve_cards",
            [](SolverHandle& self, const Hands& hands, int strain, int leader, const std::vector<int>& trick) {
                const Position position = make_position(hands, strain, leader, trick);
                std::vector<std::pair<int, int>> cards;
                for (const CardValue& value : self.run([&](Solver& s) { return s.solve_cards(position); }))
                    cards.emplace_back(value.card, value.tricks_ns);
                return cards;
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("leader"), nb::arg("trick"),
            "Pairs of legal card and North-South's tricks after it.")
        .def(
            "solve_leaders",
            [](SolverHandle& self, const Hands& hands, int strain) {
                check_full(hands);
                if (strain < 0 || strain > NOTRUMP) throw nb::value_error("value out of range");
                return self.run([&](Solver& s) { return s.solve_leaders(hands, strain); });
            },
            nb::arg("hands"), nb::arg("strain"), "North-South's tricks for leaders N, E, S, W.")
        .def("cancel", &SolverHandle::cancel, "Stops the search under way in another thread.")
        .def(
            "reset",
            [](SolverHandle& self) {
                self.run([](Solver& s) {
                    s.reset();
                    return 0;
                });
            },
            "Forgets the table.")
        .def(
            "statistics",
            [](SolverHandle& self) { return to_dict(self.run([](Solver& s) { return s.statistics(); })); },
            "Counters since the solver was made.");

    module.def(
        "solve_tables",
        [](const std::vector<Hands>& deals, int threads, std::size_t limit_bytes, const Progress& progress,
           const std::shared_ptr<ThresholdLevel>& endings) {
            for (const Hands& hands : deals) check_full(hands);
            std::atomic<std::size_t> done{0};
            const StopCheck stop = watch(progress, done);
            try {
                const nb::gil_scoped_release released;
                return solve_tables(deals, threads, limit_bytes, stop, done, endings);
            } catch (const Stopped&) {
                rethrow_stopped();
            }
        },
        nb::arg("deals"), nb::arg("threads"), nb::arg("limit_bytes"), nb::arg("progress") = nb::none(),
        nb::arg("endings") = nb::none(),
        "North-South's tricks by deal, strain and leader; `progress` gets finished strains.");
    module.def(
        "solve_many",
        [](const std::vector<std::tuple<Hands, int, int, std::vector<int>>>& questions, int threads,
           std::size_t limit_bytes, const Progress& progress, const std::shared_ptr<ThresholdLevel>& endings) {
            std::vector<Position> positions;
            positions.reserve(questions.size());
            for (const auto& [hands, strain, leader, trick] : questions)
                positions.push_back(make_position(hands, strain, leader, trick));
            std::atomic<std::size_t> done{0};
            const StopCheck stop = watch(progress, done);
            try {
                const nb::gil_scoped_release released;
                return solve_many(positions, threads, limit_bytes, stop, done, endings);
            } catch (const Stopped&) {
                rethrow_stopped();
            }
        },
        nb::arg("questions"), nb::arg("threads"), nb::arg("limit_bytes"), nb::arg("progress") = nb::none(),
        nb::arg("endings") = nb::none(), "North-South's tricks of each position.");
}

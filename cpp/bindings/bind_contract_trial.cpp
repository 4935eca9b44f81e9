#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <mutex>

#include "convert.hpp"
#include "setrograde/endings/levels/threshold_level.hpp"
#include "setrograde/play/contract_trial.hpp"

namespace nb = nanobind;
using namespace setrograde;

namespace {

// A context behind a lock, so that calls from several Python threads queue up.
class TrialHandle {
public:
    TrialHandle(std::size_t limit_bytes, const Endings& endings)
        : context_(limit_bytes, [this] { return (*should_stop_)(); }, endings) {}

    template <class Work>
    auto run(const StopFlag* stop, Work work) {
        const StopCheck should_stop = python_check(stop);
        return run_stoppable([&] {
            const auto lock = lock_unless_stopped(mutex_, should_stop);
            if (should_stop()) throw Stopped{};
            should_stop_ = &should_stop;
            return work(context_, should_stop);
        });
    }

private:
    std::timed_mutex mutex_;
    const StopCheck* should_stop_ = nullptr;  // of the call that holds the lock
    TrialContext context_;
};

void refuse(bool is_wrong, const char* why) {
    if (is_wrong) throw nb::value_error(why);
}

}  // namespace

void bind_contract_trial(nb::module_& module) {
    nb::class_<TrialHandle>(module, "ContractTrials", "Contracts played out, to compare declarers.")
        .def(
            "__init__",
            [](TrialHandle* self, std::size_t limit_bytes, const std::shared_ptr<ThresholdLevel>& endings) {
                new (self) TrialHandle(limit_bytes, endings);
            },
            nb::arg("limit_bytes"), nb::arg("endings") = nb::none())
        .def(
            "reset",
            [](TrialHandle& self, const StopFlag* stop) {
                self.run(stop, [](TrialContext& context, const StopCheck&) { context.reset(); });
            },
            nb::arg("stop") = nb::none(), "Forgets what was learned.")
        .def(
            "play",
            [](TrialHandle& self, const PerSeat<CardSet>& hands, int strain, int need, int defence, double error_share,
               int defence_worlds, std::tuple<int, int, int, int> promise, std::uint64_t seed, int worlds, int depth,
               bool has_labels, bool keeps_plan, int class_limit, double double_dummy_share, std::uint64_t work_limit,
               const StopFlag* stop) {
                CardSet all = 0;
                for (const CardSet hand : hands) {
                    refuse(count(hand) != 13, "a hand without 13 cards");
                    all |= hand;
                }
                refuse(all != ALL_CARDS, "hands that do not make up the pack");
                refuse(strain < 0 || strain > NOTRUMP || defence < 0 || defence > 2, "value out of range");
                refuse(worlds < 1 || worlds > 4096 || class_limit > 4096 || defence_worlds < 1 || depth < 1,
                       "worlds or depth out of range");
                const auto [least, most, shortest, major] = promise;
                const ContractTrial trial{hands,
                                          strain,
                                          need,
                                          static_cast<Defence>(defence),
                                          error_share,
                                          defence_worlds,
                                          {least, most, shortest, major},
                                          seed};
                const DeclarerStyle style{worlds,    depth, has_labels, keeps_plan, class_limit, double_dummy_share,
                                          work_limit};
                const TrialResult result = self.run(stop, [&](TrialContext& context, const StopCheck& should_stop) {
                    return play_contract(trial, style, context, should_stop);
                });
                return std::tuple(result.is_made, result.choices, result.seconds, result.longest);
            },
            nb::arg("hands"), nb::arg("strain"), nb::arg("need"), nb::arg("defence"), nb::arg("error_share"),
            nb::arg("defence_worlds"), nb::arg("promise"), nb::arg("seed"), nb::kw_only(), nb::arg("worlds"),
            nb::arg("depth"), nb::arg("has_labels"), nb::arg("keeps_plan"), nb::arg("class_limit"),
            nb::arg("double_dummy_share"), nb::arg("work_limit"), nb::arg("stop") = nb::none(),
            "Whether the contract was made, cards searched, seconds, and those of the longest.");
}

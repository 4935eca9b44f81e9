// The Python module `setrograde._core`: one bind_<concept> function each, thin.
#include <nanobind/nanobind.h>

namespace nb = nanobind;

void bind_amazons(nb::module_& module);
void bind_columns(nb::module_& module);
void bind_contract_trial(nb::module_& module);
void bind_deals(nb::module_& module);
void bind_diagrams(nb::module_& module);
void bind_ending_sets(nb::module_& module);
void bind_forest(nb::module_& module);
void bind_mining(nb::module_& module);
void bind_odds(nb::module_& module);
void bind_position(nb::module_& module);
void bind_shards(nb::module_& module);
void bind_solver(nb::module_& module);
void bind_state_tables(nb::module_& module);
void bind_stop(nb::module_& module);
void bind_strategy(nb::module_& module);
void bind_suit_play(nb::module_& module);

NB_MODULE(_core, module) {
    module.doc() = "Native core of setrograde; use the packages above it instead.";
    bind_stop(module);  // others have flags as arguments
    bind_amazons(module);
    bind_columns(module);
    bind_contract_trial(module);
    bind_deals(module);
    bind_diagrams(module);
    bind_ending_sets(module);
    bind_forest(module);
    bind_mining(module);
    bind_odds(module);
    bind_position(module);
    bind_shards(module);
    bind_solver(module);
    bind_state_tables(module);
    bind_strategy(module);
    bind_suit_play(module);
}

#include <nanobind/stl/shared_ptr.h>

#include "class_call.h"
#include "optimizers.h"
#include "rill/api/training/sync_replicas_hook.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using train::SyncReplicasOptimizer;

SyncReplicasOptimizer& of(OptimizerObject& object) {
  return dynamic_cast<SyncReplicasOptimizer&>(*object.optimizer);
}

}  // namespace

// Methods that only this optimizer has, as functions of what its Python object holds.
void bind_sync_replicas(nb::module_& m) {
  m.def("sync_replicas_queue_runner", [](OptimizerObject& o) {
    return building([&] { return of(o).get_chief_queue_runner(); });
  });
  m.def("sync_replicas_init_tokens", [](OptimizerObject& o, std::int64_t num_tokens) {
    if (!of(o).is_applied())
      value_error("get_init_tokens_op() should be called after apply_gradients().");
    return built({give(of(o).chief_init_op())},
                 [&]() -> Node& { return of(o).get_init_tokens_op(num_tokens); });
  });
  m.def("sync_replicas_chief_init",
        [](OptimizerObject& o) { return building([&] { return give(of(o).chief_init_op()); }); });
  m.def("sync_replicas_local_init", [](OptimizerObject& o) {
    return building([&] { return give(of(o).local_step_init_op()); });
  });
  m.def("sync_replicas_hook", [](OptimizerObject& o, bool is_chief, std::int64_t num_tokens) {
    return of(o).make_session_run_hook(is_chief, num_tokens);
  });
  m.def("sync_replicas_ready", [](OptimizerObject& o) {
    return building([&] { return give(of(o).ready_for_local_init_op()); });
  });
}

}  // namespace rill::python

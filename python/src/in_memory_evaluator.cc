#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "data.h"
#include "estimator.h"
#include "hook_arguments.h"
#include "hooks.h"
#include "kept.h"
#include "program_error.h"
#include "rill/api/estimator/schedule/in_memory_evaluator_hook.h"

namespace rill::python {

void bind_in_memory_evaluator(nb::module_& m) {
  nb::class_<estimator::InMemoryEvaluatorHook, train::SessionRunHook>(m,
                                                                      "InMemoryEvaluatorHookCore")
      .def(
          "__init__",
          [](estimator::InMemoryEvaluatorHook* self, estimator::Estimator& model,
             nb::handle input_fn, nb::handle eval_steps, nb::handle hooks, const std::string& name,
             nb::handle every_n_iter) {
            building([&] {
              new (self)
                  estimator::InMemoryEvaluatorHook(model, input_fn_of(input_fn),
                                                   {.steps = steps(eval_steps),
                                                    .hooks = hooks_of(hooks),
                                                    .name = name,
                                                    .every_n_iter = step_number(every_n_iter)});
            });
          },
          nb::arg("estimator"), nb::arg("input_fn"), nb::arg("steps").none(), nb::arg("hooks"),
          nb::arg("name"), nb::arg("every_n_iter"), nb::keep_alive<1, 2>());
}

}  // namespace rill::python

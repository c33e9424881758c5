#include "rill/api/estimator/schedule/early_stopping.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "hook_arguments.h"
#include "hooks.h"
#include "kept.h"
#include "program_error.h"
#include "truth.h"

namespace rill::python {
namespace {

// A metric that an evaluation lacks is a KeyError.
template <class F>
bool rule_holds(F rule) {
  try {
    const WithoutLock release;
    return rule();
  } catch (const Error& error) {
    if (error.code() != Code::kNotFound) throw_build_error(error);
    throw_python(PyExc_KeyError, error.message());
  }
}

estimator::MetricRule rule_of(const std::string& eval_dir, const std::string& metric_name,
                              bool higher, nb::handle min_steps) {
  return {eval_dir, metric_name, higher, step_number(min_steps)};
}

nb::dict metrics_in(const std::string& eval_dir) {
  nb::dict by_step;
  for (const auto& [step, metrics] : estimator::read_eval_metrics(eval_dir)) {
    nb::dict by_name;
    for (const auto& [name, value] : metrics) by_name[name.c_str()] = value;
    by_step[nb::cast(step)] = by_name;
  }
  return by_step;
}

}  // namespace

void bind_early_stopping(nb::module_& m) {
  nb::class_<estimator::StopOnPredicateHook, train::SessionRunHook>(m, "StopOnPredicateHookCore")
      .def(
          "__init__",
          [](estimator::StopOnPredicateHook* self, nb::handle should_stop_fn, nb::handle secs,
             nb::handle every_steps) {
            building([&] {
              new (self) estimator::StopOnPredicateHook(
                  [held = keep(should_stop_fn)] {
                    return in_program([&] { return truth_of(nb::object(kept(held)())); });
                  },
                  {.run_every_secs = seconds(secs), .run_every_steps = steps(every_steps)});
            });
          },
          nb::arg("should_stop_fn"), nb::arg("run_every_secs").none(),
          nb::arg("run_every_steps").none());
  nb::class_<estimator::CheckForStoppingHook, train::SessionRunHook>(m, "CheckForStoppingHookCore")
      .def(nb::init<>());
  nb::class_<estimator::StopAtCheckpointStepHook, train::SessionRunHook>(
      m, "StopAtCheckpointStepHookCore")
      .def("__init__", [](estimator::StopAtCheckpointStepHook* self, const std::string& model_dir,
                          nb::handle last_step, double wait_secs) {
        new (self)
            estimator::StopAtCheckpointStepHook(model_dir, step_number(last_step), wait_secs);
      });
  m.def("read_eval_metrics", metrics_in);
  m.def("is_threshold_crossed", [](const std::string& eval_dir, const std::string& metric_name,
                                   bool higher, nb::handle min_steps, nb::handle threshold) {
    const estimator::MetricRule rule = rule_of(eval_dir, metric_name, higher, min_steps);
    const double number = *seconds(threshold);
    const std::string text = str_of(threshold);
    return rule_holds([&] { return estimator::is_threshold_crossed(rule, number, text); });
  });
  m.def("is_without_improvement", [](const std::string& eval_dir, const std::string& metric_name,
                                     bool higher, nb::handle min_steps, nb::handle max_steps) {
    const estimator::MetricRule rule = rule_of(eval_dir, metric_name, higher, min_steps);
    const std::int64_t most = step_number(max_steps);
    return rule_holds([&] { return estimator::is_without_improvement(rule, most); });
  });
}

}  // namespace rill::python

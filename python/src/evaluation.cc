#include "rill/api/training/evaluation.h"

#include <nanobind/stl/string.h>

#include "basic_hooks.h"
#include "class_call.h"
#include "fetches.h"
#include "hook_arguments.h"
#include "hooks.h"
#include "plain_values.h"
#include "program_error.h"
#include "rill/api/core/default_graph.h"
#include "session.h"
#include "training.h"
#include "truth.h"

namespace rill::python {
namespace {

// The tensors and operations in a structure; none in None.
std::vector<train::Runnable> runnables_in(nb::handle structure) {
  if (structure.is_none()) return {};
  nb::object graph = wrap(default_graph());
  const Fetches fetches(graph_object(graph), structure);
  std::vector<train::Runnable> all(fetches.tensors().begin(), fetches.tensors().end());
  for (Node* operation : fetches.operations()) all.push_back(*operation);
  return all;
}

// What follows returns nothing: programs look at the values of their own FinalOpsHook.
void evaluate(const std::string& path, const nb::dict& given) {
  const InCallersPlace place({});
  contrib::training::EvaluateRepeatedlyOptions options;
  options.master = text_or_empty(given["master"]);
  options.scaffold = scaffold_of(given["scaffold"]);
  options.eval_ops = runnables_in(given["eval_ops"]);
  options.feed_dict = feeds_of(given["feed_dict"]);
  options.hooks = hooks_of(given["hooks"]);
  options.config = session_options_of(given["config"], options.master);
  options.open = python_opener();
  if (!given.contains("eval_interval_secs"))
    return without_lock([&] { contrib::training::evaluate_once(path, options); });
  options.eval_interval_secs = number_of(given["eval_interval_secs"]);
  options.max_number_of_evaluations = steps(given["max_number_of_evaluations"]);
  options.timeout = seconds(given["timeout"]);
  if (nb::object call = given["timeout_fn"]; !call.is_none())
    options.timeout_fn = [call = call.ptr()] {
      return in_program([&] { return truth_of(nb::object(nb::handle(call)())); });
    };
  options.while_waiting = check_signals_in_program;
  without_lock([&] { contrib::training::evaluate_repeatedly(path, options); });
}

}  // namespace

void bind_evaluation(nb::module_& m) { m.def("evaluate_checkpoints", evaluate); }

}  // namespace rill::python

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/estimator/core/estimator.h"
#include "rill/api/estimator/export/exporter.h"
#include "rill/api/estimator/schedule/evaluator.h"

namespace rill::estimator {

struct TrainSpec {
  InputFn input_fn = {};
  std::optional<std::int64_t> max_steps = {};  // none: until the input ends
  std::vector<HookRef> hooks = {};
  std::vector<ListenerRef> saving_listeners = {};
};

// Evaluations are written to eval_dir(name). Exporters need names that differ.
struct EvalSpec {
  InputFn input_fn = {};
  std::optional<std::int64_t> steps = 100;  // none: until the input ends
  std::string name = {};
  std::vector<HookRef> hooks = {};
  std::vector<ExporterRef> exporters = {};
  double start_delay_secs = 120;  // before an evaluator begins
  double throttle_secs = 600;     // between the beginnings of two evaluations
};
// Throw InvalidArgument for numbers that make no sense and exporters without names of their own.
void check(const TrainSpec& spec);
void check(const EvalSpec& spec);

// The last evaluation's metrics and what the exporters wrote after it.
struct TrainedModel {
  Values metrics = {};
  std::vector<std::optional<std::string>> exports = {};
};

// Trains, evaluates after every checkpoint and lets the exporters write models, to
// model_dir/export/NAME. A process that was killed is followed by one that goes on from the last
// checkpoint, at the same place of the input where datasets allow it.
//
//   train_and_evaluate(model, {.input_fn = input, .max_steps = 10000},
//                      {.input_fn = eval_input, .throttle_secs = 60});
//
// What this process does in a cluster, TF_CONFIG says: the evaluator looks for checkpoints until
// the last one was evaluated, and gets nothing back, as all but those who train alone. Throws
// InvalidArgument where the specs or the configuration make no sense, Unimplemented where a server
// is needed.
TrainedModel train_and_evaluate(Estimator& estimator, const TrainSpec& train_spec,
                                const EvalSpec& eval_spec);

}  // namespace rill::estimator

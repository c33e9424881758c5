#include "rill/api/estimator/core/estimator_spec.h"

#include "rill/api/core/default_graph.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/base/error.h"

namespace rill::estimator {
namespace {

constexpr const char* kDefaultSignature = "serving_default";

void check_graph(const Node& node, const char* what, const std::string& name) {
  require(&node.graph() == default_graph().get(), what, " with \"", name,
          "\" must be from the default graph. Possible causes of this error include: \n\n1) ", what,
          " was created outside the context of the default graph.\n\n2) The object passed through "
          "to EstimatorSpec was not created in the most recent call to \"model_fn\".");
}

// Of predictions that are served without saying how, one signature with all of them.
void complete_export_outputs(EstimatorSpec& spec) {
  auto& outputs = spec.export_outputs;
  if (spec.mode != Mode::kPredict || outputs.contains(kDefaultSignature)) return;
  if (outputs.empty()) {
    PredictOutput all;
    for (const auto& [key, tensor] : spec.predictions)
      all.outputs[key.empty() ? "output" : key] = tensor;
    outputs[kDefaultSignature] = std::move(all);
    return;
  }
  require(outputs.size() == 1,
          "Multiple export_outputs were provided, but none of them is specified as the default.  "
          "Do this by naming one of them with "
          "signature_constants.DEFAULT_SERVING_SIGNATURE_DEF_KEY.");
  outputs[kDefaultSignature] = outputs.begin()->second;
}

}  // namespace

const char* mode_key(Mode mode) {
  switch (mode) {
    case Mode::kTrain:
      return "train";
    case Mode::kEval:
      return "eval";
    case Mode::kPredict:
      return "infer";
  }
  return "";
}

void check_train_op(const Runnable& train_op, Mode mode) {
  require(train_op || mode != Mode::kTrain, "Missing train_op.");
  if (train_op) check_graph(train_op.node(), "train_op", train_op.name());
}

Output checked_loss(Output loss, Mode mode) {
  require(loss.node || mode == Mode::kPredict, "Missing loss.");
  if (!loss.node) return loss;
  const PartialShape& shape = loss.shape();
  require(!shape.is_full() || shape.element_count() == 1,
          "Loss must be scalar, given: ", tensor_text(loss));
  check_graph(*loss.node, "loss", loss.name());
  if (shape.has_rank() && shape.rank() != 0)
    return raw::Reshape(loss, Tensor(DType::i32, Shape{0}));
  return loss;
}

void check_predictions(const std::map<std::string, Output>& predictions, Mode mode) {
  require(!predictions.empty() || mode != Mode::kPredict, "Missing predictions.");
  for (const auto& [key, tensor] : predictions)
    check_graph(*tensor.node, "prediction values",
                key.empty() ? tensor.name() : str_cat(key, ": ", tensor.name()));
}

void check_eval_metric_ops(const std::map<std::string, EvalMetric>& metrics) {
  for (const auto& [key, metric] : metrics) {
    check_graph(*metric.value.node, "eval_metric_ops", str_cat(key, ": ", metric.value.name()));
    check_graph(metric.update_op.node(), "eval_metric_ops",
                str_cat(key, ": ", metric.update_op.name()));
  }
}

bool has_parts(const train::Scaffold& scaffold) {
  const train::ScaffoldOptions& parts = scaffold.parts();
  return parts.init_op || parts.init_fn || parts.ready_op || parts.ready_for_local_init_op ||
         parts.local_init_op || parts.summary_op.node || parts.saver || parts.restorer ||
         !parts.init_feed_dict.empty() || !parts.local_init_feed_dict.empty();
}

EstimatorSpec checked(EstimatorSpec spec) {
  check_train_op(spec.train_op, spec.mode);
  spec.loss = checked_loss(spec.loss, spec.mode);
  check_predictions(spec.predictions, spec.mode);
  complete_export_outputs(spec);
  check_eval_metric_ops(spec.eval_metric_ops);
  if (!spec.scaffold) spec.scaffold = std::make_shared<train::Scaffold>();
  return spec;
}

}  // namespace rill::estimator

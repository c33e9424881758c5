#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/data/dataset.h"
#include "rill/api/feature_column/features.h"
#include "rill/api/training/scaffold.h"
#include "rill/api/training/session_run_hook.h"

namespace tensorflow {
class SignatureDef;
}  // namespace tensorflow

namespace rill::estimator {

struct RunConfig;
using feature_column::Features;
using train::HookRef;
using train::Runnable;
using train::ScaffoldRef;

// What a model is built for.
enum class Mode { kTrain, kEval, kPredict };
const char* mode_key(Mode mode);  // "train", "eval", "infer", as ModeKeys

// What an input function gives: the tensors of a batch, or the dataset of such. Elements of
// datasets are features, or features and labels. A lone feature or label has the key "".
struct InputBatch {
  Features features = {};
  Features labels = {};
  std::shared_ptr<void> form = {};  // as another language wrote them down
};
// `split` tells features from labels in the parts of an element.
struct BatchDataset {
  data::Dataset dataset;
  std::function<InputBatch(const data::Components&)> split;
};
using InputValues = std::variant<InputBatch, BatchDataset>;
using InputFn = std::function<InputValues(Mode mode, const RunConfig& config)>;

// How a served model answers under one signature.
struct ClassificationOutput {
  Output scores = {}, classes = {};  // either may be missing
};
struct RegressionOutput {
  Output value = {};
};
struct PredictOutput {
  std::map<std::string, Output> outputs = {};
};
struct CustomOutput {  // of a program's own kind; gets what the model is fed
  std::function<tensorflow::SignatureDef(const Features& receiver_tensors)> signature;
};
using ExportOutput =
    std::variant<ClassificationOutput, RegressionOutput, PredictOutput, CustomOutput>;

// What counts, and the operation that counts one more step; also a Metric of rill::metrics.
struct EvalMetric {
  EvalMetric() = default;
  EvalMetric(Output value, Runnable update_op)
      : value(std::move(value)), update_op(std::move(update_op)) {}
  template <class Metric>
  requires requires(const Metric& metric) {
    { metric.value } -> std::same_as<const Output&>;
    { metric.update_op } -> std::same_as<const Output&>;
  }
  EvalMetric(const Metric& metric) : value(metric.value), update_op(metric.update_op) {}

  Output value = {};
  Runnable update_op = {};
};

// What a model function makes: a model for one mode. Training needs a loss and a train_op,
// evaluating a loss, predicting the predictions; other fields may be missing. All must be of the
// default graph.
struct EstimatorSpec {
  Mode mode = Mode::kTrain;
  std::map<std::string, Output> predictions = {};  // a lone one has the key ""
  Output loss = {};
  Runnable train_op = {};
  std::map<std::string, EvalMetric> eval_metric_ops = {};
  std::map<std::string, ExportOutput> export_outputs = {};
  std::vector<HookRef> training_chief_hooks = {}, training_hooks = {};
  std::vector<HookRef> evaluation_hooks = {}, prediction_hooks = {};
  ScaffoldRef scaffold = {};
  std::shared_ptr<void> form = {};  // as another language wrote it down
};

// Builds the model in the default graph:
//
//   ModelFn linear = [](const InputBatch& b, Mode mode, const RunConfig&) {
//     Output y = layers::dense(b.features.at("x").tensor(), 1);
//     ... return EstimatorSpec{.mode = mode, .predictions = {{"", y}}, .loss = loss, ...}; };
//
// Called anew for each train(), evaluate() and predict().
using ModelFn =
    std::function<EstimatorSpec(const InputBatch& batch, Mode mode, const RunConfig& config)>;

}  // namespace rill::estimator

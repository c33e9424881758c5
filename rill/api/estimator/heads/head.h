#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/estimator/input/model.h"
#include "rill/api/feature_column/parse_spec.h"
#include "rill/api/keras/metrics.h"
#include "rill/api/keras/optimizer.h"
#include "rill/api/losses/losses.h"
#include "rill/api/train/optimizer.h"

namespace rill::estimator {

// What a model computes for each example: one tensor, or one for each head of several, by name.
struct Logits {
  Logits(Output all) : tensor(all) {}
  Logits(std::map<std::string, Output> parts) : by_head(std::move(parts)) {}

  Output tensor = {};
  std::map<std::string, Output> by_head = {};
};

// The losses of the examples: [D0, ... DN, 1], of regression [D0, ... DN, label_dimension].
using LossFn = std::function<Output(Output labels, Output logits, const Features& features)>;
using TrainOpFn = std::function<Runnable(Output loss)>;

// Thresholds are in (0, 1) and the reduction is not NONE, else InvalidArgument. With a vocabulary
// labels are strings; it has a word for each class.
struct HeadOptions {
  WeightColumn weight_column = {};
  std::vector<double> thresholds = {};             // further metrics, each between 0 and 1
  std::vector<std::string> label_vocabulary = {};  // none: labels are numbers of classes
  losses::Reduction loss_reduction = losses::Reduction::SUM_OVER_BATCH_SIZE;
  LossFn loss_fn = {};
  // Heads for many labels: classes that have metrics of their own.
  std::vector<std::int64_t> classes_for_class_based_metrics = {};
  std::string name = {};
};
struct RegressionHeadOptions {
  WeightColumn weight_column = {};
  std::int64_t label_dimension = 1;
  losses::Reduction loss_reduction = losses::Reduction::SUM_OVER_BATCH_SIZE;
  LossFn loss_fn = {};
  std::function<Output(Output)> inverse_link_fn = {};  // of logits: the prediction
  bool compute_full_loss = true;                       // Poisson: with Stirling's constant
  std::string name = {};
};

// The loss of a batch and what it was made of. Heads of several objectives have only the first.
struct LossSpec {
  Output training_loss = {};
  Output unreduced_loss = {};
  Input weights = 1.0;
  Output processed_labels = {};
};

struct HeadCall {
  Features features = {};
  Mode mode = Mode::kTrain;
  Logits logits;
  Features labels = {};  // a lone one has the key ""
  // One of these when training.
  std::shared_ptr<train::Optimizer> optimizer = {};
  keras::OptimizerRef keras_optimizer = {};  // for the trainable variables
  TrainOpFn train_op_fn = {};
  std::optional<std::vector<Variable>> trainable_variables = {};
  std::optional<std::vector<Runnable>> update_ops = {};  // run with the training operation
  std::vector<Output> regularization_losses = {};
};

// What an objective makes of logits: predictions, a loss, metrics, and all of these as a model.
//
//   auto head = estimator::multi_class_head(10);
//   return head->create_estimator_spec({.features = f, .mode = mode, .logits = net(f), .labels = y,
//                                       .optimizer = adam});
//
// Immutable; may be used in many graphs. Functions throw InvalidArgument when labels, logits or
// weights are known not to fit; labels out of range fail the step.
class Head {
 public:
  virtual ~Head() = default;
  virtual std::string name() const = 0;  // "": none
  virtual std::int64_t logits_dimension() const = 0;
  virtual losses::Reduction loss_reduction() const = 0;

  // Labels are needed, whatever the mode.
  virtual LossSpec create_loss(const Features& features, Mode mode, const Logits& logits,
                               const Features& labels) const = 0;
  // Training needs exactly one of an optimizer and train_op_fn, else InvalidArgument; predicting
  // needs neither them nor labels.
  virtual EstimatorSpec create_estimator_spec(
      const HeadCall& call, std::source_location at = std::source_location::current()) const = 0;
};
using HeadRef = std::shared_ptr<const Head>;

// A metric of tf.keras that a head of the second generation gathers.
struct GatheredMetric {
  std::string key = {};         // in the results
  std::string class_name = {};  // "Mean"
  keras::metrics::MetricOptions options = {};
};
struct MetricUpdate {
  std::string key = {};
  std::vector<Output> values = {};  // the truth and a prediction, or values
  std::optional<Output> weights = {};
};

// Heads of the second generation (tf.estimator.Head) take optimizers of tf.keras as well, gather
// metrics as tf.keras does, and give their parts one by one.
class HeadParts {
 public:
  virtual ~HeadParts() = default;
  // With the sum of regularization losses.
  virtual Output loss(const Features& labels, const Logits& logits, const Features& features,
                      const std::vector<Output>& regularization_losses = {}) const = 0;
  // All, or those of these keys. Throws InvalidArgument for keys that the head does not have.
  virtual std::map<std::string, Output> predictions(
      const Logits& logits, const std::vector<std::string>& keys = {}) const = 0;
  virtual std::vector<GatheredMetric> metrics(bool regularized = false) const = 0;
  // One for each metric; the baseline of accuracy has none, it follows the mean of the labels.
  virtual std::vector<MetricUpdate> metric_updates(
      const Features& features, const Logits& logits, const Features& labels,
      const std::vector<Output>& regularization_losses = {}) const = 0;
};

// tf.contrib.estimator's heads, which premade models use, too: those of the first generation. All
// throw InvalidArgument for options that cannot be.
//
// Two classes by one logit and the sigmoid cross entropy; more than two by a softmax; multi_label:
// each class on its own, by sigmoids. Regression: mean squared error, Poisson's loss, or the cross
// entropy of labels in [0, 1].
HeadRef binary_classification_head(const HeadOptions& options = {});
HeadRef multi_class_head(std::int64_t n_classes, const HeadOptions& options = {});
HeadRef multi_label_head(std::int64_t n_classes, const HeadOptions& options = {});
HeadRef regression_head(const RegressionHeadOptions& options = {});
HeadRef poisson_regression_head(const RegressionHeadOptions& options = {});
HeadRef logistic_regression_head(const RegressionHeadOptions& options = {});
// Several objectives at once; all heads have names and, for those of the second generation, one
// reduction. Losses count by their weights, ones where there are none. Logits are split among the
// heads in their order, or given by name; labels are given by the heads' names.
HeadRef multi_head(const std::vector<HeadRef>& heads, const std::vector<double>& head_weights = {});

// tf.estimator's heads: those of the second generation, which have HeadParts.
HeadRef BinaryClassHead(const HeadOptions& options = {});
HeadRef MultiClassHead(std::int64_t n_classes, const HeadOptions& options = {});
HeadRef MultiLabelHead(std::int64_t n_classes, const HeadOptions& options = {});
HeadRef RegressionHead(const RegressionHeadOptions& options = {});
HeadRef PoissonRegressionHead(const RegressionHeadOptions& options = {});
HeadRef LogisticRegressionHead(const RegressionHeadOptions& options = {});
HeadRef MultiHead(const std::vector<HeadRef>& heads, const std::vector<double>& head_weights = {});

}  // namespace rill::estimator

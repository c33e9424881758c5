#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/keras/activations.h"
#include "rill/api/keras/constraints.h"
#include "rill/api/keras/described.h"
#include "rill/api/keras/losses.h"
#include "rill/api/keras/metrics.h"
#include "rill/api/keras/model.h"
#include "rill/api/keras/model_files.h"
#include "rill/api/keras/network.h"
#include "rill/api/keras/optimizer.h"
#include "rill/api/keras/regularizers.h"
#include "rill/api/variables/initializer.h"

// tf.keras, as TensorFlow names it: classes are functions that make one, and short names stand for
// long ones.
namespace rill::keras::losses {
inline Output mse(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_squared_error(y_true, y_pred);
}
inline Output MSE(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_squared_error(y_true, y_pred);
}
inline Output mae(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_absolute_error(y_true, y_pred);
}
inline Output MAE(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_absolute_error(y_true, y_pred);
}
inline Output mape(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_absolute_percentage_error(y_true, y_pred);
}
inline Output MAPE(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_absolute_percentage_error(y_true, y_pred);
}
inline Output msle(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_squared_logarithmic_error(y_true, y_pred);
}
inline Output MSLE(Output y_true, Output y_pred) {
  return ::rill::keras::losses::mean_squared_logarithmic_error(y_true, y_pred);
}
inline Output kld(Output y_true, Output y_pred) {
  return ::rill::keras::losses::kullback_leibler_divergence(y_true, y_pred);
}
inline Output KLD(Output y_true, Output y_pred) {
  return ::rill::keras::losses::kullback_leibler_divergence(y_true, y_pred);
}
inline Output cosine(Output y_true, Output y_pred,
                     const ::rill::keras::losses::LossOptions& options = {}) {
  return ::rill::keras::losses::cosine_proximity(y_true, y_pred, options);
}
inline Output cosine_similarity(Output y_true, Output y_pred,
                                const ::rill::keras::losses::LossOptions& options = {}) {
  return ::rill::keras::losses::cosine_proximity(y_true, y_pred, options);
}
using ::rill::keras::Loss;
}  // namespace rill::keras::losses
namespace rill::keras::losses {

struct ClassOptions {
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
  double delta = 1.0;  // Huber
  Reduction reduction = Reduction::kSumOverBatchSize;
  std::string name{};
};
// The loss of a class, by its name; names of functions are taken, too. Throws InvalidArgument where
// there is none.
inline Loss deserialize(const std::string& class_name, const ClassOptions& options = {}) {
  Loss loss(class_name, {.from_logits = options.from_logits,
                         .label_smoothing = options.label_smoothing,
                         .axis = options.axis,
                         .delta = options.delta});
  loss.reduction = options.reduction;
  if (!options.name.empty()) loss.name = options.name;
  return loss;
}
inline const std::string& serialize(const Loss& loss) { return loss.name; }
inline Loss MeanSquaredError(const ClassOptions& options = {}) {
  return deserialize("MeanSquaredError", options);
}
inline Loss MeanAbsoluteError(const ClassOptions& options = {}) {
  return deserialize("MeanAbsoluteError", options);
}
inline Loss MeanAbsolutePercentageError(const ClassOptions& options = {}) {
  return deserialize("MeanAbsolutePercentageError", options);
}
inline Loss MeanSquaredLogarithmicError(const ClassOptions& options = {}) {
  return deserialize("MeanSquaredLogarithmicError", options);
}
inline Loss BinaryCrossentropy(const ClassOptions& options = {}) {
  return deserialize("BinaryCrossentropy", options);
}
inline Loss CategoricalCrossentropy(const ClassOptions& options = {}) {
  return deserialize("CategoricalCrossentropy", options);
}
inline Loss SparseCategoricalCrossentropy(const ClassOptions& options = {}) {
  return deserialize("SparseCategoricalCrossentropy", options);
}
inline Loss Hinge(const ClassOptions& options = {}) { return deserialize("Hinge", options); }
inline Loss SquaredHinge(const ClassOptions& options = {}) {
  return deserialize("SquaredHinge", options);
}
inline Loss CategoricalHinge(const ClassOptions& options = {}) {
  return deserialize("CategoricalHinge", options);
}
inline Loss CosineSimilarity(const ClassOptions& options = {}) {
  return deserialize("CosineSimilarity", options);
}
inline Loss Huber(const ClassOptions& options = {}) { return deserialize("Huber", options); }
inline Loss KLDivergence(const ClassOptions& options = {}) {
  return deserialize("KLDivergence", options);
}
inline Loss LogCosh(const ClassOptions& options = {}) { return deserialize("LogCosh", options); }
inline Loss Poisson(const ClassOptions& options = {}) { return deserialize("Poisson", options); }
}  // namespace rill::keras::losses
namespace rill::keras::metrics {
using ::rill::keras::Metric;
inline MetricRef AUC(const MetricOptions& options = {}) { return make("AUC", options); }
inline MetricRef Accuracy(const MetricOptions& options = {}) { return make("Accuracy", options); }
inline MetricRef BinaryAccuracy(const MetricOptions& options = {}) {
  return make("BinaryAccuracy", options);
}
inline MetricRef BinaryCrossentropy(const MetricOptions& options = {}) {
  return make("BinaryCrossentropy", options);
}
inline MetricRef CategoricalAccuracy(const MetricOptions& options = {}) {
  return make("CategoricalAccuracy", options);
}
inline MetricRef CategoricalCrossentropy(const MetricOptions& options = {}) {
  return make("CategoricalCrossentropy", options);
}
inline MetricRef CategoricalHinge(const MetricOptions& options = {}) {
  return make("CategoricalHinge", options);
}
inline MetricRef CosineSimilarity(const MetricOptions& options = {}) {
  return make("CosineSimilarity", options);
}
inline MetricRef FalseNegatives(const MetricOptions& options = {}) {
  return make("FalseNegatives", options);
}
inline MetricRef FalsePositives(const MetricOptions& options = {}) {
  return make("FalsePositives", options);
}
inline MetricRef Hinge(const MetricOptions& options = {}) { return make("Hinge", options); }
inline MetricRef KLDivergence(const MetricOptions& options = {}) {
  return make("KLDivergence", options);
}
inline MetricRef LogCoshError(const MetricOptions& options = {}) {
  return make("LogCoshError", options);
}
inline MetricRef Mean(const MetricOptions& options = {}) { return make("Mean", options); }
inline MetricRef MeanAbsoluteError(const MetricOptions& options = {}) {
  return make("MeanAbsoluteError", options);
}
inline MetricRef MeanAbsolutePercentageError(const MetricOptions& options = {}) {
  return make("MeanAbsolutePercentageError", options);
}
inline MetricRef MeanIoU(std::int64_t num_classes, MetricOptions options = {}) {
  options.num_classes = num_classes;
  return make("MeanIoU", options);
}
inline MetricRef MeanRelativeError(const Input& normalizer, MetricOptions options = {}) {
  options.normalizer = normalizer;
  return make("MeanRelativeError", options);
}
inline MetricRef MeanSquaredError(const MetricOptions& options = {}) {
  return make("MeanSquaredError", options);
}
inline MetricRef MeanSquaredLogarithmicError(const MetricOptions& options = {}) {
  return make("MeanSquaredLogarithmicError", options);
}
inline MetricRef MeanTensor(const MetricOptions& options = {}) {
  return make("MeanTensor", options);
}
inline MetricRef Poisson(const MetricOptions& options = {}) { return make("Poisson", options); }
inline MetricRef Precision(const MetricOptions& options = {}) { return make("Precision", options); }
inline MetricRef Recall(const MetricOptions& options = {}) { return make("Recall", options); }
inline MetricRef RootMeanSquaredError(const MetricOptions& options = {}) {
  return make("RootMeanSquaredError", options);
}
inline MetricRef SensitivityAtSpecificity(double specificity, MetricOptions options = {}) {
  options.value = specificity;
  return make("SensitivityAtSpecificity", options);
}
inline MetricRef SparseCategoricalAccuracy(const MetricOptions& options = {}) {
  return make("SparseCategoricalAccuracy", options);
}
inline MetricRef SparseCategoricalCrossentropy(const MetricOptions& options = {}) {
  return make("SparseCategoricalCrossentropy", options);
}
inline MetricRef SparseTopKCategoricalAccuracy(const MetricOptions& options = {}) {
  return make("SparseTopKCategoricalAccuracy", options);
}
inline MetricRef SpecificityAtSensitivity(double sensitivity, MetricOptions options = {}) {
  options.value = sensitivity;
  return make("SpecificityAtSensitivity", options);
}
inline MetricRef SquaredHinge(const MetricOptions& options = {}) {
  return make("SquaredHinge", options);
}
inline MetricRef Sum(const MetricOptions& options = {}) { return make("Sum", options); }
inline MetricRef TopKCategoricalAccuracy(const MetricOptions& options = {}) {
  return make("TopKCategoricalAccuracy", options);
}
inline MetricRef TrueNegatives(const MetricOptions& options = {}) {
  return make("TrueNegatives", options);
}
inline MetricRef TruePositives(const MetricOptions& options = {}) {
  return make("TruePositives", options);
}
inline MetricRef deserialize(const std::string& class_name, const MetricOptions& options = {}) {
  return make(class_name, options);
}
inline LossFunction get(const std::string& name, const losses::LossOptions& options = {}) {
  return losses::get(name, options);
}
inline const std::string& serialize(const Metric& metric) { return metric.name(); }
using losses::binary_crossentropy;
using losses::categorical_crossentropy;
using losses::cosine;
using losses::cosine_proximity;
using losses::hinge;
using losses::kld;
using losses::KLD;
using losses::kullback_leibler_divergence;
using losses::mae;
using losses::MAE;
using losses::mape;
using losses::MAPE;
using losses::mean_absolute_error;
using losses::mean_absolute_percentage_error;
using losses::mean_squared_error;
using losses::mean_squared_logarithmic_error;
using losses::mse;
using losses::MSE;
using losses::msle;
using losses::MSLE;
using losses::poisson;
using losses::sparse_categorical_crossentropy;
using losses::squared_hinge;
}  // namespace rill::keras::metrics
namespace rill::keras::initializers {
using ::rill::Initializer;

// Each says what it is, for files of models.
Initializer Zeros();
Initializer Ones();
Initializer Constant(Input value, const ConstantInitializerOptions& options = {});
Initializer Orthogonal(const OrthogonalOptions& options = {});
Initializer Identity(double gain = 1.0);
Initializer VarianceScaling(const VarianceScalingOptions& options = {});
Initializer glorot_normal(std::optional<std::int64_t> seed = {});
Initializer glorot_uniform(std::optional<std::int64_t> seed = {});
Initializer he_normal(std::optional<std::int64_t> seed = {});
Initializer he_uniform(std::optional<std::int64_t> seed = {});
Initializer lecun_normal(std::optional<std::int64_t> seed = {});
Initializer lecun_uniform(std::optional<std::int64_t> seed = {});
inline Initializer zeros() { return Zeros(); }
inline Initializer ones() { return Ones(); }
inline Initializer constant(Input value, const ConstantInitializerOptions& options = {}) {
  return Constant(std::move(value), options);
}
inline Initializer orthogonal(const OrthogonalOptions& options = {}) { return Orthogonal(options); }
inline Initializer identity(double gain = 1.0) { return Identity(gain); }

// tf.keras draws from narrower ranges where nothing is said: +-0.05, and deviations of 0.05.
struct UniformOptions {
  double minval = -0.05, maxval = 0.05;
  std::optional<std::int64_t> seed{};
};
struct NormalOptions {
  double mean = 0.0, stddev = 0.05;
  std::optional<std::int64_t> seed{};
};
rill::Initializer RandomUniform(const UniformOptions& options = {});
rill::Initializer RandomNormal(const NormalOptions& options = {});
rill::Initializer TruncatedNormal(const NormalOptions& options = {});
inline rill::Initializer uniform(const UniformOptions& options = {}) {
  return RandomUniform(options);
}
inline rill::Initializer random_uniform(const UniformOptions& options = {}) {
  return RandomUniform(options);
}
inline rill::Initializer normal(const NormalOptions& options = {}) { return RandomNormal(options); }
inline rill::Initializer random_normal(const NormalOptions& options = {}) {
  return RandomNormal(options);
}
inline rill::Initializer truncated_normal(const NormalOptions& options = {}) {
  return TruncatedNormal(options);
}
// The initializer of a class or function of that name, with its defaults. Throws InvalidArgument
// where there is none.
rill::Initializer get(const std::string& identifier);
inline rill::Initializer deserialize(const std::string& name) { return get(name); }
}  // namespace rill::keras::initializers
namespace rill::keras::constraints {

// What brings weights back to what is allowed, after each update.
using Constraint = std::function<Output(Output)>;
inline Constraint MaxNorm(double max_value = 2, std::vector<std::int64_t> axis = {0}) {
  return max_norm(max_value, std::move(axis));
}
struct MinMaxNormOptions {
  double min_value = 0.0, max_value = 1.0, rate = 1.0;
  std::vector<std::int64_t> axis = {0};
};
inline Constraint MinMaxNorm(const MinMaxNormOptions& o = {}) {
  return min_max_norm(o.min_value, o.max_value, o.rate, o.axis);
}
inline Constraint NonNeg() { return non_neg(); }
inline Constraint UnitNorm(std::vector<std::int64_t> axis = {0}) {
  return unit_norm(std::move(axis));
}
inline Constraint RadialConstraint() { return radial_constraint(); }
// By the name of a class or function ("NonNeg", "max_norm"). Throws InvalidArgument where there is
// none.
Constraint get(const std::string& identifier);
inline Constraint deserialize(const std::string& name) { return get(name); }
}  // namespace rill::keras::constraints
namespace rill::keras::regularizers {

using Regularizer = ::rill::keras::Penalty;
struct L1L2Options {
  double l1 = 0.0, l2 = 0.0;
};
inline Penalty L1L2(const L1L2Options& options = {}) { return l1_l2(options.l1, options.l2); }
// "l1", "l2" or "l1_l2", each with 0.01. Throws InvalidArgument for others.
Penalty get(const std::string& identifier);
inline Penalty deserialize(const std::string& name) { return get(name); }
}  // namespace rill::keras::regularizers
namespace rill::keras::activations {

// The activation of that name. Throws InvalidArgument where there is none.
inline Activation get(const std::string& identifier) { return Activation(identifier); }
inline Activation deserialize(const std::string& name) { return Activation(name); }
}  // namespace rill::keras::activations
namespace rill::keras::optimizers {

using ::rill::keras::Optimizer;
inline OptimizerRef get(const std::string& identifier) { return make(identifier); }
inline OptimizerRef deserialize(const std::string& class_name,
                                const OptimizerOptions& options = {}) {
  return make(class_name, options);
}
}  // namespace rill::keras::optimizers
namespace rill::keras::models {
using ::rill::keras::clone_model;
using ::rill::keras::load_model;
using ::rill::keras::Model;
using ::rill::keras::model_from_config;
using ::rill::keras::model_from_json;
using ::rill::keras::save_model;
using ::rill::keras::Sequential;
}  // namespace rill::keras::models
namespace rill::keras::callbacks {
using ::rill::keras::Callback;
using ::rill::keras::History;
}  // namespace rill::keras::callbacks

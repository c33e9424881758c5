#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::keras {

// What a loss or a metric makes of the truth and a prediction: one number for each example, the
// mean over the last axis mostly. y_true is cast to the type of y_pred.
using LossFunction = std::function<Output(Output y_true, Output y_pred)>;

namespace losses {

// label_smoothing s: labels y become y (1 - s) + s / classes, or y (1 - s) + s / 2 for binary ones.
struct LossOptions {
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
  double delta = 1.0;  // Huber: where the square becomes a line
};
// mean((p - t)^2), mean(|p - t|), 100 mean(|t - p| / |t|), mean((log(1 + p) - log(1 + t))^2).
// epsilon() keeps what is divided by, or taken the logarithm of, above zero.
Output mean_squared_error(Output y_true, Output y_pred);
Output mean_absolute_error(Output y_true, Output y_pred);
Output mean_absolute_percentage_error(Output y_true, Output y_pred);
Output mean_squared_logarithmic_error(Output y_true, Output y_pred);
// mean(max(1 - t p, 0)^2), and without the square. Labels are -1 and 1; if all are 0 or 1, which is
// decided in the step, they are taken as such.
Output squared_hinge(Output y_true, Output y_pred);
Output hinge(Output y_true, Output y_pred);
// max(1 + (largest wrong score) - (right score), 0); y_true is one-hot.
Output categorical_hinge(Output y_true, Output y_pred);
// Half the square up to delta, a line beyond it.
Output huber_loss(Output y_true, Output y_pred, const LossOptions& options = {});
// mean(log(cosh(p - t))): like half the square for small errors, like |p - t| for large ones.
Output logcosh(Output y_true, Output y_pred);
// Of probabilities, or with from_logits of scores; see backend.h, also for what is done after a
// Softmax.
Output categorical_crossentropy(Output y_true, Output y_pred, const LossOptions& options = {});
Output sparse_categorical_crossentropy(Output y_true, Output y_pred,
                                       const LossOptions& options = {});
Output binary_crossentropy(Output y_true, Output y_pred, const LossOptions& options = {});
// sum(t log(t / p)), mean(p - t log(p)), and the cosine of the angle. That is 1 for equal
// directions: TensorFlow 1.15 minimises it all the same, 2 changed the sign.
Output kullback_leibler_divergence(Output y_true, Output y_pred);
Output poisson(Output y_true, Output y_pred);
Output cosine_proximity(Output y_true, Output y_pred, const LossOptions& options = {});

// The function of that name ("mse", "mean_squared_error", "MeanSquaredError"). Throws
// InvalidArgument when there is none.
LossFunction get(const std::string& name, const LossOptions& options = {});
// The name that `name` is another one of: "mean_squared_error" for "mse".
std::string full_name(const std::string& name);
// What get() has made, for files of models.
struct NamedLoss {
  std::string name = {}, class_name = {};  // "mean_squared_error", "MeanSquaredError"
  LossOptions options = {};
  LossFunction apply = {};
  Output operator()(Output y_true, Output y_pred) const { return apply(y_true, y_pred); }
};

}  // namespace losses

// How the losses of the examples become one number; kSumOverBatchSize divides by the number of
// losses, not by the sum of the weights.
enum class Reduction { kNone, kSum, kSumOverBatchSize };

// `losses` times weights, as many as fit by adding or dropping a last dimension of size 1, reduced.
// Integers are counted as floats and given back as integers.
Output weighted_loss(Output losses, const std::optional<Output>& weights, Reduction reduction,
                     std::source_location at = std::source_location::current());
// Weights that fit the rank of `values`: with a dimension more the last one is dropped, which must
// be of size 1 or throws InvalidArgument (fails the step where it is not known before).
Output fitted_weights(Output weights, Output values);

// A loss: a function by name or of a program, and how its results are put together.
//
//   keras::Loss loss("categorical_crossentropy", {.from_logits = true});
//   Output total = loss(labels, scores, weights);
//
// The constructors by name throw InvalidArgument where there is none.
struct Loss {
  Loss() = default;
  Loss(const char* name) : Loss(std::string(name)) {}
  Loss(const std::string& name, const losses::LossOptions& options = {})
      : of(losses::get(name, options)), name(losses::full_name(name)) {}
  Loss(LossFunction function, std::string name = "loss")
      : of(std::move(function)), name(std::move(name)) {}

  explicit operator bool() const { return bool(of); }
  Output operator()(Output y_true, Output y_pred, const std::optional<Output>& sample_weight = {},
                    std::source_location at = std::source_location::current()) const;

  LossFunction of = {};
  std::string name = {};
  Reduction reduction = Reduction::kSumOverBatchSize;
};

}  // namespace rill::keras

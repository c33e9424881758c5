#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::keras {

// What a loss or a metric makes of the truth and a prediction: one number for each example.
using LossFunction = std::function<Output(Output y_true, Output y_pred)>;

namespace losses {

struct LossOptions {
  bool from_logits = false;
  double label_smoothing = 0;
  int axis = -1;
  double delta = 1.0;  // Huber: where the square becomes a line
};
Output mean_squared_error(Output y_true, Output y_pred);
Output mean_absolute_error(Output y_true, Output y_pred);
Output mean_absolute_percentage_error(Output y_true, Output y_pred);
Output mean_squared_logarithmic_error(Output y_true, Output y_pred);
Output squared_hinge(Output y_true, Output y_pred);
Output hinge(Output y_true, Output y_pred);
Output categorical_hinge(Output y_true, Output y_pred);
Output huber_loss(Output y_true, Output y_pred, const LossOptions& options = {});
Output logcosh(Output y_true, Output y_pred);
Output categorical_crossentropy(Output y_true, Output y_pred, const LossOptions& options = {});
Output sparse_categorical_crossentropy(Output y_true, Output y_pred,
                                       const LossOptions& options = {});
Output binary_crossentropy(Output y_true, Output y_pred, const LossOptions& options = {});
Output kullback_leibler_divergence(Output y_true, Output y_pred);
Output poisson(Output y_true, Output y_pred);
Output cosine_proximity(Output y_true, Output y_pred, const LossOptions& options = {});

// The function of that name ("mse", "mean_squared_error", "MeanSquaredError"). Throws
// InvalidArgument when there is none.
LossFunction get(const std::string& name, const LossOptions& options = {});
// The name that `name` is another one of: "mean_squared_error" for "mse".
std::string full_name(const std::string& name);

}  // namespace losses

// How the losses of the examples become one number.
enum class Reduction { kNone, kSum, kSumOverBatchSize };

// `losses` times weights, as many as fit by adding or dropping a last dimension of size 1, reduced.
Output weighted_loss(Output losses, const std::optional<Output>& weights, Reduction reduction,
                     std::source_location at = std::source_location::current());
// Weights that fit the rank of `values`.
Output fitted_weights(Output weights, Output values);

// A loss: a function by name or of a program, and how its results are put together.
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

  LossFunction of;
  std::string name;
  Reduction reduction = Reduction::kSumOverBatchSize;
};

}  // namespace rill::keras

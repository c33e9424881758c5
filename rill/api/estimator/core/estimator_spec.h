#pragma once

#include "rill/api/estimator/input/model.h"

namespace rill::estimator {

// The key of the loss among metrics.
inline constexpr const char* kLossMetric = "loss";
inline constexpr const char* kAverageLossMetric = "average_loss";

// A model function's result with what TensorFlow adds: the loss a scalar, a scaffold, and for
// predictions the signatures that serve them. Throws InvalidArgument where something that the mode
// needs is missing or belongs to another graph.
EstimatorSpec checked(EstimatorSpec spec);

// The parts of that.
void check_train_op(const Runnable& train_op, Mode mode);
Output checked_loss(Output loss, Mode mode);
void check_predictions(const std::map<std::string, Output>& predictions, Mode mode);
void check_eval_metric_ops(const std::map<std::string, EvalMetric>& metrics);

// Whether a program gave a scaffold anything.
bool has_parts(const train::Scaffold& scaffold);

}  // namespace rill::estimator

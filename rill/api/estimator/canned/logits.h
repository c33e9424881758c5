#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rill/api/estimator/input/model.h"
#include "rill/api/feature_column/feature_column.h"
#include "rill/api/layers/activation.h"
#include "rill/api/variables/get_variable.h"

namespace rill::estimator {

using feature_column::Columns;
using LogitFn = std::function<Output(const Features& features, Mode mode)>;

struct DnnLogitOptions {
  layers::Activation activation_fn = relu_activation();
  std::optional<double> dropout = {};        // the share of units that is left out in training
  Partitioner input_layer_partitioner = {};  // of the variables of columns
  bool batch_norm = false;                   // after each hidden layer

  static layers::Activation relu_activation();
};
// Fully connected layers over dense columns, and a last one of `units` without an activation.
// Throws InvalidArgument for other columns, when it is called.
LogitFn dnn_logit_fn_builder(std::int64_t units, const std::vector<std::int64_t>& hidden_units,
                             const Columns& feature_columns, const DnnLogitOptions& options = {});
// A weight for each number or id of the columns, and a bias.
LogitFn linear_logit_fn_builder(std::int64_t units, const Columns& feature_columns,
                                const std::string& sparse_combiner = "sum");
// A bias, whatever the features. `weight_key` is a feature that does not tell the batch size.
LogitFn baseline_logit_fn_builder(std::int64_t num_outputs, const std::string& weight_key = {});

// The logits of a function of the program; throws InvalidArgument where it has none.
Output call_logit_fn(const LogitFn& logit_fn, const Features& features, Mode mode);

}  // namespace rill::estimator

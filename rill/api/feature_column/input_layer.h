#pragma once

#include "rill/api/feature_column/feature_column.h"

namespace rill::feature_column {

// What was made for each column, in the order of their names.
template <class T>
using PerColumn = std::vector<std::pair<ColumnRef, T>>;

struct InputLayerOptions {
  std::vector<std::string> weight_collections = {};
  bool trainable = true;
  PerColumn<std::vector<Variable>>* cols_to_vars = nullptr;  // gets the variables
  PerColumn<Output>* cols_to_output_tensors = nullptr;       // gets the parts of the result
  std::string name = {};  // of the variable scope: "input_layer", made unique
};
// The dense columns of a batch side by side: [examples, numbers]. Throws InvalidArgument where a
// column is not dense, a feature is missing or does not fit.
Output input_layer(const Features& features, const Columns& feature_columns,
                   const InputLayerOptions& options = {},
                   std::source_location at = std::source_location::current());

struct LinearModelOptions {
  std::int64_t units = 1;
  std::string sparse_combiner = "sum";
  std::vector<std::string> weight_collections = {};
  bool trainable = true;
  PerColumn<std::vector<Variable>>* cols_to_vars = nullptr;  // the bias last, of no column
};
// Weighted sums of all columns and a bias: [examples, units].
Output linear_model(const Features& features, const Columns& feature_columns,
                    const LinearModelOptions& options = {},
                    std::source_location at = std::source_location::current());

// Sequences of the columns side by side: [examples, steps, numbers], and their lengths.
TensorSequenceLengthPair sequence_input_layer(
    const Features& features, const Columns& feature_columns, const InputLayerOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill::feature_column

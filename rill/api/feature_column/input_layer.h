#pragma once

#include "rill/api/feature_column/feature_column.h"
#include "rill/api/variables/variable_template.h"

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
  bool own_scope = true;  // false: columns have their scopes in the current one
};
// The dense columns of a batch side by side, in the order of their names: [examples, numbers].
//
//   Output x = input_layer({{"age", ages}, {"city", cities}}, {age, embedding_column(city, 8)});
//
// Throws InvalidArgument where a column is not dense (categorical ones want an indicator or
// embedding column around them), two have one name, a feature is missing, or batches are known to
// differ.
Output input_layer(const Features& features, const Columns& feature_columns,
                   const InputLayerOptions& options = {},
                   std::source_location at = std::source_location::current());

struct SharedInputOptions {
  std::vector<std::string> weight_collections = {};
  bool trainable = true;
  std::string name = "feature_column_input_layer";
  bool create_scope_now = true;  // false: when it is called first
};
// input_layer as an object: its variables are made by the first call and shared by later ones.
class InputLayer {
 public:
  explicit InputLayer(Columns feature_columns, SharedInputOptions options = {});
  Output operator()(const Features& features,
                    std::source_location at = std::source_location::current());
  const std::string& name() const { return options_.name; }

 private:
  Columns columns_;
  SharedInputOptions options_;
  Template scope_;
};

struct LinearModelOptions {
  std::int64_t units = 1;
  std::string sparse_combiner = "sum";
  std::vector<std::string> weight_collections = {};
  bool trainable = true;
  PerColumn<std::vector<Variable>>* cols_to_vars = nullptr;  // the bias last, of no column
};
// Weighted sums of all columns and a bias: [examples, units]. Takes dense and categorical columns;
// ids have a row of weights each, combined by sparse_combiner ("sum", "mean", "sqrtn"). Weights
// begin as zeros. Throws InvalidArgument as input_layer does.
Output linear_model(const Features& features, const Columns& feature_columns,
                    const LinearModelOptions& options = {},
                    std::source_location at = std::source_location::current());

// Sequences of the columns side by side: [examples, steps, numbers], and their lengths. Throws
// InvalidArgument where a column is no sequence column; the step fails where lengths differ.
TensorSequenceLengthPair sequence_input_layer(
    const Features& features, const Columns& feature_columns, const InputLayerOptions& options = {},
    std::source_location at = std::source_location::current());

// What each column makes of the features by itself, in the order of names: for a look at one's
// columns.
PerColumn<Transformed> transform_features(
    const Features& features, const Columns& feature_columns,
    std::source_location at = std::source_location::current());

// What is known of each example beside every step of its sequence: [examples, steps, numbers of
// both]. Throws InvalidArgument unless ranks are 2 and 3 and both are float32.
Output concatenate_context_input(const Input& context_input, const Input& sequence_input,
                                 std::source_location at = std::source_location::current());

}  // namespace rill::feature_column

#include <algorithm>

#include "rill/api/feature_column/embedding_parts.h"
#include "rill/api/feature_column/input_layer.h"
#include "rill/api/feature_column/scope_state.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/feature_column/weighted_sum.h"
#include "rill/api/layers/layer.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/nn/activations.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::feature_column {
namespace {

// The first free name of a variable scope; it is not free any more then.
std::string unique_scope_name(const std::string& wanted, std::source_location at) {
  const auto taken = VariableScopeBlock::with_default_name(wanted, {}, at);
  const std::string& name = taken->scope()->name;
  return name.substr(name.rfind('/') + 1);
}

struct NamedColumn {
  std::string scope;
  ColumnRef column;
};

class ScopedModel {
 public:
  ScopedModel(const LinearModelOptions& options, std::source_location at)
      : options_(options),
        at_(at),
        collections_(with_model_collections(options.weight_collections)),
        state_(collections_, options.trainable) {}

  Output operator()(const Features& features, const std::vector<NamedColumn>& columns) {
    FeatureTransformationCache cache(features);
    std::vector<Output> sums;
    Columns in_order;
    for (const NamedColumn& named : columns) {
      sums.push_back(sum_of(named, cache));
      in_order.push_back(named.column);
    }
    verify_same_batch_size(sums, in_order);
    const Output sum = add_n({sums.begin(), sums.end()}, {.name = "weighted_sum_no_bias"});
    const layers::Weight bias = weights("bias_weights", {options_.units});
    // Of a bias in parts TensorFlow tells the first.
    if (options_.cols_to_vars)
      options_.cols_to_vars->emplace_back(nullptr, std::vector{bias.variables().at(0)});
    return nn::bias_add(sum, bias, {.name = "weighted_sum"});
  }

 private:
  AnyVariable weights(const std::string& name, const Shape& shape) {
    GetVariableOptions options;
    options.shape = shape;
    options.dtype = DType::f32;
    options.initializer = zeros_initializer();
    options.trainable = options_.trainable;
    AnyVariable variable = get_any_variable(name, options, at_);
    add_to_weight_collections(variable, collections_);
    return variable;
  }

  Output sum_of(const NamedColumn& named, FeatureTransformationCache& cache) {
    const auto in = VariableScopeBlock::with_default_name(named.scope, {}, at_);
    const AnyVariable own = weights("weights", {weight_rows(*named.column), options_.units});
    const Output sum = weighted_sum(*named.column, own, cache, state_, options_.sparse_combiner);
    if (options_.cols_to_vars) options_.cols_to_vars->emplace_back(named.column, variables_here());
    return sum;
  }

  const LinearModelOptions& options_;
  std::source_location at_;
  std::vector<std::string> collections_;
  ScopeState state_;
};

std::vector<NamedColumn> named_columns(const Columns& columns, std::source_location at) {
  std::vector<NamedColumn> named;
  for (const ColumnRef& column : sorted_columns(columns))
    named.push_back({unique_scope_name(column->var_scope_name(), at), column});
  std::stable_sort(named.begin(), named.end(),
                   [](const auto& a, const auto& b) { return a.scope < b.scope; });
  return named;
}

}  // namespace

Output linear_model(const Features& features, const Columns& feature_columns,
                    const LinearModelOptions& options, std::source_location at) {
  const std::string name = unique_scope_name("linear_model", at);
  const std::vector<NamedColumn> columns = named_columns(feature_columns, at);
  Features tensors;
  {
    const MadeAt place(at);
    for (const auto& [key, part] : features) tensors.emplace(key, part.as_tensors("Const"));
  }
  const Block in(name, "linear_model", at);
  const VariableScopeBlock scope(name, {}, at);
  for (const ColumnRef& column : feature_columns) weight_rows(*column);  // refuses other kinds
  layers::touch_collection(GraphKeys::UPDATE_OPS);
  return ScopedModel(options, at)(tensors, columns);
}

}  // namespace rill::feature_column

#include "rill/api/feature_column/weighted_sum.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/feature_column/embedding_parts.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/layers/weight.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/products.h"
#include "rill/api/nn/activations.h"

namespace rill::feature_column {
namespace {

Output sum_of_ids(const CategoricalColumn& column, const AnyVariable& weights,
                  FeatureTransformationCache& cache, StateManager& state,
                  const std::string& sparse_combiner) {
  const IdWeightPair ids = column.get_sparse_tensors(cache, state);
  IdWeightPair rows{with_rows(ids.id_tensor, -1), {}};
  if (ids.weight_tensor) rows.weight_tensor = with_rows(*ids.weight_tensor, -1);
  EmbeddingSettings settings;
  settings.combiner = sparse_combiner;
  return embedding_rows(weights, rows, settings, "weighted_sum");
}

Output sum_of_numbers(const DenseColumn& column, const AnyVariable& weights,
                      FeatureTransformationCache& cache, StateManager& state) {
  const Output tensor = column.get_dense_tensor(cache, state);
  const int count = as_int32(column.variable_shape().element_count());
  const Output examples = parts::item(shape(tensor), 0);
  const Output rows = raw::Reshape(tensor, parts::list_of({examples, count}));
  return matmul(rows, layers::Weight(weights), {.name = "weighted_sum"});
}

}  // namespace

std::int64_t weight_rows(const FeatureColumn& column) {
  if (const auto* ids = dynamic_cast<const CategoricalColumn*>(&column)) return ids->num_buckets();
  const auto* numbers = dynamic_cast<const DenseColumn*>(&column);
  require(numbers != nullptr,
          "Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: ",
          column.text());
  return numbers->variable_shape().element_count();
}

Output weighted_sum(const FeatureColumn& column, const AnyVariable& weights,
                    FeatureTransformationCache& cache, StateManager& state,
                    const std::string& sparse_combiner) {
  if (const auto* ids = dynamic_cast<const CategoricalColumn*>(&column))
    return sum_of_ids(*ids, weights, cache, state, sparse_combiner);
  return sum_of_numbers(dynamic_cast<const DenseColumn&>(column), weights, cache, state);
}

Output biased_sum(const std::vector<Output>& sums, const Input& bias) {
  const Output sum = add_n({sums.begin(), sums.end()}, {.name = "weighted_sum_no_bias"});
  return nn::bias_add(sum, bias, {.name = "weighted_sum"});
}

}  // namespace rill::feature_column

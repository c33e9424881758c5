#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/call_site.h"
#include "rill/api/estimator/canned/layer_state.h"
#include "rill/api/estimator/canned/logits.h"
#include "rill/api/estimator/canned/summaries.h"
#include "rill/api/feature_column/embedding_parts.h"
#include "rill/api/feature_column/sparse_parts.h"
#include "rill/api/gen/array.h"
#include "rill/api/layers/weight.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/products.h"
#include "rill/api/nn/activations.h"
#include "rill/api/variables/variable_scope.h"

namespace rill::estimator {
namespace {

namespace fc = feature_column;

AnyVariable zeros_variable(const std::string& name, const Shape& shape) {
  GetVariableOptions options;
  options.shape = shape;
  options.dtype = DType::f32;
  options.initializer = zeros_initializer();
  return get_any_variable(name, options);
}

// A linear model whose variables are made before it is called.
class LinearLayer {
 public:
  LinearLayer(std::int64_t units, const Columns& columns, std::string sparse_combiner)
      : units_(units), columns_(fc::sorted_columns(columns)) {
    settings_.combiner = std::move(sparse_combiner);
    const VariableScopeBlock layer("linear_model", without_name_scope());
    for (const fc::ColumnRef& column : columns_) weights_.push_back(weights_of(*column));
    bias_ = zeros_variable("bias_weights", {units_});
  }

  Output operator()(const Features& features) {
    const Block model({}, "linear_model", call_site());
    const Block layer({}, "linear_model", call_site());
    const Block in({}, "linear_model", call_site());
    fc::FeatureTransformationCache cache(features);
    std::vector<Output> sums;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      sums.push_back(weighted_sum(*columns_[i], weights_[i], cache));
    fc::verify_same_batch_size(sums, columns_);
    const Output sum = add_n({sums.begin(), sums.end()}, {.name = "weighted_sum_no_bias"});
    return nn::bias_add(sum, layers::Weight(bias_), {.name = "weighted_sum"});
  }

  void summarize() const {
    std::vector<Variable> all;
    for (const AnyVariable& weight : weights_)
      for (const Variable& part : fc::variables_of(weight)) all.push_back(part);
    summarize_linear(units_, fc::variables_of(bias_), all);
  }

 private:
  AnyVariable weights_of(const fc::FeatureColumn& column) {
    const VariableScopeBlock own(scope_name_of(column), without_name_scope());
    column.create_state(state_);
    if (const auto* ids = dynamic_cast<const fc::CategoricalColumn*>(&column))
      return zeros_variable("weights", {ids->num_buckets(), units_});
    const auto* numbers = dynamic_cast<const fc::DenseColumn*>(&column);
    require(numbers != nullptr,
            "Items of feature_columns must be either a DenseColumn or CategoricalColumn. Given: ",
            column.text());
    return zeros_variable("weights", {numbers->variable_shape().element_count(), units_});
  }

  Output weighted_sum(const fc::FeatureColumn& column, const AnyVariable& weight,
                      fc::FeatureTransformationCache& cache) {
    const Block in(scope_name_of(column), {}, call_site());
    if (const auto* categories = dynamic_cast<const fc::CategoricalColumn*>(&column)) {
      const fc::IdWeightPair ids = categories->get_sparse_tensors(cache, state_);
      fc::IdWeightPair rows{fc::with_rows(ids.id_tensor, -1), {}};
      if (ids.weight_tensor) rows.weight_tensor = fc::with_rows(*ids.weight_tensor, -1);
      return fc::embedding_rows(weight, rows, settings_, "weighted_sum");
    }
    const auto& numbers = dynamic_cast<const fc::DenseColumn&>(column);
    const Output tensor = numbers.get_dense_tensor(cache, state_);
    const Output examples = parts::item(shape(tensor), 0);
    const int count = static_cast<int>(numbers.variable_shape().element_count());
    const Output rows = raw::Reshape(tensor, parts::list_of({examples, count}));
    return matmul(rows, layers::Weight(weight), {.name = "weighted_sum"});
  }

  std::int64_t units_;
  Columns columns_;
  fc::EmbeddingSettings settings_;
  LayerState state_;
  std::vector<AnyVariable> weights_;
  AnyVariable bias_;
};

}  // namespace

LogitFn linear_logit_fn_builder(std::int64_t units, const Columns& feature_columns,
                                const std::string& sparse_combiner) {
  return [=](const Features& features, Mode) {
    const VariableScopeBlock resources(get_variable_scope(), with_resources());
    LinearLayer model(units, feature_columns, sparse_combiner);
    const Output logits = model(features);
    model.summarize();
    return logits;
  };
}

}  // namespace rill::estimator

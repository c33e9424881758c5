#include "rill/api/estimator/canned/canned.h"

namespace rill::estimator {
namespace {

// All options have these fields in common.

template <class Options>
EstimatorOptions estimator_options(const Options& o) {
  return {.model_dir = o.model_dir, .config = o.config, .warm_start_from = o.warm_start_from};
}

template <class Options>
HeadRef number_head(const Options& o) {
  return regression_head({.weight_column = o.weight_column,
                          .label_dimension = o.label_dimension,
                          .loss_reduction = o.loss_reduction});
}

// The feature that a column of weights reads.
std::string key_of(const WeightColumn& column) {
  if (const auto* key = std::get_if<std::string>(&column)) return *key;
  const auto* found = std::get_if<feature_column::ColumnRef>(&column);
  return found ? (*found)->name() : std::string();
}

ModelFn combined(const HeadRef& head, const DNNLinearCombinedOptions& o) {
  return dnn_linear_combined_model_fn({head, o.linear_feature_columns, o.linear_optimizer,
                                       o.dnn_feature_columns, o.dnn_optimizer, o.dnn_hidden_units,
                                       o.dnn, o.linear_sparse_combiner});
}

}  // namespace

DNNClassifier::DNNClassifier(const std::vector<std::int64_t>& hidden_units,
                             const Columns& feature_columns, const DNNOptions& o)
    : Estimator(dnn_model_fn({class_head(o), hidden_units, feature_columns, o.optimizer, o.dnn}),
                estimator_options(o)) {}
DNNRegressor::DNNRegressor(const std::vector<std::int64_t>& hidden_units,
                           const Columns& feature_columns, const DNNOptions& o)
    : Estimator(dnn_model_fn({number_head(o), hidden_units, feature_columns, o.optimizer, o.dnn}),
                estimator_options(o)) {}
DNNEstimator::DNNEstimator(const HeadRef& head, const std::vector<std::int64_t>& hidden_units,
                           const Columns& feature_columns, const DNNOptions& o)
    : Estimator(dnn_model_fn({head, hidden_units, feature_columns, o.optimizer, o.dnn}),
                estimator_options(o)) {}

LinearClassifier::LinearClassifier(const Columns& feature_columns, const LinearOptions& o)
    : Estimator(linear_model_fn({class_head(o), feature_columns, o.optimizer, o.partitioner,
                                 o.sparse_combiner}),
                estimator_options(o)) {}
LinearRegressor::LinearRegressor(const Columns& feature_columns, const LinearOptions& o)
    : Estimator(linear_model_fn({number_head(o), feature_columns, o.optimizer, o.partitioner,
                                 o.sparse_combiner}),
                estimator_options(o)) {}
LinearEstimator::LinearEstimator(const HeadRef& head, const Columns& feature_columns,
                                 const LinearOptions& o)
    : Estimator(
          linear_model_fn({head, feature_columns, o.optimizer, o.partitioner, o.sparse_combiner}),
          estimator_options(o)) {}

DNNLinearCombinedClassifier::DNNLinearCombinedClassifier(const DNNLinearCombinedOptions& o)
    : Estimator(combined(class_head(o), o), estimator_options(o)) {}
DNNLinearCombinedRegressor::DNNLinearCombinedRegressor(const DNNLinearCombinedOptions& o)
    : Estimator(combined(number_head(o), o), estimator_options(o)) {}
DNNLinearCombinedEstimator::DNNLinearCombinedEstimator(const HeadRef& head,
                                                       const DNNLinearCombinedOptions& o)
    : Estimator(combined(head, o), estimator_options(o)) {}

BaselineClassifier::BaselineClassifier(const BaselineOptions& o)
    : Estimator(baseline_model_fn({class_head(o), o.optimizer, key_of(o.weight_column)}),
                estimator_options(o)) {}
BaselineRegressor::BaselineRegressor(const BaselineOptions& o)
    : Estimator(baseline_model_fn({number_head(o), o.optimizer, key_of(o.weight_column)}),
                estimator_options(o)) {}
BaselineEstimator::BaselineEstimator(const HeadRef& head, const BaselineOptions& o)
    : Estimator(baseline_model_fn({head, o.optimizer, {}}), estimator_options(o)) {}

}  // namespace rill::estimator

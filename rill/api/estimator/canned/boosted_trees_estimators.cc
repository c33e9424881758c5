#include <algorithm>
#include <cmath>

#include "rill/api/estimator/canned/boosted_trees.h"
#include "rill/api/saver/checkpoint_utils.h"
#include "tensorflow/core/kernels/boosted_trees/boosted_trees.pb.h"

namespace rill::estimator {
namespace {

namespace message = tensorflow::boosted_trees;

EstimatorOptions options_of(const BoostedTreesOptions& o) {
  return {.model_dir = o.model_dir, .config = o.config};
}

const std::string& name_at(const std::vector<std::string>& names, std::int64_t feature) {
  require(feature >= 0 && feature < static_cast<std::int64_t>(names.size()),
          "A tree splits by feature ", feature, ", but there are ", names.size(), ".");
  return names[static_cast<std::size_t>(feature)];
}

// Sums by name, the largest first; the smaller name where two are equal.
std::vector<std::pair<std::string, double>> ordered(const std::map<std::string, double>& sums,
                                                    bool by_size) {
  std::vector<std::pair<std::string, double>> list(sums.begin(), sums.end());
  std::ranges::stable_sort(list, [&](const auto& a, const auto& b) {
    return by_size ? std::fabs(a.second) > std::fabs(b.second) : a.second > b.second;
  });
  return list;
}

}  // namespace

FeatureImportances feature_importances(const std::string& ensemble,
                                       const std::vector<std::string>& feature_names,
                                       bool normalize) {
  message::TreeEnsemble trees;
  require(trees.ParseFromString(ensemble), "Unable to parse tree ensemble proto.");
  std::map<std::string, double> gains;
  for (const std::string& name : feature_names) gains[name] = 0;
  double total = 0;
  for (int t = 0; t < trees.trees_size(); ++t) {
    const double weight = t < trees.tree_weights_size() ? trees.tree_weights(t) : 1;
    for (const message::Node& node : trees.trees(t).nodes()) {
      std::int64_t feature = -1;
      if (node.has_bucketized_split()) feature = node.bucketized_split().feature_id();
      if (node.has_categorical_split()) feature = node.categorical_split().feature_id();
      if (feature < 0) continue;
      gains[name_at(feature_names, feature)] += weight * node.metadata().gain();
      total += weight * node.metadata().gain();
    }
  }
  require(total > 0 || !normalize, "Trees are all empty or root node only.");
  if (normalize)
    for (auto& [name, gain] : gains) gain /= total;
  return ordered(gains, false);
}

Explanation explain_prediction(const std::string& debug_output,
                               const std::vector<std::string>& feature_names, bool sigmoid) {
  message::DebugOutput path;
  require(path.ParseFromString(debug_output), "Unable to parse debug output proto.");
  const auto prediction = [&](int i) {
    const double logit = path.logits_path(i);
    return sigmoid ? 1 / (1 + std::exp(-logit)) : logit;
  };
  Explanation result;
  if (path.logits_path_size() == 0) return result;
  require(path.logits_path_size() == path.feature_ids_size() + 1, "A debug output has ",
          path.logits_path_size(), " logits for ", path.feature_ids_size(), " features.");
  result.bias = prediction(0);
  std::map<std::string, double> moved;
  for (const std::string& name : feature_names) moved[name] = 0;
  for (int i = 0; i < path.feature_ids_size(); ++i)
    moved[name_at(feature_names, path.feature_ids(i))] += prediction(i + 1) - prediction(i);
  result.contributions = ordered(moved, true);
  return result;
}

BoostedTreesEstimator::BoostedTreesEstimator(const HeadRef& head, const Columns& feature_columns,
                                             const BoostedTreesOptions& o)
    : Estimator(boosted_trees_model_fn(head, feature_columns, o.trees), options_of(o)),
      columns_(feature_columns) {}

FeatureImportances BoostedTreesEstimator::experimental_feature_importances(bool normalize) {
  const std::optional<std::string> checkpoint = latest_checkpoint();
  require(checkpoint.has_value(), "Could not find trained model in model_dir: ", model_dir(), ".");
  const Tensor ensemble = train::load_variable(*checkpoint, "boosted_trees:0_serialized");
  return feature_importances(ensemble.scalar_value<std::string>(),
                             boosted_trees_feature_names(columns_), normalize);
}

BoostedTreesClassifier::BoostedTreesClassifier(const Columns& feature_columns,
                                               const BoostedTreesOptions& o)
    : BoostedTreesEstimator(
          binary_classification_head({.weight_column = o.weight_column,
                                      .label_vocabulary = o.label_vocabulary,
                                      .loss_reduction = losses::Reduction::SUM_BY_NONZERO_WEIGHTS}),
          feature_columns, o) {}

BoostedTreesRegressor::BoostedTreesRegressor(const Columns& feature_columns,
                                             const BoostedTreesOptions& o)
    : BoostedTreesEstimator(
          regression_head({.weight_column = o.weight_column,
                           .loss_reduction = losses::Reduction::SUM_BY_NONZERO_WEIGHTS}),
          feature_columns, o) {}

}  // namespace rill::estimator

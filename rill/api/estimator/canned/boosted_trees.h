#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/estimator/canned/canned.h"

namespace rill::estimator {

// How trees grow. pruning_mode: "none", "pre" (splits without a gain are not made) or "post" (they
// are taken back when a tree is done); both need a tree_complexity above 0, which every split has
// to gain.
struct BoostedTreesSettings {
  std::int64_t n_batches_per_layer = 1;  // that are looked at before a layer grows
  std::int64_t n_trees = 100, max_depth = 6;
  double learning_rate = 0.1;
  double l1_regularization = 0, l2_regularization = 0, tree_complexity = 0, min_node_weight = 0;
  bool center_bias = false;  // the first tree begins with the best constant
  std::string pruning_mode = "none";
};

// Boosted trees over bucketized and indicator columns in the default graph. Throws InvalidArgument
// for settings that make no sense, Unimplemented for other columns.
class BoostedTreesModel {
 public:
  BoostedTreesModel(const Features& features, Mode mode, Columns columns,
                    const BoostedTreesSettings& settings);

  Output logits() const { return logits_; }
  // One step of training: looks at the batch, grows a layer once there were enough of them, and
  // counts the global step.
  Runnable train(Output loss);
  // Ends training when there are enough trees, or no layer grows any more.
  HookRef stop_hook() const;
  // DebugOutput messages, one for each example.
  Output debug_outputs() const;

 private:
  struct Bucketized {
    Output buckets;
    std::int64_t count;
  };
  void add_column(const Columns::value_type& column, const Features& features);
  std::vector<Output> statistics(Output gradients, Output hessians) const;
  Node& grow(const std::vector<Output>& statistics) const;
  Node& center(Output mean_gradients, Output mean_hessians) const;
  Node& grow_or_center(const std::vector<Output>& sums) const;
  std::vector<std::pair<std::int64_t, std::vector<std::size_t>>> groups() const;
  std::vector<Output> buckets() const;

  BoostedTreesSettings settings_;
  std::vector<Bucketized> features_;
  Output handle_, logits_, node_ids_, stamp_, finalized_trees_, attempted_layers_, last_nodes_;
  Variable center_bias_needed_;
};

// Logits of one dimension are made for the head.
ModelFn boosted_trees_model_fn(HeadRef head, Columns columns, BoostedTreesSettings settings);

struct BoostedTreesOptions {
  std::string model_dir = {};
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};  // classifiers
  std::optional<RunConfig> config = {};
  BoostedTreesSettings trees = {};
};

// By how much splits by each feature lowered the loss, the largest first.
using FeatureImportances = std::vector<std::pair<std::string, double>>;

// Trees that grow one after the other, each where those before it are wrong: gradient boosting with
// first and second derivatives. Stops by itself once it has its trees.
class BoostedTreesEstimator : public Estimator {
 public:
  BoostedTreesEstimator(const HeadRef& head, const Columns& feature_columns,
                        const BoostedTreesOptions& options = {});
  // Of the newest checkpoint; throws InvalidArgument where there is none.
  FeatureImportances experimental_feature_importances(bool normalize = false);

 private:
  Columns columns_;
};
class BoostedTreesClassifier : public BoostedTreesEstimator {  // of two classes
 public:
  explicit BoostedTreesClassifier(const Columns& feature_columns,
                                  const BoostedTreesOptions& options = {});
};
class BoostedTreesRegressor : public BoostedTreesEstimator {
 public:
  explicit BoostedTreesRegressor(const Columns& feature_columns,
                                 const BoostedTreesOptions& options = {});
};

// The columns that features stand for, in the order of the features.
std::vector<std::string> boosted_trees_feature_names(Columns columns);
// Of a TreeEnsemble message.
FeatureImportances feature_importances(const std::string& ensemble,
                                       const std::vector<std::string>& feature_names,
                                       bool normalize);
// How each feature moved a prediction, the largest first, and where it began. `to_prediction`:
// "" or "sigmoid".
struct Explanation {
  double bias = 0;
  std::vector<std::pair<std::string, double>> contributions = {};
};
Explanation explain_prediction(const std::string& debug_output,
                               const std::vector<std::string>& feature_names, bool sigmoid);

}  // namespace rill::estimator

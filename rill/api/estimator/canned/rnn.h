#pragma once

#include "rill/api/estimator/canned/canned.h"
#include "rill/api/rnn/cell.h"

namespace rill::estimator {

// tf.contrib.estimator's recurrent estimators.

using RnnCellFn = std::function<std::shared_ptr<nn::Cell>(Mode mode)>;
// One cell ("basic_rnn", "lstm", "gru"), or several on top of each other. Throws InvalidArgument
// for other types, and where there are no units.
RnnCellFn rnn_cell_fn(const std::vector<std::int64_t>& num_units,
                      const std::string& cell_type = "basic_rnn");

struct RNNOptions {
  std::string model_dir = {};
  std::int64_t n_classes = 2;  // classifiers
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM_OVER_BATCH_SIZE;
  std::optional<RunConfig> config = {};
  Columns context_feature_columns = {};  // the same at all steps
  OptimizerChoice optimizer = "Adagrad";
  double clip_norm = 5.0;  // of all gradients together; 0: they are not clipped
  Partitioner input_layer_partitioner = {};
  bool return_sequences = false;  // logits of all steps, not of the last alone
};
class RNNClassifier : public Estimator {
 public:
  RNNClassifier(const Columns& sequence_feature_columns, const RnnCellFn& cell_fn,
                const RNNOptions& options = {});
};
class RNNEstimator : public Estimator {
 public:
  RNNEstimator(const HeadRef& head, const Columns& sequence_feature_columns,
               const RnnCellFn& cell_fn, const RNNOptions& options = {});
};

}  // namespace rill::estimator

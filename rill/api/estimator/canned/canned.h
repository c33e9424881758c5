#pragma once

#include "rill/api/estimator/canned/models.h"
#include "rill/api/estimator/core/estimator.h"

namespace rill::estimator {

// Premade estimators. Classifiers have the head of two or more classes, regressors that of numbers,
// and those called Estimator the one that is given.
//
//   estimator::DNNClassifier model({64, 32}, {feature_column::numeric_column("x")},
//                                  {.model_dir = "models/first", .n_classes = 3});
//
// Features must have names. Options that do not fit throw InvalidArgument, those of columns when
// the model is built. The loss is the sum over the batch by default, as TensorFlow's version 1 has
// it: learning rates depend on the batch size.

// Adagrad's learning rate is 0.05. Those with a head of their own ignore n_classes,
// label_dimension, weights and vocabulary.
struct DNNOptions {
  std::string model_dir = {};
  std::int64_t n_classes = 2;        // classifiers
  std::int64_t label_dimension = 1;  // regressors
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM;
  std::optional<RunConfig> config = {};
  std::optional<WarmStartSettings> warm_start_from = {};
  OptimizerChoice optimizer = "Adagrad";
  DnnLogitOptions dnn = {};
};
// Fully connected layers with these numbers of units, over dense columns. Among the predictions are
// "logits", "probabilities", "class_ids" and "classes".
class DNNClassifier : public Estimator {
 public:
  DNNClassifier(const std::vector<std::int64_t>& hidden_units, const Columns& feature_columns,
                const DNNOptions& options = {});
};
class DNNRegressor : public Estimator {
 public:
  DNNRegressor(const std::vector<std::int64_t>& hidden_units, const Columns& feature_columns,
               const DNNOptions& options = {});
};
class DNNEstimator : public Estimator {
 public:
  DNNEstimator(const HeadRef& head, const std::vector<std::int64_t>& hidden_units,
               const Columns& feature_columns, const DNNOptions& options = {});
};

// Ftrl's learning rate is 0.2.
struct LinearOptions {
  std::string model_dir = {};
  std::int64_t n_classes = 2;        // classifiers
  std::int64_t label_dimension = 1;  // regressors
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM;
  std::optional<RunConfig> config = {};
  std::optional<WarmStartSettings> warm_start_from = {};
  OptimizerChoice optimizer = "Ftrl";
  Partitioner partitioner = {};
  std::string sparse_combiner = "sum";
};
// A weighted sum of the columns, dense or categorical, and a bias.
class LinearClassifier : public Estimator {
 public:
  explicit LinearClassifier(const Columns& feature_columns, const LinearOptions& options = {});
};
class LinearRegressor : public Estimator {
 public:
  explicit LinearRegressor(const Columns& feature_columns, const LinearOptions& options = {});
};
class LinearEstimator : public Estimator {
 public:
  LinearEstimator(const HeadRef& head, const Columns& feature_columns,
                  const LinearOptions& options = {});
};

// Each half has its own columns and optimizer; one of them may have none. The net's learning rate
// is 0.001, that of the linear half min(0.005, 1 / sqrt(number of columns)).
struct DNNLinearCombinedOptions {
  std::string model_dir = {};
  std::int64_t n_classes = 2;        // classifiers
  std::int64_t label_dimension = 1;  // regressors
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM;
  std::optional<RunConfig> config = {};
  std::optional<WarmStartSettings> warm_start_from = {};
  Columns linear_feature_columns = {};
  OptimizerChoice linear_optimizer = "Ftrl";
  Columns dnn_feature_columns = {};
  OptimizerChoice dnn_optimizer = "Adagrad";
  std::vector<std::int64_t> dnn_hidden_units = {};
  DnnLogitOptions dnn = {};
  std::string linear_sparse_combiner = "sum";
};
// Wide and deep: the logits of both halves, added. Throws InvalidArgument where there are no
// columns at all, or columns for the net but no hidden units.
class DNNLinearCombinedClassifier : public Estimator {
 public:
  explicit DNNLinearCombinedClassifier(const DNNLinearCombinedOptions& options);
};
class DNNLinearCombinedRegressor : public Estimator {
 public:
  explicit DNNLinearCombinedRegressor(const DNNLinearCombinedOptions& options);
};
class DNNLinearCombinedEstimator : public Estimator {
 public:
  DNNLinearCombinedEstimator(const HeadRef& head, const DNNLinearCombinedOptions& options);
};

struct BaselineOptions {
  std::string model_dir = {};
  std::int64_t n_classes = 2;        // classifiers
  std::int64_t label_dimension = 1;  // regressors
  WeightColumn weight_column = {};
  std::vector<std::string> label_vocabulary = {};
  losses::Reduction loss_reduction = losses::Reduction::SUM;
  std::optional<RunConfig> config = {};
  std::optional<WarmStartSettings> warm_start_from = {};
  OptimizerChoice optimizer = "Ftrl";
};
// Models that do not look at the features: they learn the mean of the labels, or how often classes
// come. What a real model must be better than.
class BaselineClassifier : public Estimator {
 public:
  explicit BaselineClassifier(const BaselineOptions& options = {});
};
class BaselineRegressor : public Estimator {
 public:
  explicit BaselineRegressor(const BaselineOptions& options = {});
};
class BaselineEstimator : public Estimator {
 public:
  explicit BaselineEstimator(const HeadRef& head, const BaselineOptions& options = {});
};

}  // namespace rill::estimator

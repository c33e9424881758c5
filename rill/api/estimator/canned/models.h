#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "rill/api/estimator/canned/logits.h"
#include "rill/api/estimator/heads/head.h"

namespace rill::estimator {

using OptimizerRef = std::shared_ptr<train::Optimizer>;

// An optimizer: by name ("Adagrad", "Adam", "Ftrl", "RMSProp", "SGD"), one, or what makes one in
// the graph of the model.
class OptimizerChoice {
 public:
  OptimizerChoice(const char* name) : name_(name) {}
  OptimizerChoice(std::string name) : name_(std::move(name)) {}
  template <class Optimizer>
  requires std::derived_from<Optimizer, train::Optimizer> OptimizerChoice(
      std::shared_ptr<Optimizer> one)
      : one_(std::move(one)) {}
  OptimizerChoice(std::function<OptimizerRef()> make) : make_(std::move(make)) {}

  // `learning_rate` is for those that are given by name. Throws InvalidArgument for other names.
  OptimizerRef get(double learning_rate) const;

 private:
  std::string name_ = {};
  OptimizerRef one_ = {};
  std::function<OptimizerRef()> make_ = {};
};

// Of two classes or of more, as the options of a classifier say.
template <class Options>
HeadRef class_head(const Options& o) {
  const HeadOptions options{.weight_column = o.weight_column,
                            .label_vocabulary = o.label_vocabulary,
                            .loss_reduction = o.loss_reduction};
  return o.n_classes == 2 ? binary_classification_head(options)
                          : multi_class_head(o.n_classes, options);
}

// What the models below are made of. Learning rates are those of TensorFlow's premade models.
struct DnnModel {
  HeadRef head = {};
  std::vector<std::int64_t> hidden_units = {};
  Columns feature_columns = {};
  OptimizerChoice optimizer = "Adagrad";
  DnnLogitOptions options = {};
};
struct LinearModel {
  HeadRef head = {};
  Columns feature_columns = {};
  OptimizerChoice optimizer = "Ftrl";
  Partitioner partitioner = {};
  std::string sparse_combiner = "sum";
};
struct DnnLinearCombinedModel {
  HeadRef head = {};
  Columns linear_feature_columns = {};
  OptimizerChoice linear_optimizer = "Ftrl";
  Columns dnn_feature_columns = {};
  OptimizerChoice dnn_optimizer = "Adagrad";
  std::vector<std::int64_t> dnn_hidden_units = {};
  DnnLogitOptions dnn_options = {};
  std::string linear_sparse_combiner = "sum";
};
struct BaselineModel {
  HeadRef head = {};
  OptimizerChoice optimizer = "Ftrl";
  std::string weight_key = {};
};

// The functions throw InvalidArgument for features without names and unknown optimizers.
ModelFn dnn_model_fn(DnnModel model);
ModelFn linear_model_fn(LinearModel model);
// Throws InvalidArgument where there are no columns; the function throws it where there are no
// hidden units for those of the net.
ModelFn dnn_linear_combined_model_fn(DnnLinearCombinedModel model);
ModelFn baseline_model_fn(BaselineModel model);

// The learning rates of optimizers that are given by name.
inline constexpr double kDnnLearningRate = 0.05, kLinearLearningRate = 0.2,
                        kBaselineLearningRate = 0.3, kCombinedDnnLearningRate = 0.001;
double combined_linear_learning_rate(std::size_t columns);

}  // namespace rill::estimator

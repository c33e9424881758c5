#pragma once

#include <memory>
#include <string>
#include <vector>

#include "rill/api/keras/model.h"

// tf.keras.experimental: models that are there already.
namespace rill::keras::experimental {

struct LinearModelOptions {
  Activation activation = {};
  bool use_bias = true;
  Initializer kernel_initializer = {}, bias_initializer = {};  // none: Glorot's, zeros
  Regularizer kernel_regularizer = {}, bias_regularizer = {};
  std::string name = {};
};
// Weighted sums of one or several inputs, and a bias. build_for() says the shapes of the inputs,
// without the number of examples, and must come before compile().
//
//   tf::keras::experimental::LinearModel model;
//   model.build_for({{20}});
//   model.compile({.optimizer = "sgd", .loss = "mse"});
class LinearModel : public Model {
 public:
  explicit LinearModel(std::int64_t units = 1, const LinearModelOptions& options = {});
  void build_for(const std::vector<PartialShape>& examples);

 private:
  std::int64_t units_;
  LinearModelOptions options_;
};

// The sum of what a linear and a deep model say: of the same inputs where those have the same
// shapes, else of the linear model's inputs, then the deep one's. Both must be built.
class WideDeepModel : public Model {
 public:
  WideDeepModel(std::shared_ptr<Model> linear_model, std::shared_ptr<Model> dnn_model,
                const Activation& activation = {}, const std::string& name = {});

 private:
  std::shared_ptr<Model> linear_, deep_;
};

}  // namespace rill::keras::experimental

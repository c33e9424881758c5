#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/data/dataset.h"
#include "rill/api/estimator/canned/boosted_trees.h"
#include "rill/api/estimator/canned/canned.h"
#include "rill/api/estimator/canned/rnn.h"
#include "rill/api/feature_column/columns.h"
#include "rill/api/train/adam.h"
#include "rill/api/train/optimizers.h"
#include "rill/base/error.h"
#include "rill/base/file_testing.h"

namespace {

namespace tf = rill;
namespace est = rill::estimator;
namespace fc = rill::feature_column;

class Canned : public testing::Test {
 protected:
  std::string dir() const { return scratch_ / "model"; }

  // Points in the plane; the label is whether the first number is positive, or the first number.
  static est::InputFn points(bool numbers, int epochs = 1) {
    return [=](est::Mode, const est::RunConfig&) -> est::InputValues {
      constexpr std::int64_t kCount = 32;
      tf::Tensor x(tf::DType::f32, {kCount, 2}), y(tf::DType::f32, {kCount});
      for (int i = 0; i < kCount; ++i) {
        x.data<float>()[2 * i] = static_cast<float>(std::sin(1.0 + i));
        x.data<float>()[2 * i + 1] = static_cast<float>(std::cos(3.0 * i));
        const float first = x.data<float>()[2 * i];
        y.data<float>()[i] = numbers ? 3 * first + 1 : first > 0 ? 1.0f : 0.0f;
      }
      const auto data = tf::data::Dataset::from_tensor_slices({x, y}).batch(8).repeat(epochs);
      return est::BatchDataset{
          data, [](const tf::data::Components& parts) {
            return est::InputBatch{.features = {{"x", parts[0]}}, .labels = {{"", parts[1]}}};
          }};
    };
  }
  static est::Columns plane() { return {fc::numeric_column("x", {.shape = {2}})}; }
  static float value(const est::Values& values, const char* key) {
    return values.at(key).scalar_value<float>();
  }

 private:
  rill::ScratchDirectory scratch_;
};

TEST_F(Canned, DNNClassifierLearns) {
  est::DNNClassifier model({8, 4}, plane(),
                           {.model_dir = dir(), .config = est::RunConfig({.tf_random_seed = 1})});
  model.train(points(false, 60));
  const auto metrics = model.evaluate(points(false));
  EXPECT_GE(value(metrics, "accuracy"), 0.9f);
  const auto names = model.get_variable_names();
  for (const char* name :
       {"dnn/hiddenlayer_0/kernel", "dnn/hiddenlayer_1/bias", "dnn/logits/kernel", "global_step"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
}

TEST_F(Canned, LinearRegressorLearns) {
  est::LinearRegressor model(
      plane(), {.model_dir = dir(),
                .optimizer = std::make_shared<tf::train::GradientDescentOptimizer>(0.02)});
  model.train(points(true, 60));
  EXPECT_LT(value(model.evaluate(points(true)), "average_loss"), 0.05f);
  const tf::Tensor bias = model.get_variable_value("linear/linear_model/bias_weights");
  EXPECT_NEAR(bias.flat<float>()[0], 1.0f, 0.2f);
}

TEST_F(Canned, WideAndDeep) {
  const auto steep = std::make_shared<tf::train::GradientDescentOptimizer>(0.1);
  est::DNNLinearCombinedClassifier model({.model_dir = dir(),
                                          .config = est::RunConfig({.tf_random_seed = 1}),
                                          .linear_feature_columns = plane(),
                                          .linear_optimizer = steep,
                                          .dnn_feature_columns = plane(),
                                          .dnn_optimizer = "Adam",
                                          .dnn_hidden_units = {4}});
  model.train(points(false, 20));
  const auto metrics = model.evaluate(points(false));
  EXPECT_GE(value(metrics, "accuracy"), 0.8f);
  EXPECT_EQ(metrics.at("global_step").scalar_value<std::int64_t>(), 80);
}

TEST_F(Canned, BaselinesPredictTheMean) {
  est::BaselineRegressor model({.model_dir = dir(),
                                .loss_reduction = tf::losses::Reduction::SUM_OVER_BATCH_SIZE,
                                .optimizer = "SGD"});
  model.train(points(true, 20));
  const auto metrics = model.evaluate(points(true));
  EXPECT_NEAR(value(metrics, "prediction/mean"), value(metrics, "label/mean"), 0.7f);
}

TEST_F(Canned, HeadsOfOnesOwn) {
  est::DNNEstimator model(est::regression_head({.name = "sum"}), {4}, plane(),
                          {.model_dir = dir(), .dnn = {.batch_norm = true}});
  model.train(points(true, 2));
  const auto metrics = model.evaluate(points(true));
  EXPECT_TRUE(metrics.contains("average_loss/sum"));
  auto predictions = model.predict(points(true));
  int count = 0;
  while (predictions.next()) ++count;
  EXPECT_EQ(count, 32);
}

TEST_F(Canned, SequencesHaveClasses) {
  const est::InputFn input = [](est::Mode, const est::RunConfig&) -> est::InputValues {
    constexpr std::int64_t kCount = 16, kSteps = 3;
    tf::Tensor ids(tf::DType::i64, {kCount, kSteps}), labels(tf::DType::i64, {kCount});
    for (int i = 0; i < kCount; ++i) {
      for (int step = 0; step < kSteps; ++step)
        ids.data<std::int64_t>()[i * kSteps + step] = (3 * i + 5 * step) % 4;
      labels.data<std::int64_t>()[i] = ids.data<std::int64_t>()[i * kSteps + 2] > 1 ? 1 : 0;
    }
    return est::InputBatch{.features = {{"w", tf::constant(ids)}},
                           .labels = {{"", tf::constant(labels)}}};
  };
  const auto words = fc::sequence_categorical_column_with_identity("w", 4);
  est::RNNClassifier model({fc::embedding_column(words, 4)}, est::rnn_cell_fn({6}, "gru"),
                           {.model_dir = dir(),
                            .config = est::RunConfig({.tf_random_seed = 1}),
                            .optimizer = std::make_shared<tf::train::AdamOptimizer>(0.05)});
  model.train(input, {.steps = 80});
  EXPECT_GE(value(model.evaluate(input, {.steps = 1}), "accuracy"), 0.9f);
}

TEST_F(Canned, Refuse) {
  EXPECT_THROW(est::DNNLinearCombinedClassifier({.model_dir = dir()}), rill::Error);
  EXPECT_THROW(est::DNNClassifier({4}, plane(), {.model_dir = dir(), .n_classes = 1}), rill::Error);
  est::DNNClassifier model({4}, plane(), {.model_dir = dir(), .optimizer = "Best"});
  EXPECT_THROW(model.train(points(false)), rill::Error);
}

TEST_F(Canned, BoostedTreesGrow) {
  const est::Columns buckets = {
      fc::bucketized_column(fc::numeric_column("x", {.shape = {2}}), {-0.5, 0.0, 0.5})};
  est::BoostedTreesClassifier model(buckets, {.model_dir = dir(),
                                              .trees = {.n_batches_per_layer = 4,
                                                        .n_trees = 3,
                                                        .max_depth = 2,
                                                        .learning_rate = 0.5,
                                                        .center_bias = true}});
  model.train(points(false, 1000));  // stops by itself
  const auto metrics = model.evaluate(points(false));
  EXPECT_GE(value(metrics, "accuracy"), 0.9f);
  EXPECT_LT(metrics.at("global_step").scalar_value<std::int64_t>(), 100);
  const est::FeatureImportances gains = model.experimental_feature_importances(true);
  ASSERT_EQ(gains.size(), 1u);
  EXPECT_EQ(gains[0].first, "x_bucketized");
  EXPECT_NEAR(gains[0].second, 1, 1e-6);
  EXPECT_THROW(est::BoostedTreesRegressor(plane(), {.trees = {.pruning_mode = "post"}}),
               rill::Error);
  EXPECT_THROW(est::BoostedTreesRegressor(plane(), {.model_dir = dir()}).train(points(true)),
               rill::Error);  // numbers must be bucketized
}

}  // namespace

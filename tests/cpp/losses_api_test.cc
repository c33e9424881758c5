#include "rill/api/losses/losses.h"

#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/losses/weights_broadcast.h"
#include "rill/api/math/operators.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

class LossesApi : public testing::Test {
 protected:
  float value(Output x) { return session_.run(x).scalar_value<float>(); }
  Output row(std::initializer_list<float> values) {
    return constant(Tensor::of<float>({1, static_cast<std::int64_t>(values.size())}, values));
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
  Session session_{graph_};
};

TEST_F(LossesApi, regression) {
  const Output labels = row({1, 2, 9}), predictions = row({1.5f, 2, 3});
  const Output squared = losses::mean_squared_error(labels, predictions);
  EXPECT_EQ(squared.name(), "mean_squared_error/value:0");
  EXPECT_FLOAT_EQ(value(squared), (0.25f + 36) / 3);
  EXPECT_FLOAT_EQ(value(losses::absolute_difference(labels, predictions)), 6.5f / 3);
  EXPECT_FLOAT_EQ(value(losses::huber_loss(labels, predictions)), (0.125f + 5.5f) / 3);
  EXPECT_FLOAT_EQ(value(losses::huber_loss(labels, predictions, {.delta = 10.0})), 18.125f / 3);
  EXPECT_FLOAT_EQ(value(losses::cosine_distance(row({1, 0}), row({0.6f, 0.8f}), 1)), 0.4f);
  EXPECT_FLOAT_EQ(value(losses::hinge_loss(row({1, 0}), row({0.5f, -3}))), 0.25f);
  EXPECT_NEAR(value(losses::log_loss(row({1, 0}), row({0.5f, 0.5f}))), std::log(2.0f), 1e-5f);
  EXPECT_FLOAT_EQ(value(losses::mean_pairwise_squared_error(row({0, 0}), row({1, 3}))), 4.0f);
}

TEST_F(LossesApi, reductions_and_weights) {
  using losses::Reduction;
  const Output labels = row({0, 0, 0, 0}), predictions = row({1, 2, 3, 4});
  const auto reduced = [&](Reduction reduction) {
    return losses::absolute_difference(
        labels, predictions,
        {.weights = Tensor::of<float>({1, 4}, {1, 0, 2, 0}), .reduction = reduction});
  };
  EXPECT_FLOAT_EQ(value(reduced(Reduction::SUM)), 7);
  EXPECT_FLOAT_EQ(value(reduced(Reduction::MEAN)), 7.0f / 3);
  EXPECT_FLOAT_EQ(value(reduced(Reduction::SUM_OVER_BATCH_SIZE)), 7.0f / 4);
  EXPECT_FLOAT_EQ(value(reduced(Reduction::SUM_BY_NONZERO_WEIGHTS)), 3.5f);
  EXPECT_EQ(session_.run(reduced(Reduction::NONE)).shape(), (Shape{1, 4}));
  EXPECT_EQ(losses::reduction_of("weighted_mean"), Reduction::MEAN);
  EXPECT_EQ(losses::reduction_text(Reduction::SUM), "weighted_sum");
  EXPECT_THROW(losses::reduction_of("mean"), Error);
  EXPECT_THROW(losses::absolute_difference(labels, predictions, {.weights = row({1, 2})}), Error);
  EXPECT_THROW(losses::absolute_difference(labels, row({1})), Error);
}

TEST_F(LossesApi, weights_are_checked_in_the_step) {
  const Output weights = placeholder(DType::f32), values = placeholder(DType::f32);
  const Output loss = losses::compute_weighted_loss(values, {.weights = weights});
  const Tensor matrix = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  const auto run = [&](const Tensor& w) {
    return session_.run(loss, {{weights, w}, {values, matrix}}).scalar_value<float>();
  };
  EXPECT_FLOAT_EQ(run(Tensor::scalar(2.0f)), 5.0f);
  EXPECT_FLOAT_EQ(run(Tensor::of<float>({2, 1}, {1, 0})), 1.5f);
  EXPECT_THROW(run(Tensor::vector<float>({1, 0})), Error);
  EXPECT_THROW(run(Tensor::of<float>({3, 1}, {1, 0, 1})), Error);
}

TEST_F(LossesApi, cross_entropy) {
  const Output logits = row({0, 0});
  EXPECT_FLOAT_EQ(value(losses::sigmoid_cross_entropy(row({1, 0}), logits)), std::log(2.0f));
  EXPECT_FLOAT_EQ(value(losses::softmax_cross_entropy(row({1, 0}), logits)), std::log(2.0f));
  const Output sparse = losses::sparse_softmax_cross_entropy(constant({1}), logits);
  EXPECT_EQ(sparse.name(), "sparse_softmax_cross_entropy_loss/value:0");
  EXPECT_FLOAT_EQ(value(sparse), std::log(2.0f));
  EXPECT_FLOAT_EQ(
      value(losses::softmax_cross_entropy(row({1, 0}), row({9, -9}), {.label_smoothing = 0.5})),
      4.5f);
}

TEST_F(LossesApi, collections) {
  EXPECT_THROW(losses::get_total_loss(), Error);
  EXPECT_FLOAT_EQ(value(losses::get_regularization_loss()), 0);
  const Output loss = losses::mean_squared_error(row({1}), row({3}), {.scope = "mse"});
  losses::mean_squared_error(row({1}), row({3}), {.loss_collection = ""});
  losses::add_loss(constant(0.5, {.name = "extra"}));
  add_to_collection(GraphKeys::REGULARIZATION_LOSSES, constant(0.25, {.name = "penalty"}));
  EXPECT_EQ(losses::get_losses().size(), 2u);
  EXPECT_EQ(losses::get_losses("mse"), std::vector<Output>{loss});
  EXPECT_FLOAT_EQ(value(losses::get_total_loss()), 4.75f);
  EXPECT_FLOAT_EQ(value(losses::get_total_loss({.add_regularization_losses = false})), 4.5f);
}

}  // namespace
}  // namespace rill

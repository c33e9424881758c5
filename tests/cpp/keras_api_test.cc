#include <gtest/gtest.h>

#include <cmath>

#include "rill/api/core/basic_ops.h"
#include "rill/api/keras/constraints.h"
#include "rill/api/keras/model.h"
#include "rill/api/math/operators.h"
#include "rill/base/error.h"

namespace rill {
namespace {

namespace k = keras;
namespace kl = keras::layers;

class KerasApi : public testing::Test {
 protected:
  std::vector<float> values(Output output) {
    Session session(graph_);
    const Tensor fetched = session.run(output);
    const auto* data = fetched.data<float>();
    return {data, data + fetched.element_count()};
  }
  static Tensor ramp(const Shape& shape) {
    Tensor t(DType::f32, shape);
    for (std::int64_t i = 0; i < t.element_count(); ++i)
      t.data<float>()[i] = static_cast<float>(i % 7 - 3) / 4;
    return t;
  }
  // The same weights in every language: cos(i + number of the weight) / 2.
  static void fix_weights(k::Model& model) {
    std::vector<Tensor> fixed;
    for (const Variable& variable : model.model_weights()) {
      Tensor t(DType::f32, variable.shape().full());
      for (std::int64_t i = 0; i < t.element_count(); ++i)
        t.data<float>()[i] =
            std::cos(static_cast<float>(i + static_cast<std::int64_t>(fixed.size()))) / 2;
      fixed.push_back(t);
    }
    model.set_weights(fixed);
  }

  std::shared_ptr<Graph> graph_ = make_graph();
  AsDefault as_default_{graph_};
};

TEST_F(KerasApi, activations) {
  const Output x = constant({-2.0f, 0.5f, 3.0f});
  EXPECT_EQ(values(k::activations::relu(x)), (std::vector<float>{0, 0.5, 3}));
  EXPECT_EQ(values(k::activations::relu(x, {.max_value = 1.0})), (std::vector<float>{0, 0.5, 1}));
  const auto sigmoid = values(k::activations::hard_sigmoid(x));
  EXPECT_NEAR(sigmoid[0], 0.1f, 1e-6f);
  EXPECT_THROW(k::Activation("nothing"), Error);
}

TEST_F(KerasApi, losses_and_constraints) {
  const Output truth = constant(Tensor::of<float>({2, 2}, {1, 0, 0, 1}));
  const Output guess = constant(Tensor::of<float>({2, 2}, {1, 1, 0, 3}));
  EXPECT_EQ(values(k::losses::mean_squared_error(truth, guess)), (std::vector<float>{0.5, 2}));
  EXPECT_EQ(values(k::Loss("mse")(truth, guess)), (std::vector<float>{1.25}));
  EXPECT_EQ(k::losses::full_name("mae"), "mean_absolute_error");
  EXPECT_THROW(k::losses::get("nothing"), Error);
  EXPECT_EQ(values(k::constraints::non_neg()(constant({-1.0f, 2.0f}))), (std::vector<float>{0, 2}));
}

TEST_F(KerasApi, names_of_variables) {
  const Output x = k::input({4});
  const k::LayerRef dense = kl::Dense(3);
  dense(x);
  kl::Dense(2)(x);
  const auto weights = dense->weights();
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0].name(), "dense/kernel:0");
  EXPECT_EQ(weights[1].name(), "dense/bias:0");
  EXPECT_EQ(kl::Dense(1)->name(), "dense_2");
}

TEST_F(KerasApi, sequential_is_trained) {
  k::Sequential model({kl::Dense(8, {.activation = "relu", .input_shape = {{3}}}),
                       kl::Dropout(0.1, {.seed = 1}), kl::Dense(2, {.activation = "softmax"})});
  fix_weights(model);
  model.compile({.optimizer = k::optimizers::Adam({.learning_rate = 0.05}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"accuracy"}});
  EXPECT_EQ(model.metrics_names(), (std::vector<std::string>{"loss", "acc"}));
  const Tensor x = ramp({20, 3});
  Tensor y(DType::f32, Shape({20, 1}));
  for (int i = 0; i < 20; ++i) y.data<float>()[i] = x.data<float>()[3 * i] > 0 ? 1 : 0;
  const double before = model.evaluate(x, y).at(0);
  const k::History history =
      model.fit(x, y, {.batch_size = 5, .epochs = 30, .validation_split = 0.2});
  EXPECT_EQ(history.epoch.size(), 30u);
  EXPECT_EQ(history.history.size(), 4u);
  EXPECT_LT(model.evaluate(x, y).at(0), before / 2);
  EXPECT_EQ(model.predict(x, 6).shape(), Shape({20, 2}));
  EXPECT_NE(model.summary().find("Total params: 50"), std::string::npos) << model.summary();
}

// Numbers of TensorFlow 2.15 for the same weights and data (tests/programs/keras_training.py).
TEST_F(KerasApi, losses_are_tensorflows) {
  k::Sequential model({kl::Dense(4, {.activation = "relu", .input_shape = {{3}}}),
                       kl::Dense(2, {.activation = "softmax"})});
  fix_weights(model);
  model.compile({.optimizer = k::optimizers::SGD({.learning_rate = 0.1}),
                 .loss = "sparse_categorical_crossentropy",
                 .metrics = {"acc"}});
  Tensor y(DType::f32, Shape({10, 1}));
  for (int i = 0; i < 10; ++i) y.data<float>()[i] = static_cast<float>(i % 2);
  const k::History history = model.fit(
      ramp({10, 3}), y, {.batch_size = 4, .epochs = 1, .validation_split = 0.3, .shuffle = false});
  EXPECT_NEAR(history.history.at("loss").at(0), 0.6993414674486432, 1e-5);
  EXPECT_NEAR(history.history.at("acc").at(0), 0.5714285969734192, 1e-6);
  EXPECT_NEAR(history.history.at("val_loss").at(0), 0.7131190299987793, 1e-5);
}

TEST_F(KerasApi, several_inputs_and_a_shared_layer) {
  const Output a = k::input({3}), b = k::input({3});
  const k::LayerRef shared = kl::Dense(2);
  const Output sum = kl::add({shared(a), shared(b)});
  k::Model model({a, b}, {sum});
  EXPECT_EQ(model.model_weights().size(), 2u);
  EXPECT_EQ(model.predict(std::vector<Tensor>{ramp({4, 3}), ramp({4, 3})}).at(0).shape(),
            Shape({4, 2}));
  EXPECT_EQ(model.layers().size(), 4u);
}

TEST_F(KerasApi, images_and_sequences) {
  k::Sequential images({kl::Conv2D(2, {3, 3}, {.activation = "relu", .input_shape = {{6, 6, 1}}}),
                        kl::MaxPooling2D(), kl::BatchNormalization(), kl::Flatten(), kl::Dense(1)});
  images.compile({.optimizer = "rmsprop", .loss = "mse"});
  EXPECT_EQ(images.fit(ramp({8, 6, 6, 1}), ramp({8, 1}), {.epochs = 2}).epoch.size(), 2u);
  k::Sequential words(
      {kl::LSTM(3, {.return_sequences = true, .input_shape = {{4, 2}}}), kl::GRU(2), kl::Dense(1)});
  words.compile({.optimizer = "sgd", .loss = "mae"});
  EXPECT_EQ(words.fit(ramp({8, 4, 2}), ramp({8, 1})).history.at("loss").size(), 1u);
}

TEST_F(KerasApi, wrong_use_is_told) {
  k::Sequential model({kl::Dense(1, {.input_shape = {{2}}})});
  EXPECT_THROW(model.fit(ramp({4, 2}), ramp({4, 1})), Error);  // not compiled
  model.compile({.optimizer = "sgd", .loss = "mse"});
  EXPECT_THROW(model.fit(ramp({4, 2}), ramp({3, 1})), Error);  // other numbers of examples
  EXPECT_THROW(model.get_layer("nothing"), Error);
  EXPECT_THROW(k::optimizers::make("nothing"), Error);
}

}  // namespace
}  // namespace rill

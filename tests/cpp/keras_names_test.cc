#include <gtest/gtest.h>

#include <filesystem>

#include "rill/keras.h"
#include "rill/rill.h"
#include "rill/testing.h"

namespace tf = rill;
namespace k = tf::keras;
namespace kl = k::layers;

namespace {

class KerasNames : public testing::Test {
 protected:
  tf::Tensor value(const tf::Output& output) { return k::backend::eval(output); }
  tf::AsDefault graph_{tf::make_graph()};
  tf::Tensor x_ = tf::Tensor::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
  tf::Tensor y_ = tf::Tensor::of<float>({4, 1}, {0, 1, 1, 2});
};

template <class T>
tf::Tensor vec(std::initializer_list<T> values) {
  return tf::Tensor::vector<T>(values);
}

TEST_F(KerasNames, losses_and_metrics_as_classes) {
  const tf::Output t = tf::constant({1.0F, 3.0F}), p = tf::constant({2.0F, 5.0F});
  EXPECT_TENSOR_NEAR(value(k::losses::MeanSquaredError()(t, p)), tf::Tensor::scalar(2.5F), 1e-6);
  EXPECT_TENSOR_NEAR(value(k::losses::MAE(t, p)), tf::Tensor::scalar(1.5F), 1e-6);
  const auto mean = k::metrics::Mean({.name = "m"});
  EXPECT_TENSOR_NEAR(value((*mean)({p})), tf::Tensor::scalar(3.5F), 1e-6);
  EXPECT_THROW(k::losses::deserialize("NoLoss"), tf::errors::InvalidArgumentError);
}

TEST_F(KerasNames, by_name) {
  EXPECT_TENSOR_EQ(value(k::constraints::get("non_neg")(tf::constant({-1.0F, 2.0F}))),
                   vec<float>({0, 2}));
  EXPECT_TENSOR_EQ(value(k::initializers::get("Ones")({tf::Shape({2}), tf::float32})),
                   vec<float>({1, 1}));
  EXPECT_TENSOR_NEAR(value(k::regularizers::get("l2").of(tf::constant({2.0F}))),
                     tf::Tensor::scalar(0.04F), 1e-6);
  EXPECT_THROW(k::initializers::get("nothing"), tf::errors::InvalidArgumentError);
}

TEST_F(KerasNames, more_layers) {
  const tf::Output a = k::Input(tf::PartialShape(tf::Shape({4, 4, 2})));
  EXPECT_EQ(kl::Conv2DTranspose(3, {2, 2}, {.strides = {2, 2}})(a).shape().dim(1), 8);
  EXPECT_EQ(kl::SeparableConv2D(5, {3, 3}, {.padding = "same"})(a).shape().dim(3), 5);
  EXPECT_TENSOR_EQ(value(kl::LeakyReLU(0.5)(tf::constant(tf::Tensor::of<float>({1, 2}, {-2, 3})))),
                   tf::Tensor::of<float>({1, 2}, {-1, 3}));
  EXPECT_TENSOR_EQ(value(kl::average({tf::constant(tf::Tensor::of<float>({1, 1}, {2})),
                                      tf::constant(tf::Tensor::of<float>({1, 1}, {4}))})),
                   tf::Tensor::of<float>({1, 1}, {3}));
  const tf::Output steps = k::Input(tf::PartialShape(tf::Shape({5, 3})));
  const auto lstm = [](const k::LayerArguments& given) { return kl::LSTM(4, given); };
  EXPECT_EQ(kl::Bidirectional(lstm)(steps).shape().dim(1), 8);
  EXPECT_EQ(kl::RNN(kl::make_cell("GRUCell", 6))(steps).shape().dim(1), 6);
  EXPECT_EQ(kl::MaxPool1D({5})(steps).shape().dim(1), 1);
}

TEST_F(KerasNames, backend_computes) {
  namespace K = k::backend;
  const tf::Output x = tf::constant(tf::Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
  EXPECT_TENSOR_EQ(value(K::sum(x, {.axis = 0})), vec<float>({4, 6}));
  EXPECT_TENSOR_EQ(value(K::mean(tf::constant({true, false}))), tf::Tensor::scalar(0.5F));
  EXPECT_TENSOR_EQ(value(K::any(x)), tf::Tensor::scalar(true));
  EXPECT_TENSOR_EQ(value(K::permute_dimensions(x, {1, 0})),
                   tf::Tensor::of<float>({2, 2}, {1, 3, 2, 4}));
  EXPECT_TENSOR_EQ(value(K::flatten(x)), vec<float>({1, 2, 3, 4}));
  EXPECT_TENSOR_EQ(value(K::clip(x, 2.0F, 3.0F)), tf::Tensor::of<float>({2, 2}, {2, 2, 3, 3}));
  EXPECT_EQ(K::int_shape(x), (std::vector<std::int64_t>{2, 2}));
  const tf::Variable v = K::variable(vec<float>({1, 2}));
  EXPECT_TENSOR_EQ(K::get_value(v), vec<float>({1, 2}));
  K::set_value(v, vec<float>({3, 4}));
  EXPECT_TENSOR_EQ(K::get_value(v), vec<float>({3, 4}));
  EXPECT_TENSOR_EQ(value(K::gradients(K::sum(tf::square(v)), {v})[0]), vec<float>({6, 8}));
  const tf::Output in = K::placeholder({.ndim = 1});
  EXPECT_TENSOR_EQ(K::function({in}, {in * 2.0F})({vec<float>({5})})[0], vec<float>({10}));
}

TEST_F(KerasNames, callbacks_steer_training) {
  k::Sequential model({kl::Dense(1, {.kernel_initializer = tf::zeros_initializer(),
                                     .input_shape = tf::PartialShape(tf::Shape({2}))})});
  model.compile({.optimizer = k::optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  k::callbacks::EarlyStopping early({.monitor = "loss", .min_delta = 1e9, .patience = 2});
  std::vector<std::int64_t> epochs;
  k::callbacks::LambdaCallback note(
      {.on_epoch_end = [&](std::int64_t epoch, const k::Logs&) { epochs.push_back(epoch); }});
  model.fit(x_, y_, {.epochs = 9, .callbacks = {&early, &note}, .shuffle = false});
  EXPECT_EQ(epochs, (std::vector<std::int64_t>{0, 1, 2}));
  EXPECT_EQ(early.stopped_epoch, 2);

  k::callbacks::LearningRateScheduler slower([](std::int64_t, double rate) { return rate / 2; });
  model.fit(x_, y_, {.epochs = 2, .callbacks = {&slower}, .shuffle = false});
  const tf::Variable rate = model.optimizer()->hyper_variable("learning_rate");
  EXPECT_TENSOR_NEAR(model.session().run(rate.snapshot()), tf::Tensor::scalar(0.025F), 1e-6);
  k::callbacks::ReduceLROnPlateau plateau(
      {.monitor = "loss", .factor = 0.1, .patience = 1, .min_delta = 1e9});
  model.fit(x_, y_, {.epochs = 2, .callbacks = {&plateau}, .shuffle = false});
  EXPECT_TENSOR_NEAR(model.session().run(rate.snapshot()), tf::Tensor::scalar(0.0025F), 1e-6);
  EXPECT_THROW(k::callbacks::ReduceLROnPlateau({.factor = 1}), tf::errors::InvalidArgumentError);
}

TEST_F(KerasNames, callbacks_write_files) {
  const std::string folder = tf::test::get_temp_dir() + "/callbacks";
  std::filesystem::create_directories(folder);
  k::Sequential model({kl::Dense(1, {.input_shape = tf::PartialShape(tf::Shape({2}))})});
  model.compile({.loss = "mse"});
  k::callbacks::CSVLogger csv(folder + "/log.csv");
  k::callbacks::ModelCheckpoint saved(folder + "/w{epoch:02d}.h5");
  k::callbacks::TensorBoard board(folder + "/board");
  model.fit(x_, y_, {.epochs = 2, .callbacks = {&csv, &saved, &board}});
  EXPECT_TRUE(std::filesystem::exists(folder + "/w02.h5"));
  tf::gfile::GFile log(folder + "/log.csv");
  EXPECT_EQ(log.readlines().size(), 3U);
  EXPECT_FALSE(std::filesystem::is_empty(folder + "/board"));
  EXPECT_EQ(k::callbacks::filled_path("{epoch}-{loss:.2f}", 4, {{"loss", 0.125}}), "5-0.12");
  EXPECT_THROW(k::callbacks::filled_path("{acc}", 0, {}), tf::errors::InvalidArgumentError);
}

TEST_F(KerasNames, schedules) {
  namespace s = k::optimizers::schedules;
  const tf::Output step = tf::constant(10.0F);
  EXPECT_TENSOR_NEAR(value(s::ExponentialDecay(1.0, 10, 0.5)(step)), tf::Tensor::scalar(0.5F),
                     1e-6);
  EXPECT_TENSOR_NEAR(value(s::PiecewiseConstantDecay({5, 20}, {1, 2, 3})(step)),
                     tf::Tensor::scalar(2.0F), 1e-6);
}

}  // namespace

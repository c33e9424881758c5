#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "rill/keras.h"
#include "rill/rill.h"
#include "rill/testing.h"

namespace tf = rill;
namespace k = tf::keras;
namespace kl = k::layers;

namespace {

class KerasFiles : public testing::Test {
 protected:
  std::string path(const std::string& name) { return tf::test::get_temp_dir() + "/" + name; }
  tf::AsDefault graph_{tf::make_graph()};
  tf::Tensor x_ = tf::Tensor::of<float>({4, 2}, {0, 0, 0, 1, 1, 0, 1, 1});
  tf::Tensor y_ = tf::Tensor::of<float>({4, 1}, {0, 1, 1, 2});
};

// What tf.keras 1.15 writes of Sequential([Dense(3, "relu", input_shape=(2,)), Dropout(.5)]).
constexpr const char* kSequential =
    R"({"class_name": "Sequential", "config": {"name": "small", "layers": [{"class_name": "Dense", )"
    R"("config": {"name": "first", "trainable": true, "batch_input_shape": [null, 2], "dtype": )"
    R"("float32", "units": 3, "activation": "relu", "use_bias": true, "kernel_initializer": )"
    R"({"class_name": "GlorotUniform", "config": {"seed": null, "dtype": "float32"}}, )"
    R"("bias_initializer": {"class_name": "Zeros", "config": {"dtype": "float32"}}, )"
    R"("kernel_regularizer": null, "bias_regularizer": null, "activity_regularizer": null, )"
    R"("kernel_constraint": null, "bias_constraint": null}}, {"class_name": "Dropout", "config": )"
    R"({"name": "second", "trainable": true, "dtype": "float32", "rate": 0.5, "noise_shape": null, )"
    R"("seed": null}}]}, "keras_version": "2.2.4-tf", "backend": "tensorflow"})";

TEST_F(KerasFiles, a_model_is_the_text_that_keras_writes) {
  const k::Sequential model(
      {kl::Dense(3, {.activation = "relu", .input_shape = {{2}}, .name = "first"}),
       kl::Dropout(0.5, {.name = "second"})},
      "small");
  EXPECT_EQ(model.to_json(), kSequential);
  const auto again = k::models::model_from_json(kSequential);
  EXPECT_EQ(again->to_json(), kSequential);
  EXPECT_EQ(again->predict(x_).shape(), tf::Shape({4, 3}));
}

TEST_F(KerasFiles, every_layer_comes_back_as_it_was) {
  const std::vector<k::LayerRef> all = {
      kl::Conv2D(4, {3, 3},
                 {.activation = "relu",
                  .kernel_initializer = k::initializers::he_normal(3),
                  .kernel_regularizer = k::regularizers::l2(1e-3),
                  .bias_constraint = k::constraints::non_neg(),
                  .strides = {2, 2},
                  .padding = "same"}),
      kl::Conv2DTranspose(2, {2, 2}, {.strides = {2, 2}}),
      kl::SeparableConv2D(3, {3, 3}, {.depth_multiplier = 2}),
      kl::DepthwiseConv2D({3, 3}),
      kl::MaxPooling2D({2, 2}, {.padding = "same"}),
      kl::AveragePooling1D({3}),
      kl::GlobalMaxPooling2D(),
      kl::ZeroPadding2D({{1, 2}, {0, 1}}),
      kl::Cropping1D({{1, 1}}),
      kl::UpSampling2D({3, 2}),
      kl::BatchNormalization({.momentum = 0.8, .epsilon = 1e-4}),
      kl::LayerNormalization(),
      kl::Embedding(10, 4, {.mask_zero = true}),
      kl::LSTM(5, {.activation = "sigmoid", .return_sequences = true}),
      kl::GRU(5, {.go_backwards = true, .reset_after = true}),
      kl::SimpleRNN(5, {.dropout = 0.25}),
      kl::TimeDistributed(kl::Dense(3)),
      kl::Reshape({2, -1}),
      kl::Permute({2, 1}),
      kl::RepeatVector(3),
      kl::Flatten(),
      kl::Concatenate(1),
      kl::Dot({1, 2}, true),
      kl::LeakyReLU(0.2),
      kl::PReLU({.shared_axes = {1}}),
      kl::ReLU({.max_value = 6.0}),
      kl::Softmax(1),
      kl::GaussianNoise(0.1),
      kl::AlphaDropout(0.1),
      kl::Masking(7.0),
      kl::ActivityRegularization(0.1, 0.2),
      kl::Attention(),
      kl::Bidirectional([](const k::LayerArguments& a) { return kl::GRU(3, a); }, {},
                        {.merge_mode = "sum"}),
      kl::Activation("elu"),
  };
  for (const k::LayerRef& layer : all) {
    const tf::Json described = kl::serialize(layer);
    EXPECT_EQ(to_text(kl::serialize(kl::deserialize(described))), to_text(described));
  }
}

TEST_F(KerasFiles, what_cannot_be_written_down_says_so) {
  EXPECT_THROW(kl::serialize(kl::Lambda([](tf::Output x) { return x; })),
               tf::errors::InvalidArgumentError);
  const auto own = kl::Dense(1, {.activation = k::Activation([](tf::Output x) { return x + 1; })});
  EXPECT_THROW(kl::serialize(own), tf::errors::InvalidArgumentError);
  EXPECT_THROW(k::model_from_json("{}"), tf::errors::InvalidArgumentError);
  EXPECT_THROW(k::model_from_json(R"({"class_name": "Sequential", "config": 3})"),
               tf::errors::InvalidArgumentError);
  EXPECT_THROW(k::model_from_json(R"({"class_name": "Model", "config": {"layers": [{"name": "a",)"
                                  R"("class_name": "Dense", "config": {"name": "a", "units": 2},)"
                                  R"("inbound_nodes": [[["a", 0, 0, {}]]]}]}})"),
               tf::errors::InvalidArgumentError);
}

// A network of shared layers, two inputs and a model inside.
std::unique_ptr<k::Model> branching() {
  const tf::Output a = k::Input(tf::PartialShape(tf::Shape({3})), {.name = "a"});
  const tf::Output b = k::Input(tf::PartialShape(tf::Shape({3})), {.name = "b"});
  const auto shared = kl::Dense(4, {.activation = "tanh", .name = "shared"});
  const auto inner = std::make_shared<k::Sequential>(
      std::vector<k::LayerRef>{kl::Dense(2, {.input_shape = {{8}}, .name = "in_inner"})}, "inner");
  const tf::Output joined = kl::concatenate({shared(a), shared(b)});
  return std::make_unique<k::Model>(std::vector{a, b}, std::vector{k::LayerRef(inner)(joined)});
}

TEST_F(KerasFiles, networks_are_connected_as_they_were) {
  const auto model = branching();
  const auto clone = k::models::clone_model(*model);
  EXPECT_EQ(clone->to_json(), model->to_json());
  ASSERT_EQ(clone->model_weights().size(), 4);
  clone->set_weights(model->get_weights());
  const tf::Tensor one = tf::Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  EXPECT_TENSOR_NEAR(clone->predict(std::vector{one, one})[0],
                     model->predict(std::vector{one, one})[0], 1e-6);
}

TEST_F(KerasFiles, a_whole_model_goes_on_where_it_was) {
  k::Sequential model({kl::Dense(3, {.activation = "relu", .input_shape = {{2}}}), kl::Dense(1)});
  model.compile({.optimizer = k::optimizers::Adam({.learning_rate = 0.05}),
                 .loss = "mse",
                 .metrics = {"mae"}});
  model.fit(x_, y_, {.epochs = 3, .shuffle = false});
  model.save(path("whole.h5"));
  const tf::Tensor before = model.predict(x_);

  const tf::AsDefault elsewhere(tf::make_graph());
  const auto again = k::models::load_model(path("whole.h5"));
  EXPECT_TENSOR_NEAR(again->predict(x_), before, 1e-6);
  EXPECT_EQ(again->metrics_names(), (std::vector<std::string>{"loss", "mean_absolute_error"}));
  EXPECT_EQ(again->optimizer()->class_name(), "Adam");
  // The optimizer's moments are there, too: one more step is the same.
  const std::vector<double> here = again->train_on_batch({{x_}, {y_}});
  EXPECT_EQ(again->session().run(again->optimizer()->iterations()).scalar_value<std::int64_t>(), 4);
  EXPECT_GT(here[0], 0);
  EXPECT_FALSE(k::load_model(path("whole.h5"), {.compile = false})->compile_options());
}

TEST_F(KerasFiles, training_config_knows_losses_metrics_and_schedules) {
  k::Sequential model({kl::Dense(3, {.input_shape = {{2}}})});
  model.compile({.optimizer = k::optimizers::SGD(
                     {.learning_rate = k::optimizers::schedules::ExponentialDecay(0.1, 100, 0.9),
                      .momentum = 0.5,
                      .nesterov = true}),
                 .loss = k::losses::SparseCategoricalCrossentropy({.from_logits = true}),
                 .metrics = {"acc", k::metrics::SparseTopKCategoricalAccuracy({.k = 2})}});
  const tf::Json config = k::training_config(model);
  k::compile_as(model, config);
  EXPECT_EQ(to_text(k::training_config(model)), to_text(config));
  EXPECT_NE(to_text(config).find(R"("from_logits": true)"), std::string::npos);
  EXPECT_NE(to_text(config).find(R"("class_name": "ExponentialDecay")"), std::string::npos);
}

TEST_F(KerasFiles, a_saved_model_is_served_and_loaded) {
  k::Sequential model({kl::Dense(2, {.input_shape = {{2}}, .name = "answer"})});
  model.compile({.optimizer = "sgd", .loss = "mse"});
  const tf::Tensor before = model.predict(x_);
  std::filesystem::remove_all(path("exported"));
  k::save_model(model, path("exported"), {.save_format = "tf"});
  auto bundle = tf::saved_model::load(path("exported"));
  EXPECT_TENSOR_NEAR(bundle.run({{"answer_input", x_}}).at("answer"), before, 1e-6);
  const tf::AsDefault elsewhere(tf::make_graph());
  const auto again = k::experimental::load_from_saved_model(path("exported"));
  EXPECT_TENSOR_NEAR(again->predict(x_), before, 1e-6);
  EXPECT_TRUE(again->compile_options());
}

tf::Output doubled(tf::Output x) { return x * 2.0F; }

struct Scale : k::KerasLayer, k::HasConfig {
  Scale(double by, const std::string& name)
      : KerasLayer("Scale", {.name = name, .style = tf::layers::Style::kOwned}), by(by) {}
  tf::Output call(tf::Output x, const tf::layers::CallArguments&) override { return x * by; }
  tf::JsonMembers get_config() const override { return {{"by", tf::json_of(by)}}; }
  double by;
};

TEST_F(KerasFiles, objects_of_the_program_have_names) {
  const k::utils::CustomObjectScope names(
      {{"doubled", doubled}, {"Scale", [](const tf::Json& config) {
                                return k::LayerRef(std::make_shared<Scale>(
                                    number_of(member(config, "by"), "by"),
                                    text_of(member(config, "name"), "name")));
                              }}});
  k::Sequential model({kl::Dense(2, {.activation = "doubled", .input_shape = {{2}}}),
                       k::LayerRef(std::make_shared<Scale>(3.0, "scale"))});
  const auto again = k::model_from_json(model.to_json());
  again->set_weights(model.get_weights());
  EXPECT_TENSOR_NEAR(again->predict(x_), model.predict(x_), 1e-6);
}

TEST_F(KerasFiles, fit_takes_datasets) {
  k::Sequential model({kl::Dense(1, {.input_shape = {{2}}})});
  model.compile({.optimizer = k::optimizers::SGD({.learning_rate = 0.1}), .loss = "mse"});
  const auto data = tf::data::Dataset::from_tensor_slices({x_, y_}).batch(2);
  const k::History history =
      model.fit(data, {.epochs = 30, .validation_data = data.repeat(), .validation_steps = 2});
  EXPECT_EQ(history.epoch.size(), 30);
  EXPECT_LT(history.history.at("loss").back(), history.history.at("loss").front());
  EXPECT_NEAR(model.evaluate(data)[0], history.history.at("val_loss").back(), 1e-5);
  EXPECT_EQ(model.predict(data).at(0).shape(), tf::Shape({4, 1}));
  // So many batches of one that goes on, and a warning where it ends early.
  EXPECT_EQ(model.fit(data.repeat(), {.epochs = 2, .steps_per_epoch = 3}).epoch.size(), 2);
  EXPECT_EQ(model.fit(data, {.epochs = 4, .steps_per_epoch = 3}).epoch.size(), 1);
  EXPECT_THROW(model.fit(tf::data::Dataset::from_tensor_slices({x_}).batch(2)),
               tf::errors::InvalidArgumentError);
}

TEST_F(KerasFiles, cells_upon_each_other) {
  const tf::Output steps = k::Input(tf::PartialShape(tf::Shape({5, 3})));
  const auto cells =
      kl::StackedRNNCells({kl::make_cell("LSTMCell", 4), kl::make_cell("GRUCell", 6)});
  const auto layer = kl::RNN(cells);
  EXPECT_EQ(layer(steps).shape().dim(1), 6);
  EXPECT_EQ(layer->weights().size(), 6);
  const auto peephole = std::make_shared<k::experimental::PeepholeLSTMCell>(4);
  const auto looking = kl::RNN(peephole);
  EXPECT_EQ(looking(steps).shape().dim(1), 4);
  EXPECT_EQ(looking->weights().size(), 6);
}

TEST_F(KerasFiles, wide_and_deep) {
  auto linear = std::make_shared<k::experimental::LinearModel>();
  linear->build_for({{2}});
  EXPECT_EQ(linear->model_weights().size(), 2);
  auto deep = std::make_shared<k::Sequential>(
      std::vector<k::LayerRef>{kl::Dense(4, {.input_shape = {{2}}}), kl::Dense(1)});
  k::experimental::WideDeepModel both(linear, deep);
  both.compile({.optimizer = k::optimizers::SGD({.learning_rate = 0.05}), .loss = "mse"});
  const auto losses = both.fit(x_, y_, {.epochs = 20}).history.at("loss");
  EXPECT_LT(losses.back(), losses.front());
  EXPECT_TENSOR_NEAR(both.predict(x_), tf::Tensor(linear->predict(x_)), 10);
}

TEST_F(KerasFiles, backend_of_labels) {
  const tf::Output labels = tf::constant(tf::Tensor::of<std::int32_t>({2, 2}, {0, 1, 1, 0}));
  const tf::Output lengths = tf::constant(tf::Tensor::of<std::int32_t>({2, 1}, {2, 1}));
  const tf::Tensor even(tf::float32, tf::Shape({2, 3, 3}));
  for (float& p : even.flat<float>()) p = 1.0F / 3;
  const tf::Output inputs = tf::constant(tf::Tensor::of<std::int32_t>({2, 1}, {3, 3}));
  const auto cost =
      k::backend::eval(k::backend::ctc_batch_cost(labels, tf::constant(even), inputs, lengths));
  ASSERT_EQ(cost.shape(), tf::Shape({2, 1}));
  // Of 27 spellings 5 are "01" and 6 are "1".
  EXPECT_NEAR(cost.data<float>()[0], -std::log(5.0 / 27), 1e-4);
  EXPECT_NEAR(cost.data<float>()[1], -std::log(6.0 / 27), 1e-4);
  const auto decoded = k::backend::ctc_decode(tf::constant(even), tf::constant({3, 3}));
  EXPECT_EQ(decoded.decoded.size(), 1);

  const auto batch = k::backend::normalize_batch_in_training(
      tf::constant(x_), tf::Input({2.0, 2.0}), tf::Input({1.0, 1.0}), {0}, 1e-9);
  EXPECT_TENSOR_NEAR(k::backend::eval(batch.normed),
                     tf::Tensor::of<float>({4, 2}, {-1, -1, -1, 3, 3, -1, 3, 3}), 1e-3);
  EXPECT_TENSOR_NEAR(k::backend::eval(batch.mean), tf::Tensor::vector<float>({.5, .5}), 1e-6);
}

TEST_F(KerasFiles, utils) {
  EXPECT_TENSOR_NEAR(k::utils::normalize(tf::Tensor::of<float>({2, 2}, {3, 4, 0, 0})),
                     tf::Tensor::of<float>({2, 2}, {.6F, .8F, 0, 0}), 1e-6);
  EXPECT_TENSOR_NEAR(k::utils::normalize(tf::Tensor::of<float>({2, 2}, {1, 4, 3, 4}), 0, 1),
                     tf::Tensor::of<float>({2, 2}, {.25F, .5F, .75F, .5F}), 1e-6);
  std::ostringstream out;
  k::utils::Progbar bar(4, {.width = 10, .verbose = 2, .out = &out});
  bar.update(2, {{"loss", 1.0}});
  bar.add(2, {{"loss", 0.5}});
  EXPECT_EQ(out.str(), "4/4 - 0s - loss: 0.7500\n");
  const tf::Output a = k::Input(tf::PartialShape(tf::Shape({2})), {.name = "source"});
  const auto sources = k::utils::get_source_inputs(kl::Dense(1)(kl::Dense(3)(a)));
  ASSERT_EQ(sources.size(), 1);
  EXPECT_EQ(sources[0].node->name(), "source");
  const k::Model model(a, kl::Dense(1, {.name = "last"})(a));
  EXPECT_NE(k::utils::model_to_dot(model).find("\"source\" -> \"last\""), std::string::npos);
}

TEST_F(KerasFiles, data_sets_lie_where_keras_looks) {
  const std::string home = path("keras_home");
  std::filesystem::create_directories(home + "/datasets");
  ::setenv("KERAS_HOME", home.c_str(), 1);
  std::ofstream(home + "/datasets/imdb_word_index.json") << R"({"the": 1, "film": 17})";
  EXPECT_EQ(k::datasets::imdb::get_word_index().at("film"), 17);
  ::unsetenv("KERAS_HOME");
}

}  // namespace

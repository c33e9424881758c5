// Of tf.contrib, beside the values and names that TensorFlow 1.15 gives.
#include <gtest/gtest.h>

#include "rill/rill.h"
// Behind rill.h, as in programs.
#include "rill/contrib.h"
#include "rill/testing.h"

namespace tf = rill;
namespace layers = tf::contrib::layers;
namespace opt = tf::contrib::opt;
namespace slim = tf::contrib::slim;

namespace {

class ContribSmall : public testing::Test {
 protected:
  // -1, -0.9, ... of shape [1, 3, 4, 2].
  static tf::Output picture() {
    tf::Tensor values(tf::float32, {1, 3, 4, 2});
    for (int i = 0; i < 24; ++i) values.data<float>()[i] = static_cast<float>(i) / 10 - 1;
    return tf::constant(values);
  }
  static tf::Initializer all(float value) { return tf::constant_initializer(value); }
  tf::Tensor value(const tf::Output& output) {
    tf::Session session;
    session.run({tf::global_variables_initializer(), tf::local_variables_initializer(),
                 tf::tables_initializer()});
    return session.run(output);
  }
  void expect(const tf::Output& output, const std::vector<float>& wanted, float near = 2e-6f) {
    const tf::Tensor got = value(output);
    ASSERT_GE(got.element_count(), static_cast<std::int64_t>(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(got.data<float>()[i], wanted[i], near) << i;
  }
  static std::vector<std::string> names() {
    std::vector<std::string> found;
    for (const tf::Variable& variable : tf::global_variables())
      found.push_back(variable.name().substr(0, variable.name().size() - 2));
    return found;
  }
  tf::AsDefault graph_{tf::make_graph()};
};
using Names = std::vector<std::string>;

TEST_F(ContribSmall, older_dense_layers) {
  const tf::Output rows = picture()[0];
  const tf::Output y =
      layers::legacy_fully_connected(rows, 3, {.weight_init = all(0.5f), .bias_init = all(0.25f)});
  expect(y, {-0.7f, -0.7f, -0.7f, -0.5f, -0.5f});
  EXPECT_EQ(y.name(), "fully_connected/Reshape_1:0");
  EXPECT_EQ(y.shape(), (tf::PartialShape{3, 4, 3}));
  EXPECT_EQ(tf::get_collection("activations").size(), 1u);
  expect(layers::elu(rows[0], 2, {.weights_initializer = all(0.5f)}),
         {-0.613259f, -0.613259f, -0.527633f});
  EXPECT_EQ(names(), (Names{"fully_connected/weights", "fully_connected/bias",
                            "fully_connected_1/weights", "fully_connected_1/biases"}));
}

TEST_F(ContribSmall, one_filter_for_all_channels) {
  const tf::Output y = slim::conv2d_in_plane(
      picture(), {2, 2}, {.weights_initializer = all(0.5f), .biases_initializer = all(0.1f)});
  expect(y, {0, 0, 0, 0, 0, 0.1f, 0.1f, 0.2f, 0.7f, 0.9f, 1.1f, 1.3f, 1.5f, 1.7f, 0.9f, 1});
  EXPECT_EQ(y.name(), "ConvInPlane/Relu:0");
  EXPECT_EQ(names(), (Names{"ConvInPlane/weights", "ConvInPlane/biases"}));
}

TEST_F(ContribSmall, ids_and_bags_of_words) {
  const tf::SparseTensor sparse = layers::dense_to_sparse(tf::constant({{1, 0}, {0, 2}}));
  EXPECT_EQ(value(sparse.values).data<std::int32_t>()[1], 2);
  EXPECT_EQ(value(sparse.indices).data<std::int64_t>()[3], 1);
  tf::Tensor table(tf::float32, {3, 2});
  for (int i = 0; i < 6; ++i) table.data<float>()[i] = static_cast<float>(i);
  const layers::BowEncoderOptions options{.initializer = tf::constant_initializer(table)};
  expect(layers::bow_encoder(tf::constant({{1, 0}, {2, 2}}), 3, 2, options), {1, 2, 4, 5});
  expect(layers::bow_encoder(tf::constant({{1, -1}, {2, 0}}), 3, 2, options), {2, 3, 2, 3});
  EXPECT_EQ(names(), (Names{"bow_encoder/embeddings", "bow_encoder_1/embeddings"}));
}

TEST_F(ContribSmall, pictures_and_sequences) {
  const tf::Output columns = layers::images_to_sequence(picture());
  expect(columns, {-1, -0.9f, -0.2f, -0.1f, 0.6f, 0.7f, -0.8f, -0.7f});
  EXPECT_EQ(columns.shape(), (tf::PartialShape{4, 3, 2}));
  const tf::Output back = layers::sequence_to_images(columns, 3);
  expect(back, {-1, -0.9f, -0.8f, -0.7f, -0.6f, -0.5f});
  EXPECT_EQ(back.shape(), (tf::PartialShape{1, 3, 4, 2}));
  expect(layers::spatial_softmax(picture()), {0.48334f, 0.164806f, 0.48334f, 0.164806f});
  EXPECT_EQ(names(), Names{"spatial_softmax/temperature"});
}

TEST_F(ContribSmall, gradients_that_are_scaled) {
  const tf::Output v = tf::constant({1.f, 2.f});
  const tf::Output z = layers::scale_gradient(v, 3.0f);
  expect(z, {1, 2});
  expect(tf::gradients(z * z, v)[0].dense(), {6, 12});
}

TEST_F(ContribSmall, divisive_normalisation) {
  const tf::Output x = picture();
  const tf::Output y = slim::gdn(x);
  expect(y, {-0.953463f, -0.865625f, -0.775567f});
  EXPECT_EQ(names(), (Names{"gdn/reparam_beta", "gdn/reparam_gamma"}));
  const auto slopes = tf::gradients(y, tf::trainable_variables());
  expect(slopes[0].dense(), {-0.980713f, -1.955337f}, 2e-5f);
  expect(slopes[1].dense(), {-0.446585f, -0.000007f, -0.000009f, -0.904303f}, 2e-5f);
  expect(tf::gradients(y, x)[0].dense(), {0.866784f, 0.889737f, 0.911145f}, 2e-5f);
  expect(layers::gdn(x, {.inverse = true, .name = "inv"}), {-1.048809f, -0.93574f});
}

template <class Cell>
std::vector<tf::Tensor> two_steps(Cell& cell) {
  const tf::Output x = tf::constant({{.1f, .2f, .3f}, {-.4f, .5f, -.6f}});
  const auto run =
      tf::nn::static_rnn(cell, std::vector<tf::Output>{x, x * 2.0f}, {.dtype = tf::float32});
  tf::Session session;
  for (const tf::Variable& variable : tf::global_variables()) {
    const std::int64_t count = variable.shape().full().element_count();
    tf::Tensor values(tf::float32, variable.shape().full());
    for (std::int64_t i = 0; i < count; ++i)
      values.data<float>()[i] = -1 + 2 * static_cast<float>(i) / static_cast<float>(count - 1);
    session.run(variable.assign(values));
  }
  std::vector<tf::Output> wanted{run.outputs[1]};
  wanted.insert(wanted.end(), run.state.begin(), run.state.end());
  return session.run(wanted);
}

void expect_rows(const tf::Tensor& got, const std::vector<float>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(got.data<float>()[i], wanted[i], 2e-6f) << i;
}

TEST_F(ContribSmall, independent_units) {
  tf::contrib::rnn::IndRNNCell cell(2);
  expect_rows(two_steps(cell)[0], {-0.173936f, 0.9842f, -0.322412f, 0.80376f});
  EXPECT_EQ(names(), (Names{"rnn/ind_rnn_cell/kernel_w", "rnn/ind_rnn_cell/kernel_u",
                            "rnn/ind_rnn_cell/bias"}));
}

TEST_F(ContribSmall, independent_gru) {
  tf::contrib::rnn::IndyGRUCell cell(2);
  expect_rows(two_steps(cell)[0], {-0.415406f, 0.287852f, -0.578962f, 0.308428f});
  EXPECT_EQ(names(),
            (Names{"rnn/indy_gru_cell/gates/kernel_w", "rnn/indy_gru_cell/gates/kernel_u",
                   "rnn/indy_gru_cell/gates/bias", "rnn/indy_gru_cell/candidate/kernel",
                   "rnn/indy_gru_cell/candidate/kernel_u", "rnn/indy_gru_cell/candidate/bias"}));
}

TEST_F(ContribSmall, independent_lstm) {
  tf::contrib::rnn::IndyLSTMCell cell(2);
  const auto got = two_steps(cell);
  expect_rows(got[0], {-0.111828f, 0.016365f, -0.122631f, -0.101836f});
  expect_rows(got[1], {-0.146349f, 0.019555f, -0.230765f, -0.174449f});
}

TEST_F(ContribSmall, simple_units) {
  tf::contrib::rnn::SRUCell cell(2);
  const auto got = two_steps(cell);
  expect_rows(got[0], {0.136716f, 0.133019f, -0.235255f, -0.236921f});
  expect_rows(got[1], {-0.070607f, 0.011445f, 0.022145f, -0.045578f});
  EXPECT_EQ(names(), (Names{"rnn/sru_cell/kernel", "rnn/sru_cell/bias"}));
}

// Three steps of sum((w - b)^2).
void expect_training(tf::train::Optimizer& optimizer, const std::vector<float>& wanted,
                     const Names& slots, const std::string& second) {
  const tf::Variable w({1.f, -2.f, 3.f}, {.name = "w"}), b(0.5f, {.name = "b"});
  auto& step = optimizer.minimize(tf::reduce_sum(tf::square(w - b)));
  tf::Session session;
  session.run(tf::global_variables_initializer());
  for (int i = 0; i < 3; ++i) session.run(step);
  const auto got = session.run({w, b});
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(got[0].data<float>()[i], wanted[i], 2e-6f) << i;
  EXPECT_NEAR(got[1].scalar_value<float>(), wanted[3], 2e-6f);
  EXPECT_EQ(optimizer.get_slot_names(), slots);
  EXPECT_TRUE(tf::default_graph()->find(second)) << second;
}

TEST_F(ContribSmall, steps_by_sign) {
  opt::AddSignOptimizer add(0.1);
  expect_training(add, {0.736f, 0.088f, 1.168f, 0.628f}, {"m"}, "w/AddSignOptimizer");
}
TEST_F(ContribSmall, steps_by_powers_of_signs) {
  opt::PowerSignOptimizer power(0.1);
  expect_training(power, {0.579784f, 0.304049f, 0.779216f, 0.816428f}, {"m"},
                  "w/PowerSignOptimizer");
}
TEST_F(ContribSmall, steps_by_the_largest_gradient) {
  opt::AdaMaxOptimizer adamax(0.1);
  expect_training(adamax, {0.759003f, -1.700521f, 2.71181f, 0.683556f}, {"m", "v"}, "w/AdaMax_1");
}
TEST_F(ContribSmall, steps_layer_by_layer) {
  opt::LARSOptimizer lars(1.0);
  expect_training(lars, {0.997065f, -1.985313f, 2.985318f, 0.502807f}, {"momentum"},
                  "w/LARSOptimizer");
}
TEST_F(ContribSmall, accumulators_that_may_rest) {
  opt::RegAdagradOptimizer adagrad(0.1);
  expect_training(adagrad, {0.817648f, -1.772716f, 2.777948f, 0.618244f}, {"accumulator"},
                  "w/RegAdagrad");
}

TEST_F(ContribSmall, weights_of_bounded_norm) {
  const tf::Variable w({{3.f, 4.f}, {.1f, .2f}}, {.name = "w"});
  opt::VariableClippingOptimizer clipping(
      std::make_shared<tf::train::GradientDescentOptimizer>(0.1), {{w, {1}}}, 1.0);
  auto& step = clipping.minimize(tf::reduce_sum(w));
  tf::Session session;
  session.run(tf::global_variables_initializer());
  session.run(step);
  expect_rows(session.run(w), {0.596703f, 0.802462f, 0, 0.1f});
}

TEST_F(ContribSmall, rates_at_thresholds) {
  namespace metrics = tf::contrib::metrics;
  const tf::Output guesses = tf::constant({.1f, .4f, .6f, .9f}), truth = tf::constant({0, 1, 0, 1});
  const auto fpr = metrics::streaming_false_positive_rate_at_thresholds(guesses, truth, {.5, .2});
  const auto fnr = metrics::streaming_false_negative_rate_at_thresholds(guesses, truth, {.5, .2});
  tf::Session session;
  session.run(tf::local_variables_initializer());
  expect_rows(session.run(fpr.update_op), {.5f, .5f});
  expect_rows(session.run(fnr.update_op), {.5f, 0});
  expect_rows(session.run(fnr.value), {.5f, 0});
  EXPECT_EQ(fpr.value.name(), "false_positive_rate_at_thresholds/fpr_value:0");
  EXPECT_EQ(fnr.update_op.name(), "false_negative_rate_at_thresholds/fnr_update_op:0");
}

TEST_F(ContribSmall, short_functions) {
  EXPECT_EQ(
      value(slim::bucketize(tf::constant({-1.f, 0.f, 5.f}), {0.f, 3.f})).data<std::int32_t>()[2],
      2);
  const tf::Output pooled = slim::pool(picture(), {2, 2}, "MAX", {.stride = 2});
  expect(pooled, {0, 0.1f, 0.4f, 0.5f});
  namespace lookup = tf::contrib::lookup;
  const tf::Output words = tf::constant({"a", "b"});
  EXPECT_EQ(value(lookup::string_to_index({"b", "z", "a"}, words)).data<std::int64_t>()[1], -1);
  EXPECT_EQ(value(lookup::index_to_string(tf::constant({std::int64_t{1}, std::int64_t{5}}), words))
                .data<std::string>()[1],
            "UNK");
}

TEST_F(ContribSmall, shapes_that_are_asked_for) {
  namespace framework = tf::contrib::framework;
  EXPECT_THROW(framework::with_shape({3}, tf::constant({1.f, 2.f})), tf::Error);
  const tf::Output x = tf::placeholder(tf::float32);
  const tf::Output y = framework::with_shape({2}, x);
  EXPECT_EQ(y.shape(), tf::PartialShape{2});
  tf::Session session;
  EXPECT_EQ(session.run(y, {{x, {1.f, 2.f}}}).data<float>()[1], 2);
  EXPECT_THROW(session.run(y, {{x, {1.f, 2.f, 3.f}}}), tf::errors::InvalidArgumentError);
}

TEST_F(ContribSmall, tasks_by_load) {
  namespace training = tf::contrib::training;
  const tf::Variable large(tf::zeros({10})), small(0.0f);
  EXPECT_EQ(training::byte_size_load_fn(*tf::zeros({10}).node), 40);
  training::GreedyLoadBalancingStrategy greedy(2, training::byte_size_load_fn);
  EXPECT_EQ(greedy(*tf::zeros({10}).node), 0);
  EXPECT_EQ(greedy(*tf::zeros({2}).node), 1);
  EXPECT_EQ(greedy(*tf::zeros({3}).node), 1);
  training::RandomStrategy one(3, 7), other(3, 7);
  for (int i = 0; i < 20; ++i) {
    const std::int64_t task = one(large.op());
    EXPECT_TRUE(task >= 0 && task < 3 && task == other(small.op()));
  }
}

TEST_F(ContribSmall, loss_scales) {
  namespace exp = tf::train::experimental;
  const tf::Variable w(1.0f, {.name = "w"});
  const tf::Output x = tf::placeholder(tf::float32, {});
  const auto scale = std::make_shared<exp::DynamicLossScale>(exp::DynamicLossScaleOptions{
      .initial_loss_scale = 4, .increment_period = 2, .multiplier = 2});
  exp::MixedPrecisionLossScaleOptimizer optimizer(
      std::make_shared<tf::train::MomentumOptimizer>(0.5, 0.0), scale);
  auto& step = optimizer.minimize(w * x);
  tf::Session session;
  session.run(tf::global_variables_initializer());
  const auto now = [&] { return session.run(scale->current_loss_scale).scalar_value<float>(); };
  session.run(step, {{x, 1.0f}});
  EXPECT_EQ(session.run(w).scalar_value<float>(), 0.5f);
  EXPECT_EQ(now(), 4);
  session.run(step, {{x, 1.0f}});
  EXPECT_EQ(now(), 8);  // after two good steps
  session.run(step, {{x, std::numeric_limits<float>::infinity()}});
  EXPECT_EQ(now(), 4);
  EXPECT_EQ(session.run(w).scalar_value<float>(), 0.0f);  // as it was
  EXPECT_THROW(exp::FixedLossScale(0.5), tf::Error);
}

}  // namespace

// tf.nn in C++: the nodes that Python's functions make, and their values.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

using Lines = std::vector<std::string>;
using Floats = std::vector<float>;

class Nn : public ::testing::Test {
 protected:
  // "name op inputs" of each node, as tests/golden/programs has them.
  Lines lines() const {
    Lines result;
    for (const tf::Node* node : graph_->nodes()) {
      std::string line = node->name() + " " + node->op().name;
      for (int i = 0; i < node->input_count(); ++i) line += " " + node->input(i).node->name();
      result.push_back(line);
    }
    return result;
  }
  Lines last_lines(std::size_t count) const {
    const Lines all = lines();
    return {all.end() - static_cast<std::ptrdiff_t>(count), all.end()};
  }

  tf::Tensor value(tf::Output output) const {
    tf::Session session(graph_);
    return session.run({}, {&output, 1})[0];
  }
  Floats floats(tf::Output output) const {
    const tf::Tensor tensor = value(output);
    const auto flat = tensor.flat<float>();
    return {flat.begin(), flat.end()};
  }
  void expect_near(tf::Output output, const Floats& expected) const {
    const Floats ours = floats(output);
    ASSERT_EQ(ours.size(), expected.size());
    for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 1e-4F);
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

// 0, 1, 2, ... in a shape.
tf::Output counted(const tf::Shape& shape) {
  tf::Tensor values(tf::DType::f32, shape);
  for (std::int64_t i = 0; i < shape.element_count(); ++i)
    values.data<float>()[i] = static_cast<float>(i);
  return tf::constant(tf::Input(values));
}

TEST_F(Nn, a_layer_reads_like_python) {
  const auto x = tf::placeholder(tf::float32, {2, 5, 5, 3}, {.name = "x"});
  const auto w = tf::placeholder(tf::float32, {3, 3, 3, 4}, {.name = "w"});
  const auto y = tf::nn::conv2d(x, w, 1, "SAME");
  const auto z = tf::nn::relu(tf::nn::bias_add(y, tf::constant({0.0F, 1.0F, 2.0F, 3.0F})));
  const auto pooled = tf::nn::max_pool(z, 2, 2, "SAME");
  EXPECT_EQ(pooled.shape(), (tf::PartialShape{2, 3, 3, 4}));
  EXPECT_EQ(lines(),
            (Lines{"x Placeholder", "w Placeholder", "Conv2D Conv2D x w", "Const Const",
                   "BiasAdd BiasAdd Conv2D Const", "Relu Relu BiasAdd", "MaxPool MaxPool Relu"}));
}

TEST_F(Nn, convolution_dilates_through_the_batch) {
  const auto x = counted({1, 5, 1, 1});
  const auto w = counted({2, 1, 1, 1});  // picks the second element of each window
  const auto y = tf::nn::convolution(x, w, "VALID", {.dilation_rate = {2, 1}, .name = "c"});
  EXPECT_EQ(floats(y), (Floats{2, 3, 4}));
  EXPECT_EQ(y.node->name(), "c/BatchToSpaceND");
  EXPECT_EQ(floats(tf::nn::atrous_conv2d(counted({1, 5, 5, 1}), counted({2, 2, 1, 1}), 2, "VALID"))
                .size(),
            9U);
}

TEST_F(Nn, convolution_reads_resource_variables_where_python_does) {
  const tf::Variable w(counted({2, 1, 1}), {.use_resource = true, .name = "w"});
  const auto x = tf::placeholder(tf::float32, {1, 4, 1}, {.name = "x"});
  tf::nn::convolution(x, w, "SAME");
  EXPECT_EQ(last_lines(7),
            (Lines{"convolution/ExpandDims/dim Const",
                   "convolution/ExpandDims ExpandDims x convolution/ExpandDims/dim",
                   "convolution/ExpandDims_1/ReadVariableOp ReadVariableOp w",
                   "convolution/ExpandDims_1/dim Const",
                   "convolution/ExpandDims_1 ExpandDims convolution/ExpandDims_1/ReadVariableOp "
                   "convolution/ExpandDims_1/dim",
                   "convolution Conv2D convolution/ExpandDims convolution/ExpandDims_1",
                   "convolution/Squeeze Squeeze convolution"}));
}

TEST_F(Nn, transposes_and_separable_convolutions) {
  const auto x = counted({1, 2, 2, 1});
  const auto y = tf::nn::conv2d_transpose(x, counted({1, 1, 1, 1}) + 1, {1, 4, 4, 1}, 2);
  EXPECT_EQ(floats(y), (Floats{0, 0, 1, 0, 0, 0, 0, 0, 2, 0, 3, 0, 0, 0, 0, 0}));
  const auto same = tf::nn::conv_transpose(x, counted({1, 1, 1, 1}) + 1, {1, 4, 4, 1}, 2);
  EXPECT_EQ(floats(same), floats(y));
  const auto two = counted({1, 1, 1, 2}), mix = counted({1, 1, 2, 1});
  EXPECT_EQ(floats(tf::nn::separable_conv2d(x, two, mix, 1, "SAME")), (Floats{0, 1, 2, 3}));
}

TEST_F(Nn, pooling_by_rank_and_by_type) {
  const auto x = counted({1, 4, 1});
  EXPECT_EQ(floats(tf::nn::max_pool1d(x, 2, 2, "VALID")), (Floats{1, 3}));
  EXPECT_EQ(floats(tf::nn::avg_pool_v2(x, 2, 2, "VALID")), (Floats{0.5F, 2.5F}));
  EXPECT_EQ(floats(tf::nn::pool(x, {2}, "AVG", "VALID", {.dilation_rate = {2}})), (Floats{1, 2}));
  EXPECT_EQ(floats(tf::nn::avg_pool2d(counted({1, 2, 2, 1}), 2, 2, "SAME", {}, {})),
            (Floats{1.5F}));
}

TEST_F(Nn, dropout_keeps_or_scales) {
  const auto x = tf::ones({1000});
  const auto y = floats(tf::nn::dropout(x, {.seed = 1, .rate = 0.5}));
  EXPECT_TRUE(std::ranges::all_of(y, [](float v) { return v == 0 || v == 2; }));
  EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0F), 1000, 150);
  EXPECT_EQ(tf::nn::dropout(x, {.keep_prob = 1.0}), x);
  EXPECT_THROW(tf::nn::dropout(x, {.rate = 1.0}), tf::Error);
  EXPECT_THROW(tf::nn::dropout(x, {}), tf::Error);
}

TEST_F(Nn, moments_and_batch_normalization) {
  const auto x = counted({2, 2});
  const auto [mean, variance] = tf::nn::moments(x, {0});
  EXPECT_EQ(floats(mean), (Floats{1, 2}));
  EXPECT_EQ(floats(variance), (Floats{1, 1}));
  const auto y = tf::nn::batch_normalization(x, mean, variance, {}, {}, 0.0);
  EXPECT_EQ(floats(y), (Floats{-1, -1, 1, 1}));
  const auto sums = tf::nn::sufficient_statistics(x, {0});
  const auto again = tf::nn::normalize_moments(sums.counts, sums.mean_ss, sums.variance_ss);
  EXPECT_EQ(floats(again.variance), (Floats{1, 1}));
  const auto fused = tf::nn::fused_batch_norm(tf::reshape(x, tf::ShapeInput{2, 1, 1, 2}),
                                              tf::ones({2}), tf::zeros({2}), {.epsilon = 0});
  expect_near(fused.y, {-1, -1, 1, 1});
}

TEST_F(Nn, losses) {
  const auto logits = tf::constant({0.0F, 0.0F}), labels = tf::constant({1.0F, 0.0F});
  const float log2 = std::log(2.0F);
  expect_near(tf::nn::sigmoid_cross_entropy_with_logits(labels, logits), {log2, log2});
  expect_near(tf::nn::weighted_cross_entropy_with_logits(labels, logits, 3.0), {3 * log2, log2});
  expect_near(tf::nn::softmax_cross_entropy_with_logits(labels, logits), {log2});
  const auto rows = tf::zeros({1, 2});
  expect_near(
      tf::nn::sparse_softmax_cross_entropy_with_logits(tf::constant<std::int64_t>({1}), rows),
      {log2});
  expect_near(tf::nn::log_poisson_loss(labels, logits), {1, 1});
  EXPECT_THROW(tf::nn::sigmoid_cross_entropy_with_logits(labels, rows), tf::Error);
}

TEST_F(Nn, activations_and_their_gradients) {
  const auto x = tf::constant({-1.0F, 8.0F});
  EXPECT_EQ(floats(tf::nn::relu6(x)), (Floats{0, 6}));
  EXPECT_EQ(floats(tf::nn::leaky_relu(x, {.alpha = 0.5F})), (Floats{-0.5F, 8}));
  EXPECT_EQ(floats(tf::nn::crelu(x)), (Floats{0, 8, 1, 0}));
  const auto y = tf::nn::swish(x);
  expect_near(y, {-0.268941F, 7.997317F});
  expect_near(tf::gradients({y}, {x})[0].dense(), {0.072329F, 1.002347F});
}

TEST_F(Nn, embeddings) {
  const auto table = counted({4, 2});
  const auto ids = tf::constant<std::int64_t>({3, 0});
  EXPECT_EQ(floats(tf::nn::embedding_lookup(table, ids)), (Floats{6, 7, 0, 1}));
  const std::vector<tf::Output> parts{counted({2, 2}), counted({2, 2}) + 4};
  EXPECT_EQ(floats(tf::nn::embedding_lookup(parts, ids, {.partition_strategy = "div"})),
            (Floats{6, 7, 0, 1}));
  const tf::Variable v(table, {.use_resource = true, .name = "v"});
  EXPECT_EQ(tf::nn::embedding_lookup(v, ids).node->input(0).node->op().name, "ResourceGather");
  const tf::SparseTensor sparse(tf::Tensor::of<std::int64_t>({2, 2}, {0, 0, 0, 1}),
                                tf::Tensor::vector<std::int64_t>({1, 3}),
                                tf::Tensor::vector<std::int64_t>({2, 2}));
  EXPECT_EQ(floats(tf::nn::safe_embedding_lookup_sparse(table, sparse, {.combiner = "sum"})),
            (Floats{8, 10, 0, 0}));
}

TEST_F(Nn, sampled_losses) {
  const auto labels = tf::constant(tf::Input(tf::Tensor::of<std::int64_t>({1, 1}, {0})));
  const auto samples = tf::all_candidate_sampler(labels, 1, 2, true);
  const auto loss =
      tf::nn::sampled_softmax_loss(tf::zeros({2, 3}), tf::zeros({2}), labels, tf::ones({1, 3}), 2,
                                   2, {.sampled_values = samples, .remove_accidental_hits = false});
  expect_near(loss, {std::log(3.0F)});  // the true class and two sampled ones
}

TEST_F(Nn, ctc) {
  const auto logits = tf::zeros({3, 1, 2});
  const auto labels = tf::constant(tf::Input(tf::Tensor::of<std::int32_t>({1, 1}, {1})));
  const auto loss = tf::nn::ctc_loss_v2(labels, logits, tf::constant({1}), tf::constant({3}));
  expect_near(loss, {-std::log(6.0F / 8.0F)});  // six of eight paths spell the label
  const auto [collapsed, count] =
      tf::nn::collapse_repeated(tf::Tensor::of<std::int32_t>({1, 3}, {1, 1, 2}), tf::constant({3}));
  EXPECT_EQ(value(collapsed).flat<std::int32_t>()[1], 2);
  EXPECT_EQ(value(count).flat<std::int32_t>()[0], 2);
}

TEST_F(Nn, least_squares) {
  const auto a = tf::constant(tf::Input(tf::Tensor::of<float>({2, 1}, {1, 1})));
  const auto b = tf::constant(tf::Input(tf::Tensor::of<float>({2, 1}, {1, 3})));
  expect_near(tf::linalg::lstsq(a, b), {2});
  expect_near(tf::matrix_solve_ls(a, b, {.l2_regularizer = 2.0}, {}), {1});
  expect_near(tf::norm(a, {.ord = 2.0, .axis = {0, 1}}), {std::sqrt(2.0F)});
}

}  // namespace

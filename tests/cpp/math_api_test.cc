// tf.math in C++: the nodes that Python's functions make, and their values.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

using Lines = std::vector<std::string>;

class Math : public ::testing::Test {
 protected:
  // "name op inputs" of each node, as tests/golden/programs has them.
  Lines lines() const {
    Lines result;
    for (const tf::Node* node : graph_->nodes()) {
      std::string line = node->name() + " " + node->op().name;
      for (int i = 0; i < node->input_count(); ++i) {
        const tf::Output input = node->input(i);
        line += " " + input.node->name();
        if (input.index > 0) line += ":" + std::to_string(input.index);
      }
      result.push_back(line);
    }
    return result;
  }

  tf::Tensor value(tf::Output output) const {
    tf::Session session(graph_);
    return session.run({}, {&output, 1})[0];
  }
  template <class T>
  std::vector<T> values(tf::Output output) const {
    const tf::Tensor tensor = value(output);
    const auto flat = tensor.flat<T>();
    return {flat.begin(), flat.end()};
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

tf::Output matrix() {
  return tf::constant(tf::Input(tf::Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 7})));
}

TEST_F(Math, operators_read_like_python) {
  const auto x = tf::constant({1.0F, 2.0F}), y = tf::constant({3.0F, 5.0F});
  // C++ leaves open which side of an operator is made first; a line each has Python's order.
  const auto doubled = 2 * x;
  const auto sum = doubled + y / 4;
  const auto rest = -x % y;
  const auto z = sum - rest;
  EXPECT_EQ(lines(),
            (Lines{"Const Const", "Const_1 Const", "mul/x Const", "mul Mul mul/x Const",
                   "truediv/y Const", "truediv RealDiv Const_1 truediv/y", "add AddV2 mul truediv",
                   "Neg Neg Const", "mod FloorMod Neg Const_1", "sub Sub add mod"}));
  EXPECT_EQ(values<float>(z), (std::vector<float>{0.75F, 2.25F}));
}

TEST_F(Math, comparisons_and_logic) {
  const auto x = tf::constant({1, 2, 3});
  const auto low = x < 2;
  const auto y = low | (x >= 3);
  EXPECT_EQ(
      lines(),
      (Lines{"Const Const", "Less/y Const", "Less Less Const Less/y", "GreaterEqual/y Const",
             "GreaterEqual GreaterEqual Const GreaterEqual/y", "or LogicalOr Less GreaterEqual"}));
  EXPECT_EQ(values<bool>(y), (std::vector<bool>{true, false, true}));
  EXPECT_EQ((x & 1).name(), "and/BitwiseAnd:0");
  EXPECT_EQ((~x).node->op().name, "Invert");
}

TEST_F(Math, operators_remember_their_line) {
  const auto x = tf::constant(1.0F);
  const auto y = x + 1;
  const int line = __LINE__ - 1;
  ASSERT_NE(y.node->origin(), nullptr);
  EXPECT_EQ(y.node->origin()->frames.at(0).line, line);
}

TEST_F(Math, plain_ops) {
  const auto x = tf::constant({0.25F, 0.5F});
  tf::acos(x);
  tf::math::atan2(x, 1, {.name = "angle"});
  tf::math::cumsum(x, {.reverse = true});
  tf::math::divide_no_nan(x, x);
  const auto best = tf::math::top_k(x);
  EXPECT_EQ(lines(), (Lines{"Const Const", "Acos Acos Const", "angle/x Const",
                            "angle Atan2 Const angle/x", "Cumsum/axis Const",
                            "Cumsum Cumsum Const Cumsum/axis", "div_no_nan DivNoNan Const Const",
                            "TopKV2/k Const", "TopKV2 TopKV2 Const TopKV2/k"}));
  EXPECT_EQ(values<std::int32_t>(best.indices), (std::vector<std::int32_t>{1}));
  EXPECT_EQ(tf::bitwise::invert(tf::constant({1})).node->op().name, "Invert");
}

TEST_F(Math, reductions) {
  const auto x = matrix();
  const auto all = tf::reduce_sum(x);
  const auto rows = tf::reduce_mean(x, {.axis = 1, .keepdims = true, .name = "rows"});
  EXPECT_EQ(lines(),
            (Lines{"Const Const", "Const_1 Const", "Sum Sum Const Const_1",
                   "rows/reduction_indices Const", "rows Mean Const rows/reduction_indices"}));
  EXPECT_EQ(values<float>(all), (std::vector<float>{22}));
  EXPECT_EQ(tf::to_text(rows.shape()), "[2,1]");
  EXPECT_NEAR(values<float>(tf::reduce_logsumexp(x))[0], 7.1928F, 1e-3);
  EXPECT_NEAR(values<float>(tf::math::reduce_std(x))[0], 1.97203F, 1e-4);
  EXPECT_THROW(tf::reduce_sum(x, {.axis = 5}), tf::Error);
}

TEST_F(Math, matmul_chooses_its_op) {
  const auto x = matrix();
  EXPECT_EQ(tf::matmul(x, x, {.transpose_b = true}).node->op().name, "MatMul");
  const auto batch = tf::constant(tf::Input(tf::Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4})));
  const auto square = tf::matmul(batch, batch, {.name = "square"});
  EXPECT_EQ(square.node->op().name, "BatchMatMulV2");
  EXPECT_EQ(values<float>(square), (std::vector<float>{7, 10, 15, 22}));
  EXPECT_EQ(tf::matmul(x, x, {.transpose_a = true, .a_is_sparse = true}).node->op().name,
            "SparseMatMul");
  EXPECT_THROW(tf::matmul(x, x, {.transpose_a = true, .adjoint_a = true}), tf::Error);
}

TEST_F(Math, tensordot_counts_or_lists_axes) {
  const auto x = matrix();
  EXPECT_EQ(values<float>(tf::tensordot(x, x, {{1}, {1}})), (std::vector<float>{14, 35, 35, 90}));
  EXPECT_EQ(values<float>(tf::tensordot(x, x, {{0, 1}, {0, 1}})), (std::vector<float>{104}));
  EXPECT_THROW(tf::tensordot(x, x, 3), tf::Error);
  EXPECT_THROW(tf::tensordot(x, x, {{0, 1}, {0}}), tf::Error);
}

TEST_F(Math, casts_of_one_type_make_nothing) {
  const auto x = tf::constant({1.5F, -2.5F});
  EXPECT_EQ(tf::cast(x, tf::float32), x);
  EXPECT_EQ(values<std::int32_t>(tf::to_int32(x)), (std::vector<std::int32_t>{1, -2}));
  EXPECT_EQ(values<std::uint8_t>(tf::saturate_cast(tf::constant({-3, 300}), tf::uint8)),
            (std::vector<std::uint8_t>{0, 255}));
  EXPECT_EQ(tf::real(x), x);
}

TEST_F(Math, ranges_widen) {
  EXPECT_EQ(values<std::int32_t>(tf::range(3)), (std::vector<std::int32_t>{0, 1, 2}));
  const auto halves = tf::range(0, 2, {.delta = 0.5});
  EXPECT_EQ(halves.dtype(), tf::float32);
  EXPECT_EQ(values<float>(halves), (std::vector<float>{0, 0.5F, 1, 1.5F}));
}

TEST_F(Math, segments_and_counts) {
  const auto x = tf::constant({1.0F, 3.0F, 5.0F});
  const auto ids = tf::constant({1, 0, 1});
  EXPECT_EQ(values<float>(tf::unsorted_segment_mean(x, ids, 3)), (std::vector<float>{3, 3, 0}));
  EXPECT_EQ(values<std::int32_t>(tf::bincount(ids)), (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(values<float>(tf::norm(x, {.ord = 1})), (std::vector<float>{9}));
}

}  // namespace

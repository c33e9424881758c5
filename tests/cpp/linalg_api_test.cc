// tf.linalg in C++: values and node names of what is made of several nodes.
#include <gtest/gtest.h>

#include <cmath>

#include "rill/api/gen/array.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

class Linalg : public ::testing::Test {
 protected:
  std::vector<float> values(tf::Output output) const {
    tf::Session session(graph_);
    const tf::Tensor tensor = session.run({}, {&output, 1})[0];
    const auto flat = tensor.flat<float>();
    return {flat.begin(), flat.end()};
  }
  static tf::Output matrix(tf::Shape shape, std::vector<float> of) {
    tf::Tensor value(tf::float32, shape);
    std::copy(of.begin(), of.end(), value.data<float>());
    return tf::constant(tf::Input(value));
  }
  void expect_near(tf::Output output, const std::vector<float>& wanted) const {
    const std::vector<float> found = values(output);
    ASSERT_EQ(found.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-5) << i;
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Linalg, logdet_and_expm) {
  const tf::Output x = matrix({2, 2}, {2, 0, 0, 3});
  const tf::Output log = tf::linalg::logdet(x);
  EXPECT_EQ(log.node->name(), "logdet/mul");
  expect_near(log, {std::log(6.0F)});
  expect_near(tf::linalg::expm(matrix({2, 2}, {0, 1, 0, 0})), {1, 1, 0, 1});
}

TEST_F(Linalg, ranks_and_inverses) {
  const tf::Output x = matrix({2, 3}, {1, 2, 3, 2, 4, 6});
  tf::Session session(graph_);
  const tf::Output rank = tf::linalg::matrix_rank(x);
  EXPECT_EQ(session.run({}, {&rank, 1})[0].flat<std::int32_t>()[0], 1);
  expect_near(tf::linalg::pinv(matrix({1, 2}, {3, 4})), {3.0F / 25, 4.0F / 25});
  EXPECT_THROW(tf::linalg::pinv(tf::constant({1.0F})), tf::Error);
}

TEST_F(Linalg, three_diagonals) {
  const tf::Output right = matrix({3, 1}, {1, 2, 3});
  // [2 1 0; 1 2 1; 0 1 2]
  const auto compact =
      tf::linalg::Tridiagonal::compact(matrix({3, 3}, {1, 1, 0, 2, 2, 2, 0, 1, 1}));
  const auto sequence = tf::linalg::Tridiagonal::sequence(
      tf::constant({1.0F, 1.0F}), tf::constant({2.0F, 2.0F, 2.0F}), tf::constant({1.0F, 1.0F}));
  const auto whole = tf::linalg::Tridiagonal::matrix(matrix({3, 3}, {2, 1, 0, 1, 2, 1, 0, 1, 2}));
  for (const auto& diagonals : {compact, sequence, whole})
    expect_near(tf::linalg::tridiagonal_solve(diagonals, right), {0.5F, 0, 1.5F});
  for (const auto& diagonals : {compact, whole})
    expect_near(tf::linalg::tridiagonal_matmul(diagonals, right), {4, 8, 8});
}

using tf::linalg::OperatorRef;

TEST_F(Linalg, operators) {
  const auto diagonal =
      std::make_shared<tf::linalg::LinearOperatorDiag>(tf::constant({2.0F, 4.0F}));
  const auto full =
      std::make_shared<tf::linalg::LinearOperatorFullMatrix>(matrix({2, 2}, {1, 2, 3, 4}));
  expect_near(diagonal->to_dense(), {2, 0, 0, 4});
  expect_near(diagonal->inverse()->to_dense(), {0.5F, 0, 0, 0.25F});
  expect_near(full->adjoint()->to_dense(), {1, 3, 2, 4});
  const OperatorRef product = diagonal->matmul(OperatorRef(full));
  EXPECT_EQ(product->name(), "LinearOperatorDiag_o_LinearOperatorFullMatrix");
  expect_near(product->to_dense(), {2, 4, 12, 16});
  expect_near(product->determinant(), {-16});
  const tf::Output solved = full->solve(matrix({2, 1}, {5, 11}));
  expect_near(solved, {1, 2});
  EXPECT_EQ(diagonal->is_self_adjoint(), true);
  EXPECT_EQ(full->is_square(), true);
  EXPECT_EQ(full->is_non_singular(), std::nullopt);
  EXPECT_EQ(diagonal->adjoint(), diagonal);
  const auto blocks = std::make_shared<tf::linalg::LinearOperatorBlockDiag>(
      std::vector<OperatorRef>{diagonal, full});
  expect_near(blocks->diag_part(), {2, 4, 1, 4});
  const auto identity = std::make_shared<tf::linalg::LinearOperatorIdentity>(2);
  expect_near(identity->add_to_tensor(matrix({2, 2}, {1, 2, 3, 4})), {2, 2, 3, 5});
}

// Written by a program: exchanges two elements.
class Swap : public tf::linalg::LinearOperator {
 public:
  Swap() : LinearOperator(tf::float32, {.is_non_singular = true, .name = "Swap"}) {}
  tf::PartialShape do_shape() const override { return {2, 2}; }
  tf::Output do_matmul(tf::Output x, const tf::linalg::Adjoints&) override {
    return tf::raw::ReverseV2(x, tf::Input(tf::Tensor::vector<std::int32_t>({-2})));
  }
};

TEST_F(Linalg, programs_define_operators) {
  const auto swap = std::make_shared<Swap>();
  expect_near(swap->to_dense(), {0, 1, 1, 0});
  expect_near(swap->solve(matrix({2, 1}, {5, 11})), {11, 5});
  expect_near(swap->matvec(tf::constant({1.0F, 2.0F})), {2, 1});
  expect_near(swap->trace(), {0});
  EXPECT_THROW(swap->matmul(matrix({1, 1}, {5})), tf::Error);
}

}  // namespace

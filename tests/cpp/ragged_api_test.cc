// Ragged tensors through the C++ interface: functions under the names that plain tensors have.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

using Ints = std::vector<std::int32_t>;
using Longs = std::vector<std::int64_t>;

class RaggedApi : public ::testing::Test {
 protected:
  template <class T>
  std::vector<T> run(tf::Output fetch) {
    const auto flat = session_.run({}, {{fetch}}).at(0).flat<T>();
    return {flat.begin(), flat.end()};
  }
  void expect_rows(const tf::ragged::RaggedOrDense& x, const Ints& values, const Longs& splits) {
    const auto& rows = std::get<tf::RaggedTensor>(x);
    EXPECT_EQ(run<std::int32_t>(rows.flat_values), values);
    EXPECT_EQ(run<std::int64_t>(rows.row_splits()), splits);
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Session session_{graph_};
  const tf::RaggedTensor rows_ = tf::ragged::from_row_splits(
      tf::Tensor::vector<std::int32_t>({1, 2, 3}), tf::Tensor::vector<std::int64_t>({0, 2, 3}));
};

TEST_F(RaggedApi, functions_of_elements) {
  expect_rows(tf::square(rows_), {1, 4, 9}, {0, 2, 3});
  expect_rows(2 * rows_ + 1, {3, 5, 7}, {0, 2, 3});
  expect_rows(rows_ - rows_, {0, 0, 0}, {0, 2, 3});
  expect_rows(-rows_, {-1, -2, -3}, {0, 2, 3});
  const tf::Tensor column = tf::Tensor::of<std::int32_t>({2, 1}, Ints{10, 20});
  expect_rows(rows_ + column, {11, 12, 23}, {0, 2, 3});
  expect_rows(tf::maximum(rows_, 2), {2, 2, 3}, {0, 2, 3});
}

TEST_F(RaggedApi, rows_that_differ_fail_the_step) {
  const tf::RaggedTensor other = tf::ragged::from_row_splits(
      tf::Tensor::vector<std::int32_t>({1, 2, 3}), tf::Tensor::vector<std::int64_t>({0, 1, 3}));
  const tf::RaggedTensor sum = rows_ + other;
  EXPECT_THROW(session_.run(sum.flat_values), tf::Error);
}

TEST_F(RaggedApi, dimensions) {
  expect_rows(tf::concat({rows_, rows_}, 1), {1, 2, 1, 2, 3, 3}, {0, 4, 6});
  expect_rows(tf::concat({rows_, rows_}, 0), {1, 2, 3, 1, 2, 3}, {0, 2, 3, 5, 6});
  expect_rows(tf::tile(rows_, tf::Tensor::vector<std::int32_t>({1, 2})), {1, 2, 1, 2, 3, 3},
              {0, 4, 6});
  expect_rows(tf::reverse(rows_, {1}), {2, 1, 3}, {0, 2, 3});
  EXPECT_EQ(std::get<tf::RaggedTensor>(tf::expand_dims(rows_, 0)).ragged_rank(), 2);
  EXPECT_EQ(run<std::int32_t>(tf::size(rows_)), Ints{3});
}

TEST_F(RaggedApi, picking_and_reductions) {
  expect_rows(tf::gather(rows_, tf::Tensor::vector<std::int32_t>({1, 0})), {3, 1, 2}, {0, 1, 3});
  expect_rows(tf::slice(rows_, {tf::SliceRange{}, tf::SliceRange{.stop = tf::Input(1)}}), {1, 3},
              {0, 1, 2});
  EXPECT_EQ(run<std::int32_t>(std::get<tf::Output>(tf::reduce_sum(rows_, {.axes = {1}}))),
            (Ints{3, 3}));
  EXPECT_EQ(run<std::int32_t>(std::get<tf::Output>(tf::reduce_max(rows_, {.axes = {0}}))),
            (Ints{3, 2}));
}

TEST_F(RaggedApi, functions_of_sparse_elements) {
  const tf::SparseTensor sparse(tf::Tensor::of<std::int64_t>({1, 2}, Longs{0, 1}),
                                tf::Tensor::vector<std::int32_t>({-4}),
                                tf::Tensor::vector<std::int64_t>({2, 2}));
  EXPECT_EQ(run<std::int32_t>(tf::abs(sparse).values), Ints{4});
  EXPECT_EQ(run<std::int32_t>(tf::square(sparse).values), Ints{16});
}

}  // namespace

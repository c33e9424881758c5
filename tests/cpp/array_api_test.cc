// Functions on arrays, sparse tensors and strings through the C++ interface.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class ArrayApi : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const tf::Node* node : graph_->nodes()) result.push_back(node->name());
    return result;
  }
  template <class T>
  std::vector<T> run(tf::Output fetch) {
    const auto flat = session_.run({}, {{fetch}}).at(0).flat<T>();
    return {flat.begin(), flat.end()};
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Session session_{graph_};
};

using Ints = std::vector<std::int32_t>;
using Names = std::vector<std::string>;

TEST_F(ArrayApi, known_shapes_become_constants) {
  const auto x = tf::zeros({2, 3});
  EXPECT_EQ(run<std::int32_t>(tf::shape(x)), (Ints{2, 3}));
  EXPECT_EQ(run<std::int32_t>(tf::size(x)), Ints{6});
  EXPECT_EQ(run<std::int32_t>(tf::rank(x)), Ints{2});
  for (const char* name : {"zeros", "Shape", "Size", "Rank"})
    EXPECT_EQ(graph_->at(name).op().name, "Const") << name;
}

TEST_F(ArrayApi, nodes_are_named_as_python_names_them) {
  const auto x = tf::placeholder(tf::float32, {tf::None, 2}, {.name = "x"});
  tf::transpose(x);
  tf::stack({x, x}, {.axis = 1});
  tf::concat({x, x}, 0);
  tf::ones_like(x);
  EXPECT_EQ(names(), (Names{"x", "transpose/perm", "transpose", "stack", "concat/axis", "concat",
                            "ones_like/Shape", "ones_like/Const", "ones_like"}));
}

TEST_F(ArrayApi, lists_of_tensors_and_numbers_are_packed) {
  const auto n = tf::placeholder(tf::int32, tf::Shape{}, {.name = "n"});
  tf::stack({n, 1});
  EXPECT_EQ(names(), (Names{"n", "stack/1", "stack"}));
  EXPECT_EQ(run<std::int32_t>(tf::stack({1, 2, 3})), (Ints{1, 2, 3}));
}

TEST_F(ArrayApi, picking) {
  const auto x = tf::constant({10, 20, 30});
  EXPECT_EQ(run<std::int32_t>(tf::gather(x, tf::constant({2, 0}))), (Ints{30, 10}));
  EXPECT_EQ(run<std::int32_t>(tf::boolean_mask(x, tf::Tensor::vector<bool>({true, false, true}))),
            (Ints{10, 30}));
  EXPECT_EQ(run<std::int32_t>(tf::sort(x, {.direction = "DESCENDING"})), (Ints{30, 20, 10}));
  EXPECT_EQ(run<std::int32_t>(tf::repeat(x, 2)), (Ints{10, 10, 20, 20, 30, 30}));
  EXPECT_EQ(run<float>(tf::one_hot(tf::constant({1}), 3)), (std::vector<float>{0, 1, 0}));
}

TEST_F(ArrayApi, errors_name_what_is_wrong) {
  const auto x = tf::placeholder(tf::float32);
  EXPECT_THROW(tf::unstack(x), tf::Error);
  EXPECT_THROW(tf::pad(x, tf::Tensor::zeros(tf::int32, {1, 2}), {.mode = "WRAP"}), tf::Error);
  EXPECT_THROW(tf::sort(x, {.direction = "UP"}), tf::Error);
}

TEST_F(ArrayApi, sparse_tensors) {
  const tf::SparseTensor s(tf::Tensor::of<std::int64_t>({2, 2}, {0, 1, 1, 0}),
                           tf::Tensor::vector<float>({1, 2}),
                           tf::Tensor::vector<std::int64_t>({2, 2}));
  EXPECT_EQ(s.shape(), tf::PartialShape({2, 2}));
  EXPECT_EQ(run<float>(tf::sparse::to_dense(s * 3)), (std::vector<float>{0, 3, 6, 0}));
  EXPECT_EQ(run<float>(tf::sparse::reduce_sum(s)), (std::vector<float>{3}));
  EXPECT_EQ(run<float>(tf::sparse::to_dense(tf::sparse::transpose(s))),
            (std::vector<float>{0, 2, 1, 0}));
  EXPECT_THROW(tf::sparse::reshape(s, tf::Tensor::vector<std::int32_t>({3})), tf::Error);
}

TEST_F(ArrayApi, strings) {
  const auto words = tf::constant<std::string>({"a b", "c"});
  const tf::SparseTensor split = tf::strings::split(words);
  EXPECT_EQ(run<std::string>(split.values), (Names{"a", "b", "c"}));
  EXPECT_EQ(run<std::string>(tf::strings::reduce_join(words, {.separator = "+"})),
            (Names{"a b+c"}));
  EXPECT_EQ(run<std::string>(tf::strings::regex_replace(words, "[ab]", "x")), (Names{"x x", "c"}));
}

TEST_F(ArrayApi, ragged_tensors) {
  const tf::RaggedTensor r = tf::ragged::from_row_splits(
      tf::Tensor::vector<std::int32_t>({1, 2, 3}), tf::Tensor::vector<std::int64_t>({0, 2, 2, 3}));
  EXPECT_EQ(run<std::int32_t>(tf::ragged::to_tensor(r)), (Ints{1, 2, 0, 0, 3, 0}));
  EXPECT_EQ(run<std::int64_t>(tf::ragged::row_lengths(r)), (std::vector<std::int64_t>{2, 0, 1}));
}

}  // namespace

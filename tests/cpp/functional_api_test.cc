// Functions along the first dimension, gradients of one's own: C++ twins of Python programs.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Functional : public ::testing::Test {
 protected:
  std::vector<float> value(tf::Output x, const std::vector<tf::Feed>& feeds = {}) {
    tf::Session session(graph_);
    const auto flat = session.run(feeds, {&x, 1})[0].flat<float>();
    return {flat.begin(), flat.end()};
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

using Floats = std::vector<float>;

TEST_F(Functional, map) {
  const auto x = tf::constant({1.0F, 2.0F, 3.0F});
  const auto y = tf::map_fn([](tf::Output v) { return tf::raw::Mul(v, v); }, x);
  EXPECT_EQ(y.name(), "map/TensorArrayStack/TensorArrayGatherV3:0");
  EXPECT_EQ(tf::to_text(y.shape()), "[3]");
  EXPECT_EQ(value(y), (Floats{1, 4, 9}));
  EXPECT_EQ(value(tf::gradients({y}, {x})[0].dense()), (Floats{2, 4, 6}));
}

TEST_F(Functional, map_of_several) {
  const auto x = tf::constant({1.0F, 2.0F});
  const tf::MapFn swapped = [](const std::vector<tf::Output>& v) {
    return std::vector<tf::Input>{v[1], v[0]};
  };
  const auto z = tf::map_fn(swapped, {x, tf::constant({3.0F, 4.0F})}, {.name = "swap"});
  EXPECT_EQ(value(z[0]), (Floats{3, 4}));
  EXPECT_EQ(value(z[1]), (Floats{1, 2}));
}

TEST_F(Functional, map_refuses_scalars_and_other_counts) {
  EXPECT_THROW(tf::map_fn([](tf::Output v) { return v; }, tf::constant(1.0F)), tf::Error);
  const tf::MapFn two = [](const std::vector<tf::Output>& v) {
    return std::vector<tf::Input>{v[0], v[0]};
  };
  EXPECT_THROW(tf::map_fn(two, {tf::constant({1.0F})}), tf::Error);
}

TEST_F(Functional, folds_and_scans) {
  const auto x = tf::constant({1.0F, 2.0F, 3.0F});
  const auto minus = [](tf::Output a, tf::Output v) { return tf::raw::Sub(a, v); };
  EXPECT_EQ(value(tf::foldl(minus, x)), (Floats{-4}));
  EXPECT_EQ(value(tf::foldr(minus, x)), (Floats{0}));
  EXPECT_EQ(value(tf::foldl(minus, x, {.initializer = std::vector<tf::Input>{10.0F}})),
            (Floats{4}));
  EXPECT_EQ(value(tf::scan(minus, x)), (Floats{1, -1, -4}));
  EXPECT_EQ(value(tf::scan(minus, x, {.reverse = true})), (Floats{0, 1, 3}));
}

TEST_F(Functional, hessians_and_jacobians) {
  const auto x = tf::constant({1.0F, 2.0F});
  const auto cubes = tf::raw::Mul(tf::raw::Mul(x, x), x);
  const auto sum = tf::raw::Sum(cubes, tf::Tensor::vector<int>({0}));
  EXPECT_EQ(value(tf::hessians({sum}, {x})[0]), (Floats{6, 0, 0, 12}));
  EXPECT_EQ(value(tf::jacobian(cubes, x).dense()), (Floats{3, 0, 0, 12}));
  EXPECT_TRUE(tf::jacobian(cubes, tf::constant({1.0F})).empty());
}

TEST_F(Functional, batch_jacobians) {
  const auto x = tf::constant(tf::Tensor::of<float>({2, 2}, {1, 2, 3, 4}));
  const auto y = tf::raw::Mul(x, x);
  EXPECT_EQ(value(tf::batch_jacobian(y, x)), (Floats{2, 0, 0, 4, 6, 0, 0, 8}));
}

TEST_F(Functional, functions_with_gradients_of_their_own) {
  const auto x = tf::constant({1.0F, 2.0F});
  const auto doubled = tf::custom_gradient(
      [](const std::vector<tf::Output>& args) {
        return tf::WithGradient{
            {tf::raw::Add(args[0], args[0])}, [](const std::vector<tf::Gradient>& dys) {
              return std::vector<tf::Gradient>{tf::raw::Mul(dys[0].dense(), 5.0F)};
            }};
      },
      {x});
  EXPECT_EQ(value(doubled[0]), (Floats{2, 4}));
  EXPECT_EQ(value(tf::gradients(doubled, {x})[0].dense()), (Floats{5, 5}));
}

TEST_F(Functional, branches_that_are_known) {
  const auto one = [] { return std::vector<tf::Output>{tf::constant(1.0F)}; };
  const auto two = [] { return std::vector<tf::Output>{tf::constant(2.0F)}; };
  EXPECT_EQ(value(tf::smart_cond(true, one, two)[0]), (Floats{1}));
  EXPECT_EQ(graph_->find("cond/Switch"), nullptr);
  const auto pred = tf::placeholder(tf::bool_, {});
  tf::smart_cond(pred, one, two);
  EXPECT_NE(graph_->find("cond/Switch"), nullptr);
  EXPECT_FALSE(tf::smart_constant_value(pred).has_value());
}

}  // namespace

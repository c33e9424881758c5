// Checks and printing as C++ programs use them.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <limits>

#include "rill/base/error_testing.h"
#include "rill/base/files.h"
#include "rill/rill.h"

namespace tf = rill;

namespace {

class Debugging : public ::testing::Test {
 protected:
  void run(tf::Node& node, const std::vector<tf::Feed>& feeds = {}) {
    tf::Session session(graph_);
    tf::Node* const target = &node;
    session.run(feeds, {}, {&target, 1});
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
};

TEST_F(Debugging, known_values_are_compared_at_once) {
  tf::assert_equal(1, 1);
  EXPECT_EQ(tf::thrown_by([] {
              tf::assert_less(tf::constant({1, 3}), 2, {.message = "oops"});
            }).message(),
            "oops\nCondition x < y did not hold element-wise:\nx (Const:0) = \n[1 3]\n"
            "y (assert_less/y:0) = \n2");
  EXPECT_THROW(tf::assert_positive(-1), tf::debugging::FailedAssertion);
}

TEST_F(Debugging, unknown_values_fail_the_step) {
  const auto x = tf::placeholder(tf::float32, {2});
  tf::Node& check = tf::assert_non_negative(x, {.message = "below zero"});
  run(check, {{x, tf::Tensor::vector<float>({0, 1})}});
  const std::string message = tf::thrown_by([&] {
                                run(check, {{x, tf::Tensor::vector<float>({-1, 1})}});
                              }).message();
  EXPECT_NE(message.find("below zero.  "), message.npos) << message;
}

TEST_F(Debugging, nodes_are_those_of_tensorflow) {
  const auto x = tf::placeholder(tf::float32, {2}, {.name = "x"});
  tf::assert_near(x, x, {.rtol = 0.5, .name = "near"});
  EXPECT_NE(graph_->find("near/Assert/AssertGuard/Merge"), nullptr);
  EXPECT_NE(graph_->find("near/rtol"), nullptr);
  EXPECT_EQ(tf::assert_rank(x, 1).name(), "assert_rank/static_checks_determined_all_ok");
}

TEST_F(Debugging, ranks_and_types) {
  const auto x = tf::placeholder(tf::float32, {2}, {.name = "x"});
  EXPECT_EQ(tf::thrown_by([&] { tf::assert_rank(x, 2, {.message = "r"}); }).message(),
            "r.  Tensor x:0 must have rank 2.  Received rank 1, shape (2,)");
  EXPECT_THROW(tf::assert_rank_in(x, {0, 2}), tf::Error);
  EXPECT_THROW(tf::assert_scalar(x), tf::Error);
  EXPECT_THROW(tf::assert_integer(x), tf::Error);
  EXPECT_THROW(tf::assert_type(x, tf::int32), tf::Error);
  EXPECT_TRUE(tf::is_numeric_tensor(x));
  EXPECT_EQ(tf::assert_same_float_dtype({x}), tf::float32);
}

TEST_F(Debugging, whole_graphs_are_checked) {
  const auto x = tf::placeholder(tf::float32, {1}, {.name = "x"});
  tf::Node& checks = tf::add_check_numerics_ops();
  EXPECT_THROW(
      run(checks, {{x, tf::Tensor::vector<float>({std::numeric_limits<float>::infinity()})}}),
      tf::Error);
}

TEST_F(Debugging, prints_to_files) {
  const std::string path = ::testing::TempDir() + "rill_debugging_api_test.txt";
  std::filesystem::remove(path);  // printing appends
  run(tf::print({"x =", tf::constant({1, 2}), 3, "{}"}, {.output_stream = "file://" + path}));
  EXPECT_EQ(tf::read_file(path), "x = [1 2] 3 {}\n");
  EXPECT_THROW(tf::print({"x"}, {.output_stream = "nowhere"}), tf::Error);
}

}  // namespace

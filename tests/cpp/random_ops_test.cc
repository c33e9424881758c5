// Random ops through the C++ interface, and those that only old graphs may have.
#include <gtest/gtest.h>

#include "rill/rill.h"

namespace tf = rill;

namespace {

class Random : public ::testing::Test {
 protected:
  std::vector<std::string> names() const {
    std::vector<std::string> result;
    for (const tf::Node* node : graph_->nodes()) result.push_back(node->name());
    return result;
  }
  template <class T = float>
  std::vector<T> run(tf::Output fetch) {
    const auto flat = session_.run({}, {{fetch}}).at(0).flat<T>();
    return {flat.begin(), flat.end()};
  }
  // A node as graphs before `producer` + 1 may have it.
  tf::Node& add_old(tf::NodeSpec spec, int producer) {
    tf::GraphEdit edit(*graph_);
    tf::Node& node = edit.add(std::move(spec), {.producer = producer});
    edit.commit();
    return node;
  }

  std::shared_ptr<tf::Graph> graph_ = tf::make_graph();
  tf::AsDefault as_default_{graph_};
  tf::Session session_{graph_};
};

TEST_F(Random, functions_name_nodes_as_python_does) {
  tf::random_uniform({2});
  tf::random_normal({2}, {.mean = 1.0, .name = "noise"});
  tf::random_uniform({2}, {.maxval = 9, .dtype = tf::int32});
  EXPECT_EQ(names(),
            (std::vector<std::string>{
                "random_uniform/shape", "random_uniform/min", "random_uniform/max",
                "random_uniform/RandomUniform", "random_uniform/sub", "random_uniform/mul",
                "random_uniform", "noise/shape", "noise/mean", "noise/stddev",
                "noise/RandomStandardNormal", "noise/mul", "noise", "random_uniform_1/shape",
                "random_uniform_1/min", "random_uniform_1/max", "random_uniform_1"}));
}

TEST_F(Random, the_graph_seed_counts_nodes) {
  tf::set_random_seed(12);
  const tf::Node& node = *tf::random_uniform({2}).node->input(0).node->input(0).node;
  EXPECT_EQ(node.attr<std::int64_t>("seed"), 12);
  EXPECT_EQ(node.attr<std::int64_t>("seed2"), 3);
  tf::set_random_seed({});
  EXPECT_FALSE(tf::get_seed());
  EXPECT_EQ(tf::get_seed(5)->seed, 87654321);
}

TEST_F(Random, known_numbers) {
  const auto x = tf::random_uniform({6}, {.seed = 1});
  EXPECT_EQ(run(x), (std::vector<float>{0.239037395F, 0.920399547F, 0.0505124331F, 0.495744467F,
                                        0.835522294F, 0.0264704227F}));
  EXPECT_EQ(run(x).at(0), 0.763752937F);  // the second run goes on
  EXPECT_EQ(run(tf::random_normal({2}, {.seed = 1})),
            (std::vector<float>{-0.811318219F, 1.48459876F}));
  EXPECT_EQ(run(tf::stateless_normal({2}, tf::Tensor::vector<int>({1, 2}))),
            (std::vector<float>{0.544110119F, 0.20738031F}));
  EXPECT_EQ(
      run<int>(tf::random_shuffle(tf::Tensor::vector<int>({0, 1, 2, 3, 4, 5, 6, 7}), {.seed = 1})),
      (std::vector<int>{7, 4, 5, 2, 3, 0, 6, 1}));
}

TEST_F(Random, the_old_poisson) {
  const auto shape = tf::constant({3}), rate = tf::constant({2.5F, 20.0F});
  const tf::NodeSpec spec{.op = "RandomPoisson",
                          .name = "old",
                          .inputs = {shape, rate},
                          .attrs = {{"seed", 12}, {"seed2", 34}}};
  EXPECT_THROW(add_old(spec, 25), tf::Error);
  const auto x = add_old(spec, 24).output();
  EXPECT_EQ(run(x), (std::vector<float>{1, 25, 0, 18, 3, 19}));
  EXPECT_EQ(run(x), (std::vector<float>{2, 17, 1, 22, 2, 21}));
}

TEST_F(Random, the_old_normal_keeps_its_algorithm_in_the_state) {
  const auto handle = tf::raw::VarHandleOp(tf::int64, {4});
  auto& start = tf::raw::AssignVariableOp(handle, tf::Tensor::vector<std::int64_t>({1, 3, 4, 5}));
  const auto shape = tf::constant({5});
  const tf::NodeSpec spec{.op = "StatefulStandardNormal", .name = "old", .inputs = {handle, shape}};
  EXPECT_THROW(add_old(spec, 29), tf::Error);
  const auto x = add_old(spec, 28).output();
  tf::Node* const first = &start;
  session_.run({}, {}, {{first}});
  EXPECT_EQ(run(x),
            (std::vector<float>{-0.5569993257522583F, 1.3662320375442505F, -0.17496277391910553F,
                                -0.1941482275724411F, -0.5011470317840576F}));
  EXPECT_EQ(run(x).at(0), -0.22979597747325897F);
  EXPECT_EQ(run<std::int64_t>(tf::raw::ReadVariableOp(handle, tf::int64)),
            (std::vector<std::int64_t>{1, 2563, 4, 5}));
}

TEST_F(Random, rates_without_samples_are_refused) {
  for (const double rate :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e12}) {
    const auto x = tf::random_poisson(rate, {2}, {.dtype = tf::int32});
    EXPECT_THROW(session_.run({}, {{x}}), tf::Error) << rate;
  }
}

}  // namespace

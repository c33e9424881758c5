#include "rill/graph/random_seed.h"

#include <gtest/gtest.h>

#include "rill/graph/test_ops.h"
#include "rill/graph/testing.h"

namespace rill {
namespace {

class RandomSeedTest : public ::testing::Test {
 protected:
  void expect_seeds(std::int64_t seed, std::int64_t seed2, std::optional<std::int64_t> op_seed) {
    const RandomSeeds seeds = random_seeds(graph, op_seed);
    EXPECT_EQ(seeds.seed, seed);
    EXPECT_EQ(seeds.seed2, seed2);
  }
  void add_nodes(int count) {
    for (int i = 0; i < count; ++i)
      graph.add({.op = "Const",
                 .name = str_cat("c", i),
                 .attrs = {{"dtype", DType::f32}, {"value", Tensor::scalar(1.0f)}}});
  }
  Graph graph{testing::test_registry()};
};

TEST_F(RandomSeedTest, without_any_seed_there_is_none) { expect_seeds(0, 0, {}); }

TEST_F(RandomSeedTest, op_seed_alone_uses_the_default_graph_seed) {
  expect_seeds(87654321, 7, 7);
  expect_seeds(87654321, 0, 0);
}

TEST_F(RandomSeedTest, graph_seed_alone_uses_the_node_count) {
  set_graph_seed(graph, 12);
  expect_seeds(12, 0, {});
  add_nodes(3);
  expect_seeds(12, 3, {});
}

TEST_F(RandomSeedTest, both_seeds) {
  set_graph_seed(graph, 12);
  add_nodes(3);
  expect_seeds(12, 34, 34);
}

TEST_F(RandomSeedTest, seeds_wrap_at_the_largest_int32) {
  set_graph_seed(graph, 0x80000000);
  expect_seeds(1, 2147483646, -1);
  set_graph_seed(graph, -1);
  expect_seeds(2147483646, 0, 0x7fffffff);
}

TEST_F(RandomSeedTest, two_zeros_stay_a_seed) {
  set_graph_seed(graph, 0);
  expect_seeds(0, 2147483647, 0);
  expect_seeds(0, 2147483647, {});  // of an empty graph
}

}  // namespace
}  // namespace rill

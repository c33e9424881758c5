// How many kernels a warm training step of the bench's models runs, and how many tensors it takes
// memory for. Who makes it fewer puts the new number here; who makes it more says why.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cpp/bench_models.h"

namespace rill {
namespace {

struct Counted {
  const char* name;
  bench_models::TrainingStep (*make)();
  int kernels, kernels_without_rewrites;
  int allocations;  // at most
  bool has_block;   // its values are large enough to lie in one
};

const Counted kCountedModels[] = {
    {"softmax_regression", bench_models::softmax_regression, 26, 49, 26, false},
    {"mlp", bench_models::mlp, 66, 102, 14, true},
    {"lenet", bench_models::lenet, 88, 134, 84, true},  // for packed factors, and Winograd's 24
    {"wide_and_deep", bench_models::wide_and_deep, 104, 185, 14, true},
    {"lstm_dynamic", bench_models::lstm_dynamic, 444, 1351, 340, true},
    {"transformer", bench_models::transformer, 399, 1251, 44, true},
};

class StepCounts : public testing::TestWithParam<Counted> {
 protected:
  struct Warm {
    std::vector<std::string> ops;
    std::int64_t allocations = 0, from_system = 0;
  };
  // One thread, so that counts are those of the step alone.
  Warm warm_step(SessionOptions options) {
    options.intra_op_threads = 1;
    Session session(graph, options);
    session.run(*initializer);
    const std::vector<Output> fetches{step.loss};
    Node* const targets[] = {step.train};
    for (int i = 0; i < 4; ++i) session.run(step.feeds, fetches, targets);
    Warm warm = counted_step(session, fetches, targets);
    // On a busy machine the first steps take other times, and the block is laid out anew.
    for (int i = 0; i < 4; ++i) {
      const Warm next = counted_step(session, fetches, targets);
      if (next.allocations < warm.allocations) warm = next;
    }
    StepStats stats;
    session.run(step.feeds, fetches, targets, {.trace = true}, &stats);
    for (const NodeStats& node : stats.nodes) warm.ops.emplace_back(node.op);
    std::ranges::sort(warm.ops);
    return warm;
  }

  Warm counted_step(Session& session, std::span<const Output> fetches,
                    std::span<Node* const> targets) {
    const AllocatorStats before = cpu_allocator().stats();
    session.run(step.feeds, fetches, targets);
    const AllocatorStats after = cpu_allocator().stats();
    return {.ops = {},
            .allocations = after.allocation_count - before.allocation_count,
            .from_system = after.system_count - before.system_count};
  }

  std::shared_ptr<Graph> graph = make_graph();
  AsDefault in_graph{graph};
  bench_models::TrainingStep step = GetParam().make();
  Node* initializer = &global_variables_initializer();
};

TEST_P(StepCounts, OfAWarmStep) {
  const Warm with = warm_step({}), without = warm_step({.rewrites_off = {"all"}});
  EXPECT_EQ(with.ops.size(), static_cast<std::size_t>(GetParam().kernels)) << join(with.ops, " ");
  EXPECT_EQ(without.ops.size(), static_cast<std::size_t>(GetParam().kernels_without_rewrites))
      << join(without.ops, " ");
  EXPECT_LE(with.allocations, GetParam().allocations);
  EXPECT_EQ(with.from_system, 0);
  const Warm apart = warm_step({.rewrites_off = {"arena"}});
  EXPECT_EQ(apart.ops, with.ops);
  EXPECT_EQ(apart.allocations > with.allocations, GetParam().has_block) << apart.allocations;
}

INSTANTIATE_TEST_SUITE_P(Models, StepCounts, testing::ValuesIn(kCountedModels),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace rill

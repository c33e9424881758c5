#pragma once

#include <gtest/gtest.h>

#include <map>

#include "rill/grad/gradients.h"
#include "rill/runtime/executor/loop_testing.h"

namespace rill {

// Runs the same step with and without rewrites: the values must be the same bits. Counts the
// kernels that ran with them, by op.
struct RewriteProgram : LoopProgram {
  std::map<std::string, int> run(const std::vector<Feed>& feeds, const Values& fetches,
                                 const std::vector<Node*>& targets = {}) {
    std::map<std::string, int> counts;
    Session off(graph, {.rewrites_off = {"all"}}), on(graph);
    const auto expected = off.run(feeds, fetches, targets);
    for (int again = 0; again < 2; ++again) {
      StepStats stats;
      const auto got = on.run(feeds, fetches, targets, {.trace = true}, &stats);
      for (std::size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(identical(got[i], expected[i])) << fetches[i].name();
      counts.clear();
      for (const NodeStats& node : stats.nodes) ++counts[std::string(node.op)];
    }
    return counts;
  }
  Output unknown(std::string_view name) { return placeholder(DType::f32, PartialShape(), name); }
  std::vector<Output> grads(Output y, const std::vector<Output>& xs) {
    std::vector<Output> found;
    for (const Gradient& g : gradients(scope, std::vector<Output>{y}, xs, {}))
      found.push_back(g.dense());
    return found;
  }
};

inline Tensor numbers(Shape shape, int seed = 1) {
  Tensor t(DType::f32, std::move(shape));
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761u + 12345;
  for (float& value : t.flat<float>()) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<float>(state >> 8) / (1 << 22) - 2;
  }
  return t;
}

}  // namespace rill

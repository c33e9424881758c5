#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "rill/base/error_testing.h"
#include "rill/rill.h"

namespace rill {

// Runs parts of a graph with rewrites on and off.
class FusionTest : public testing::Test {
 protected:
  struct Ran {
    std::vector<Tensor> values;
    std::vector<std::string> ops;  // of the nodes that ran
    std::vector<std::string> nodes;

    int count(const std::string& op) const { return static_cast<int>(std::ranges::count(ops, op)); }
  };

  static Tensor noise(const Shape& shape, unsigned seed, float low = -1, float high = 1) {
    std::mt19937 numbers(seed);
    std::uniform_real_distribution<float> uniform(low, high);
    Tensor t(DType::f32, shape);
    for (float& x : t.flat<float>()) x = uniform(numbers);
    return t;
  }
  Output placeholder(const PartialShape& shape, const char* name = "x") {
    return raw::Placeholder(DType::f32, {.shape = shape, .name = name});
  }

  Ran run(const std::vector<Output>& fetches, const std::vector<Feed>& feeds = {},
          const SessionOptions& options = {}) {
    Session session(graph, options);
    if (initializer != nullptr) session.run(*initializer);
    return run_in(session, fetches, feeds);
  }
  Ran run_in(Session& session, const std::vector<Output>& fetches,
             const std::vector<Feed>& feeds = {}, const std::vector<Node*>& targets = {}) {
    Ran ran;
    StepStats stats;
    ran.values = session.run(std::span<const Feed>(feeds), std::span<const Output>(fetches),
                             std::span<Node* const>(targets), {.trace = true}, &stats);
    for (const NodeStats& node : stats.nodes) {
      ran.ops.emplace_back(node.op);
      ran.nodes.emplace_back(node.node);
    }
    return ran;
  }

  static void expect_near(const Tensor& a, const Tensor& b, double tolerance = 2e-6) {
    ASSERT_EQ(a.shape(), b.shape());
    double largest = 1, worst = 0;
    for (std::int64_t i = 0; i < a.element_count(); ++i) {
      const double x = static_cast<double>(a.data<float>()[i]),
                   y = static_cast<double>(b.data<float>()[i]);
      if (std::isnan(x) && std::isnan(y)) continue;
      largest = std::max(largest, std::abs(y));
      worst = std::max(worst, std::isnan(x) || std::isnan(y) ? 1e30 : std::abs(x - y));
    }
    EXPECT_LT(worst, tolerance * largest);
  }

  // Runs with all rewrites, without this one and without any: the same values; `made` nodes run
  // `places` times, and fewer nodes than without any.
  Ran compare(const std::vector<Output>& fetches, const std::vector<Feed>& feeds,
              const std::string& rewrite, const std::string& made, int places,
              double tolerance = 2e-6) {
    const Ran on = run(fetches, feeds), off = run(fetches, feeds, {.rewrites_off = {"all"}});
    const Ran without = run(fetches, feeds, {.rewrites_off = {rewrite, "prepack_filters"}});
    EXPECT_EQ(on.count(made), places);
    EXPECT_EQ(off.count(made), 0);
    EXPECT_EQ(without.count(made), 0) << rewrite << " cannot be switched off";
    EXPECT_LT(on.ops.size(), off.ops.size());
    for (std::size_t i = 0; i < fetches.size(); ++i) {
      expect_near(on.values[i], off.values[i], tolerance);
      expect_near(without.values[i], off.values[i], tolerance);
    }
    return on;
  }

  std::shared_ptr<Graph> graph = make_graph();
  AsDefault in_graph{graph};
  Node* initializer = nullptr;
};

}  // namespace rill

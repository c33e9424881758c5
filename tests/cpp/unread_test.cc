// What nobody reads is not computed, even where something waits for it.
#include <gtest/gtest.h>

#include <algorithm>

#include "rill/rill.h"

namespace rill {
namespace {

class Unread : public testing::Test {
 protected:
  std::shared_ptr<Graph> graph = make_graph();
  AsDefault in_graph{graph};

  // Whether a run of `target` runs the node of that name.
  bool runs(Node& target, const std::string& name, const SessionOptions& options = {}) {
    Session session(graph, options);
    StepStats stats;
    Node* const targets[] = {&target};
    session.run(std::span<const Feed>(), std::span<const Output>(), targets, {.trace = true},
                &stats);
    return std::ranges::any_of(stats.nodes, [&](const NodeStats& n) { return n.node == name; });
  }
};

TEST_F(Unread, ValuesThatOnlyControlEdgesNeedAreNotComputed) {
  const Output noise = raw::RandomUniform(Tensor::vector<std::int32_t>({2}), DType::f32);
  const Output chain = raw::Exp(raw::Neg(noise, {.name = "neg"}), {.name = "exp"});
  Node& all = group({chain.node});
  EXPECT_FALSE(runs(all, "exp"));
  EXPECT_FALSE(runs(all, "neg"));
  EXPECT_TRUE(runs(all, "RandomUniform"));  // drawing has an effect: the next numbers are others
  EXPECT_TRUE(runs(all, "exp", {.simplify = false}));
}

TEST_F(Unread, WhatIsAskedForRuns) {
  const Output noise = raw::RandomUniform(Tensor::vector<std::int32_t>({2}), DType::f32);
  const Output chain = raw::Exp(noise, {.name = "exp"});
  EXPECT_TRUE(runs(*chain.node, "exp"));
  const Output checked = raw::CheckNumerics(noise, "no number", {.name = "check"});
  EXPECT_TRUE(runs(group({checked.node}), "check"));
}

TEST_F(Unread, GradientsOfInputsAreLeftOut) {
  const Output x = raw::RandomUniform(Tensor::vector<std::int32_t>({4, 3}), DType::f32);
  const Variable w(Tensor::zeros(DType::f32, {3, 2}), {.name = "w"});
  const Output loss = raw::L2Loss(raw::MatMul(x, w, {.name = "product"}));
  Node& train = train::GradientDescentOptimizer(0.1f).minimize(loss);
  Session session(graph);
  session.run(w.initializer());
  StepStats stats;
  Node* const targets[] = {&train};
  session.run(std::span<const Feed>(), std::span<const Output>(), targets, {.trace = true}, &stats);
  const auto is_product = [](const NodeStats& node) { return node.op == "MatMul"; };
  EXPECT_EQ(std::ranges::count_if(stats.nodes, is_product),
            2);  // forwards, and the gradient of w; none of x
}

}  // namespace
}  // namespace rill

// Optimizers let the gradients of an op wait for each other: where no variable depends on it they
// do so no more.
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class OpenGates : public FusionTest {
 protected:
  // Two layers with something element-wise between them, and one step of training.
  void SetUp() override {
    const Output scaled = raw::Mul(raw::MatMul(x, w), raw::Exp(raw::MatMul(x, u)));
    const Output y = raw::AddV2(raw::Mul(scaled, number), raw::Sin(scaled));
    loss = raw::L2Loss(y);
    train = &train::GradientDescentOptimizer(0.01).minimize(loss);
    initializer = &group({&w.initializer(), &u.initializer()});
  }
  std::vector<Tensor> after_steps(const SessionOptions& options) {
    Session session(graph, options);
    session.run(*initializer);
    Node* const targets[] = {train};
    for (int i = 0; i < 4; ++i) session.run(feeds, {}, targets);
    return session.run(std::vector{w.value(), u.value(), loss}, feeds);
  }

  Output x = placeholder({-1, 20}), number = placeholder({}, "number"), loss;
  const Variable w{noise({20, 8}, 1), {.name = "w"}},
      u{noise({20, 8}, 2, -0.1f, 0.1f), {.name = "u"}};
  const std::vector<Feed> feeds{{x, noise({6, 20}, 3)}, {number, Tensor::scalar(0.5f)}};
  Node* train = nullptr;
};

TEST_F(OpenGates, FewerNodesForTheSameSteps) {
  Session session(graph), gated(graph, {.rewrites_off = {"open_gates"}});
  for (Session* one : {&session, &gated}) one->run(*initializer);
  const Ran on = run_in(session, {loss}, feeds, {train}),
            off = run_in(gated, {loss}, feeds, {train});
  EXPECT_LT(on.ops.size() + 8, off.ops.size()) << join(on.ops, " ");
  EXPECT_LT(on.count("Identity"), off.count("Identity"));
  EXPECT_LT(on.count("_ElementwiseChain"), off.count("_ElementwiseChain"));
  const auto trained = after_steps({}), plain = after_steps({.rewrites_off = {"all"}});
  for (std::size_t i = 0; i < trained.size(); ++i) expect_near(trained[i], plain[i], 1e-5);
}

TEST_F(OpenGates, EveryNumberOfThreadsGivesTheSameBits) {
  const auto first = after_steps({.intra_op_threads = 1});
  for (const int threads : {2, 5}) {
    const auto again = after_steps({.intra_op_threads = threads});
    for (std::size_t i = 0; i < first.size(); ++i) EXPECT_TRUE(identical(again[i], first[i]));
  }
}

// What reads a variable is waited for, so that the variable may then change in place.
TEST_F(OpenGates, StayShutWhereAVariableIsRead) {
  const Variable v(noise({4}, 1), {.name = "v"});
  const Output in = placeholder({4}, "in");
  const Output reads = raw::Mul(in, v.value()), other = raw::Neg(in);
  const Output exp = raw::Exp(in);
  const auto gated = [&](const Output& awaited) {
    Node* const gate[] = {&group({awaited.node})};
    const ControlDependencies after(gate);
    return raw::Identity(other);
  };
  initializer = &v.initializer();
  const std::vector<Feed> fed{{in, noise({4}, 2)}};
  EXPECT_EQ(run({gated(reads), reads}, fed).count("NoOp"), 1);
  EXPECT_EQ(run({gated(exp), exp}, fed).count("NoOp"), 0);
}

}  // namespace
}  // namespace rill

// Gradients that an optimizer gates: nodes without effects do not wait, those that act still do.
#include "rill/passes/relax_control_edges.h"
#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class RelaxControlEdges : public FusionTest {
 protected:
  // Two layers that are trained; `train` is a step.
  Node& network() {
    const Variable w1(noise({4, 6}, 1), {.name = "w1"}), w2(noise({6, 3}, 2), {.name = "w2"});
    Node* const starts[] = {&w1.initializer(), &w2.initializer()};
    initializer = &group({starts[0], starts[1]});
    const Output hidden = raw::Tanh(raw::Mul(raw::MatMul(x, w1), Tensor::scalar(0.5f)));
    const Output loss = raw::L2Loss(raw::MatMul(hidden, w2));
    weights = {w1.value(), w2.value()};
    return train::GradientDescentOptimizer(0.1).minimize(loss);
  }
  std::vector<Tensor> trained(Node& train, const SessionOptions& options = {}) {
    Session session(graph, options);
    session.run(*initializer);
    for (int step = 0; step < 3; ++step) last = run_in(session, {}, feeds, {&train});
    return run_in(session, weights).values;
  }

  const Output x = placeholder({-1, 4});
  const std::vector<Feed> feeds{{x, noise({5, 4}, 3)}};
  std::vector<Output> weights;
  Ran last;
};

TEST_F(RelaxControlEdges, TrainingIsTheSameWithFewerNodes) {
  Node& train = network();
  const auto on = trained(train);
  const std::size_t with = last.ops.size();
  const auto without = trained(train, {.rewrites_off = {"relax_control_edges"}});
  EXPECT_LT(with, last.ops.size());
  const auto off = trained(train, {.rewrites_off = {"all"}});
  for (std::size_t i = 0; i < 2; ++i) {
    expect_near(on[i], off[i]);
    expect_near(without[i], off[i]);
  }
}

TEST_F(RelaxControlEdges, UpdateRunsAfterReadersOfTheVariable) {
  Node& train = network();
  trained(train, {.rewrites_off = {"fused_updates"}});
  const auto when = [&](const std::string& part) {
    const auto it = std::ranges::find_if(
        last.nodes, [&](const std::string& name) { return name.find(part) != name.npos; });
    EXPECT_NE(it, last.nodes.end()) << part << " in " << join(last.nodes, " ");
    return it - last.nodes.begin();
  };
  // The gradient of the hidden layer needs the weights of the last.
  EXPECT_LT(when("MatMul_1_grad/MatMul"), when("update_w2"));
}

TEST_F(RelaxControlEdges, NodesReachedByControlEdgesAloneStillRun) {
  const Variable v(Tensor::scalar(1.0f), {.name = "v"});
  initializer = &v.initializer();
  Node* const set[] = {raw::Identity(raw::AssignAdd(v.handle(), Tensor::scalar(2.0f))).node};
  Output y;
  {
    const ControlDependencies after(set);
    y = raw::Neg(raw::Neg(x));
  }
  Session session(graph);
  session.run(*initializer);
  run_in(session, {y}, feeds);
  EXPECT_EQ(run_in(session, {v.value()}).values[0].scalar_value<float>(), 3);
}

TEST_F(RelaxControlEdges, AssertionsStillRunFirst) {
  Node* const check[] = {
      &raw::Assert(Tensor::scalar(false), {constant("four columns are wanted")})};
  Output checked;
  {
    const ControlDependencies after(check);
    checked = raw::Identity(x);
  }
  const Output any = raw::Placeholder(DType::f32);
  const Output y = raw::MatMul(raw::Tanh(checked), any);
  const Error error = thrown_by([&] {
    run({y}, {{x, noise({5, 4}, 3)}, {any, noise({7, 2}, 1)}});
  });
  EXPECT_NE(error.message().find("four columns"), std::string::npos) << error.message();
}

// What an item waits for after the rewrite, in a step that runs `target`.
class ControlEdgeOrder : public RelaxControlEdges {
 protected:
  using Names = std::vector<std::string>;
  Names waits_of(const Node& node, Node& target) {
    Node* const targets[] = {&target};
    const Output fed[] = {x};
    Subgraph step = prune(fed, {}, targets);
    const Rewrite* const all[] = {&kRelaxControlEdgesRewrite};
    rewrite(step, all, {});
    const auto item = std::ranges::find_if(
        step.items, [&](const Subgraph::Item& one) { return one.node == &node; });
    Names names;
    if (item == step.items.end()) return {"there is no such item"};
    for (const int wait : item->controls)
      names.push_back(step.items[static_cast<std::size_t>(wait)].node->name());
    return names;
  }
  // A value that waits for `before`.
  static Output after(const Output& before, const Output& value) {
    Node* const wait[] = {before.node};
    const ControlDependencies controls(wait);
    return raw::Tanh(value);
  }

  const Variable v{Tensor::scalar(1.0f), {.name = "v"}};
  const Output scale = raw::Sum(x, constant(std::int32_t{0}));
  const Output number = raw::Mean(scale, constant(std::int32_t{0}));
};

TEST_F(ControlEdgeOrder, EdgesBetweenPureNodesAreDropped) {
  const Output last = after(raw::Exp(number), raw::Neg(number));
  EXPECT_EQ(waits_of(*last.node, *raw::Assign(v.handle(), last).node), Names());
}

// Neither may come to act on the variable before what it came after.
TEST_F(ControlEdgeOrder, SideEffectsAfterAPureNodeKeepTheirOrder) {
  const Output changed = raw::AssignAdd(v.handle(), Tensor::scalar(2.0f));
  const Output value = after(changed, raw::Exp(number)), last = after(value, raw::Neg(number));
  EXPECT_EQ(waits_of(*last.node, *raw::Assign(v.handle(), last).node), Names{value.node->name()});
}
TEST_F(ControlEdgeOrder, ReadsAfterAPureNodeKeepTheirOrder) {
  const Output read = raw::Exp(raw::Square(raw::Identity(v.handle())));
  const Output last = after(read, raw::Neg(number));
  EXPECT_EQ(waits_of(*last.node, *raw::Assign(v.handle(), last).node), Names{read.node->name()});
}
// Nothing of the step changes what is read.
TEST_F(ControlEdgeOrder, ReadsOfUnchangedVariablesAreNotOrdered) {
  const Variable other(Tensor::scalar(1.0f), {.name = "other"});
  const Output read = raw::Exp(raw::Square(raw::Identity(v.handle())));
  const Output last = after(read, raw::Neg(number));
  Node& change = *raw::Assign(other.handle(), raw::AddV2(last, read)).node;
  EXPECT_EQ(waits_of(*last.node, change), Names());
}

// A loop that reads the variable, makes a value that waits for what was read, and then changes it.
class ControlEdgesInLoops : public ControlEdgeOrder {
 protected:
  Output loop() {
    const auto body = [&](const std::vector<Output>& now) {
      const Output read = raw::ReadVariableOp(counted.handle(), DType::f32);
      const Output squared = raw::Square(now[1]), one = constant(1.0f);
      exp = raw::Exp(read);
      Node* const waits[] = {exp.node};
      {
        const ControlDependencies controls(waits);
        value = raw::Tanh(squared);
      }
      Node* const values[] = {value.node};
      {
        const ControlDependencies controls(values);
        change = &raw::AssignAddVariableOp(counted.handle(), one);
      }
      Node* const changes[] = {change};
      const ControlDependencies controls(changes);
      return std::vector<Output>{raw::AddV2(now[0], 1), raw::AddV2(now[1], read)};
    };
    return while_loop([](const std::vector<Output>& now) { return raw::Less(now[0], 20); }, body,
                      {constant(0), number})[1];
  }

  const Variable counted{Tensor::scalar(1.0f), {.use_resource = true, .name = "counted"}};
  Output exp, value;
  Node* change = nullptr;
};

TEST_F(ControlEdgesInLoops, EdgeMovesToSuccessorsWithSideEffects) {
  Node& last = *loop().node;
  EXPECT_EQ(waits_of(*value.node, last), Names());
  const Names waits = waits_of(*change, last);
  EXPECT_NE(std::ranges::find(waits, exp.node->name()), waits.end()) << join(waits, " ");
}

TEST_F(ControlEdgesInLoops, ResultsAreTheSame) {
  initializer = &counted.initializer();
  const Output total = loop();
  const Ran on = run({total}, feeds), off = run({total}, feeds, {.rewrites_off = {"all"}});
  expect_near(on.values[0], off.values[0]);
}

}  // namespace
}  // namespace rill

// What holds for every rewrite, shown with a product that takes its bias and Relu in.
#include <cstdlib>

#include "tests/cpp/fusion_testing.h"

namespace rill {
namespace {

class Rewrites : public FusionTest {
 protected:
  // A layer of the program; `product` and `sum` are its values on the way.
  Output layer(const Input& x, const Input& w, const std::string& name = "layer") {
    product = raw::MatMul(x, w, {.name = name + "/MatMul"});
    sum = raw::BiasAdd(product, noise({3}, 2), {.name = name + "/BiasAdd"});
    return raw::Relu(sum, {.name = name + "/Relu"});
  }

  const Tensor weights = noise({4, 3}, 1), rows = noise({5, 4}, 3);
  Output product, sum;
};

TEST_F(Rewrites, OneNodeRunsInPlaceOfThree) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  const Ran on = compare({y}, {{x, rows}}, "matmul_epilogue", "_MatMulEpilogue", 1);
  EXPECT_EQ(on.count("MatMul") + on.count("BiasAdd") + on.count("Relu"), 0);
}

TEST_F(Rewrites, WhatIsFetchedOnTheWayIsThere) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  const Ran on = run({y, sum}, {{x, rows}});
  const Ran off = run({y, sum}, {{x, rows}}, {.rewrites_off = {"all"}});
  EXPECT_EQ(on.count("Relu"), 1);
  for (int i = 0; i < 2; ++i)
    expect_near(on.values[static_cast<std::size_t>(i)], off.values[static_cast<std::size_t>(i)]);
}

TEST_F(Rewrites, WhatIsFedOnTheWayIsTaken) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  const Tensor fed = noise({5, 3}, 9);
  const Ran on = run({y}, {{product, fed}}),
            off = run({y}, {{product, fed}}, {.rewrites_off = {"all"}});
  expect_near(on.values[0], off.values[0]);
  EXPECT_EQ(on.count("_MatMulEpilogue"), 0);
}

TEST_F(Rewrites, ControlEdgesFromReplacedNodesAreKept) {
  const Output x = placeholder({5, 4});
  const Variable v(Tensor::scalar(1.0f), {.use_resource = true, .name = "v"});
  initializer = &v.initializer();
  Node* const add[] = {&raw::AssignAddVariableOp(v.handle(), Tensor::scalar(1.0f))};
  Output y;
  {
    const ControlDependencies after(add);
    product = raw::MatMul(x, weights);
  }
  y = raw::Relu(raw::BiasAdd(product, noise({3}, 2)));
  Output now;
  {
    Node* const before[] = {y.node};
    const ControlDependencies after(before);
    now = raw::ReadVariableOp(v.handle(), DType::f32);
  }
  const Ran on = run({y, now}, {{x, rows}});
  EXPECT_EQ(on.count("_MatMulEpilogue"), 1);
  EXPECT_EQ(on.count("AssignAddVariableOp"), 1);
  EXPECT_EQ(on.values[1].scalar_value<float>(), 2);
}

TEST_F(Rewrites, NodesWithControlSuccessorsAreNotFused) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  Output after;
  {
    Node* const before[] = {sum.node};
    const ControlDependencies wait(before);
    after = raw::Neg(x);
  }
  const Ran on = run({y, after}, {{x, rows}});
  EXPECT_EQ(on.count("Relu"), 1);
  EXPECT_EQ(on.count("_MatMulEpilogue"), 1);
}

TEST_F(Rewrites, TheEnvironmentSwitchesThemOff) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  for (const char* listed : {"all", "gelu,matmul_epilogue,prepack_filters",
                             "matmul_epilogue,,prepack_filters,", "matmul_then,keep_filters"}) {
    ::setenv("RILL_REWRITES_OFF", listed, 1);
    EXPECT_EQ(run({y}, {{x, rows}}).count("_MatMulEpilogue"), 0) << listed;
  }
  ::setenv("RILL_REWRITES_OFF", "gelu", 1);
  EXPECT_EQ(run({y}, {{x, rows}}).count("_MatMulEpilogue"), 1);
  ::unsetenv("RILL_REWRITES_OFF");
}

TEST_F(Rewrites, FusedNodesRunInEveryIteration) {
  const Output x = placeholder({5, 4});
  const Tensor square = noise({4, 4}, 5), bias = noise({4}, 6);
  const auto result = while_loop([](const std::vector<Output>& v) { return raw::Less(v[0], 3); },
                                 [&](const std::vector<Output>& v) {
                                   const Output y =
                                       raw::Relu(raw::BiasAdd(raw::MatMul(v[1], square), bias));
                                   return std::vector<Output>{raw::Add(v[0], 1), y};
                                 },
                                 {raw::Identity(Tensor::scalar(0)), x});
  compare({result[1]}, {{x, rows}}, "matmul_epilogue", "_MatMulEpilogue", 3);
}

TEST_F(Rewrites, OnlyTheBranchThatIsTakenRuns) {
  const Output x = placeholder({5, 4}),
               which = raw::Placeholder(DType::boolean, {.shape = PartialShape{}});
  const auto result = cond(
      which, [&] { return std::vector<Output>{layer(x, weights, "then")}; },
      [&] {
        return std::vector<Output>{layer(x, noise({4, 3}, 8), "otherwise")};
      });
  for (const bool taken : {true, false}) {
    const Ran on = run({result[0]}, {{x, rows}, {which, Tensor::scalar(taken)}});
    const Ran off =
        run({result[0]}, {{x, rows}, {which, Tensor::scalar(taken)}}, {.rewrites_off = {"all"}});
    expect_near(on.values[0], off.values[0]);
    EXPECT_EQ(on.count("_MatMulEpilogue"), 1);
  }
}

TEST_F(Rewrites, PartialRunsGiveTheSame) {
  const Output x = placeholder({5, 4}), y = layer(x, weights);
  Session session(graph);
  const std::string handle = session.partial_run_setup(std::vector{x}, std::vector{y});
  const std::vector<Feed> feeds{{x, rows}};
  const auto values = session.partial_run(handle, feeds, std::vector{y});
  expect_near(values[0], run({y}, feeds, {.rewrites_off = {"all"}}).values[0]);
}

TEST_F(Rewrites, NothingIsJoinedAcrossDevices) {
  const Output x = placeholder({5, 4});
  Output y;
  {
    const DeviceScope second("/cpu:1");
    product = raw::MatMul(x, weights);
    sum = raw::BiasAdd(product, noise({3}, 2));
  }
  {
    const DeviceScope first("/cpu:0");
    y = raw::Relu(sum);
  }
  const Ran on = run({y}, {{x, rows}}, {.device_count = {{"CPU", 2}}});
  const Ran off = run({y}, {{x, rows}}, {.device_count = {{"CPU", 2}}, .rewrites_off = {"all"}});
  EXPECT_EQ(on.count("_MatMulEpilogue"), 1);
  EXPECT_EQ(on.count("Relu"), 1);
  expect_near(on.values[0], off.values[0]);
}

TEST_F(Rewrites, ErrorsAreThoseOfTheNodesOfTheProgram) {
  const Output x = placeholder(PartialShape()), y = layer(x, weights);
  const auto failing = [&](const SessionOptions& options) {
    return thrown_by([&] { run({y}, {{x, noise({5, 7}, 1)}}, options); });
  };
  const Error on = failing({}), off = failing({.rewrites_off = {"all"}});
  EXPECT_EQ(off.node(), "layer/MatMul");
  EXPECT_EQ(on.node(), off.node());
  EXPECT_EQ(on.message(), off.message());
  EXPECT_EQ(on.code(), off.code());
}

TEST_F(Rewrites, ErrorsOfLaterPartsNameThem) {
  const Output x = placeholder({5, 4});
  const Output side = raw::Placeholder(DType::f32, {.shape = PartialShape{-1, -1}, .name = "side"});
  const Output unknown = raw::Placeholder(DType::f32, {.shape = PartialShape{-1, -1}, .name = "w"});
  product = raw::MatMul(x, unknown);
  const Output y = raw::Relu(raw::AddV2(product, side, {.name = "plus"}));
  const std::vector<Feed> feeds{{x, rows}, {side, noise({2, 3}, 4)}, {unknown, weights}};
  const Error on = thrown_by([&] { run({y}, feeds); });
  const Error off = thrown_by([&] { run({y}, feeds, {.rewrites_off = {"all"}}); });
  EXPECT_EQ(off.node(), "plus");
  EXPECT_EQ(on.node(), off.node());
  EXPECT_EQ(on.message(), off.message());
}

}  // namespace
}  // namespace rill

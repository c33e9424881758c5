#include <gtest/gtest.h>

#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/gradients.h"
#include "rill/api/core/session.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/function/function.h"
#include "rill/api/gen/raw_ops.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/runtime/eager/eager_context.h"

namespace rill {
namespace {

float result(const Output& x) { return x.value().scalar_value<float>(); }

class FunctionApi : public testing::Test {
 protected:
  AsDefault eagerly_{eager_graph()};
};

TEST_F(FunctionApi, is_built_once_for_each_signature) {
  const auto f = function(
      [](const Output& x, int times) { return Output(raw::Mul(x, static_cast<float>(times))); });
  EXPECT_EQ(result(f(constant(2.0f), 3)), 6);
  EXPECT_EQ(result(f(constant(4.0f), 3)), 12);
  EXPECT_EQ(f.trace_count(), 1);
  EXPECT_EQ(result(f(constant(4.0f), 5)), 20);
  EXPECT_EQ(f.trace_count(), 2);
}

TEST_F(FunctionApi, relaxed_shapes_are_built_twice) {
  const auto f =
      function([](const Output& x) { return Output(raw::Sum(x, 0)); }, {.relax_shapes = true});
  for (int n = 1; n < 6; ++n)
    EXPECT_EQ(result(f(constant(std::vector<float>(static_cast<std::size_t>(n), 1.0f)))),
              static_cast<float>(n));
  EXPECT_LE(f.trace_count(), 5);
}

TEST_F(FunctionApi, an_input_signature_refuses_what_does_not_fit) {
  const auto f = function([](const Output& x) { return Output(raw::Neg(x)); },
                          {.input_signature = {{DType::f32, PartialShape{}}}});
  EXPECT_THROW(f(constant(1)), Error);
  EXPECT_EQ(f.trace_count(), 0);
}

TEST_F(FunctionApi, effects_happen_in_order_and_variables_are_made_by_the_first_call) {
  Variable v;
  const auto f = function([&](const Output& x) {
    if (!v) v = Variable(1.0f);
    raw::AssignAddVariableOp(v.handle(), x);
    raw::AssignVariableOp(v.handle(), raw::Mul(raw::ReadVariableOp(v.handle(), DType::f32), 10.0f));
    return Output(raw::ReadVariableOp(v.handle(), DType::f32));
  });
  EXPECT_EQ(result(f(constant(2.0f))), 30);
  EXPECT_EQ(result(f(constant(2.0f))), 320);
}

TEST_F(FunctionApi, refuses_variables_of_every_call) {
  const auto f =
      function([](const Output& x) { return Output(raw::Mul(x, Variable(1.0f).value())); });
  EXPECT_THROW(f(constant(1.0f)), Error);
}

TEST_F(FunctionApi, gradients_go_through_calls_branches_and_loops_and_run_nothing_again) {
  const auto power = function([](const Output& x) {
    const std::vector<Output> last =
        while_loop([](const std::vector<Output>& vars) { return Output(raw::Less(vars[0], 3)); },
                   [&](const std::vector<Output>& vars) {
                     return std::vector<Output>{raw::AddV2(vars[0], 1), raw::Mul(vars[1], x)};
                   },
                   {0, x});
    return cond_one(
        raw::Greater(last[1], 0.0f), [&] { return Output(raw::Mul(last[1], x)); },
        [&] { return last[1]; });
  });
  const Output x = constant(2.0f);
  GradientTape outer({.persistent = true});
  outer.watch(x);
  GradientTape inner;
  inner.watch(x);
  const Output y = power(x);
  const Output slope = inner.gradient(y, x).dense();
  EXPECT_EQ(result(y), 32);
  EXPECT_EQ(result(slope), 80);
  EXPECT_EQ(result(outer.gradient(slope, x).dense()), 160);
}

TEST_F(FunctionApi, reads_of_variables_are_watched) {
  const Variable v(3.0f);
  const auto f = function(
      [&](const Output& x) { return Output(raw::Mul(raw::Mul(v.value(), v.value()), x)); });
  GradientTape tape;
  const Output y = f(constant(5.0f));
  EXPECT_EQ(result(tape.gradient(y, v).dense()), 30);
}

TEST(FunctionInSession, is_a_node_whose_gradient_keeps_what_it_computed) {
  const auto graph = make_graph();
  const AsDefault as_default(graph);
  const auto f = function([](const Output& x) { return Output(raw::Exp(raw::Mul(x, x))); });
  const Output x = raw::Placeholder(DType::f32, {.shape = PartialShape::scalar()});
  const Output y = f(x);
  const Output slope = gradients({y}, {x})[0].dense();
  Session session(graph);
  const auto values = session.run({y, slope}, {{x, 1.0f}});
  EXPECT_NEAR(values[0].scalar_value<float>(), 2.71828f, 1e-4);
  EXPECT_NEAR(values[1].scalar_value<float>(), 5.43656f, 1e-4);
  int calls = 0;
  for (const Node* node : graph->nodes()) calls += node->op().name == "SymbolicGradient";
  EXPECT_EQ(calls, 0);
}

}  // namespace
}  // namespace rill

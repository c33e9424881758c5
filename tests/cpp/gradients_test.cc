#include "rill/grad/gradients.h"

#include <gtest/gtest.h>

#include "rill/base/error_testing.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct GradientProgram {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  Output placeholder(PartialShape shape, std::string_view name, DType dtype = DType::f32) {
    return scope.add("Placeholder", {}, {{"dtype", dtype}, {"shape", shape}}, name).output();
  }
  Output constant(Tensor value, std::string_view name = "Const") {
    return scope.constant(std::move(value), name);
  }
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return scope.add(type, std::move(inputs), std::move(attrs), name).output();
  }
  std::vector<Gradient> grads(std::vector<Output> ys, std::vector<Output> xs,
                              const GradientOptions& options = {}) {
    return gradients(scope, ys, xs, options);
  }
  Gradient grad(Output y, Output x, const GradientOptions& options = {}) {
    return grads({y}, {x}, options)[0];
  }
  Tensor run(Output fetch) { return Session(graph).run({}, {{fetch}})[0]; }
  std::vector<std::string> names_from(int first) const {
    std::vector<std::string> names;
    for (int i = first; i < graph->node_count(); ++i) names.push_back(graph->node(i).name());
    return names;
  }
};

using Names = std::vector<std::string>;

Tensor vec(std::initializer_list<float> values) { return Tensor::vector<float>(values); }

TEST(Gradients, product_has_tensorflows_nodes) {
  GradientProgram p;
  const Output x = p.placeholder({kUnknownDim}, "x"), y = p.placeholder({kUnknownDim}, "y");
  const Output z = p.op("Mul", {x, y}, {}, "mul");
  const int before = p.graph->node_count();
  const Gradient dx = p.grad(z, x);
  EXPECT_EQ(
      p.names_from(before),
      (Names{"gradients/Shape", "gradients/grad_ys_0", "gradients/Fill", "gradients/mul_grad/Shape",
             "gradients/mul_grad/Shape_1", "gradients/mul_grad/BroadcastGradientArgs",
             "gradients/mul_grad/Mul", "gradients/mul_grad/Sum", "gradients/mul_grad/Reshape",
             "gradients/mul_grad/Mul_1", "gradients/mul_grad/Sum_1",
             "gradients/mul_grad/Reshape_1"}));
  EXPECT_EQ(dx.dense().name(), "gradients/mul_grad/Reshape:0");
}

TEST(Gradients, broadcast_dimensions_are_summed) {
  GradientProgram p;
  const Output x = p.constant(Tensor::scalar(3.0f), "x"), y = p.constant(vec({1, 2, 4}), "y");
  const auto g = p.grads({p.op("Mul", {x, y})}, {x, y});
  EXPECT_TRUE(identical(p.run(g[0].dense()), Tensor::scalar(7.0f)));
  EXPECT_TRUE(identical(p.run(g[1].dense()), vec({3, 3, 3})));
}

TEST(Gradients, given_seeds_are_used) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x");
  GradientOptions options;
  options.grad_ys = {p.constant(vec({10, 100}), "seed")};
  const Gradient g = p.grad(p.op("Square", {x}), x, options);
  EXPECT_TRUE(identical(p.run(g.dense()), vec({20, 400})));
  EXPECT_NE(p.graph->find("gradients/grad_ys_0"), nullptr);
}

TEST(Gradients, complex_ys_need_seeds) {
  GradientProgram p;
  const Output x = p.placeholder({}, "x", DType::c64);
  const Error e = thrown_by([&] { p.grad(p.op("Square", {x}), x); });
  EXPECT_EQ(e.code(), Code::kInvalidArgument);
  EXPECT_NE(std::string(e.what()).find("must set grad_ys"), std::string::npos);
}

TEST(Gradients, several_ys_add_up) {
  GradientProgram p;
  const Output x = p.constant(Tensor::scalar(3.0f), "x");
  const auto g = p.grads({p.op("Square", {x}), p.op("Neg", {x})}, {x});
  EXPECT_TRUE(identical(p.run(g[0].dense()), Tensor::scalar(5.0f)));
  EXPECT_EQ(g[0].dense().name(), "gradients/AddN:0");
}

TEST(Gradients, of_a_tensor_by_itself_are_ones) {
  GradientProgram p;
  const Output x = p.constant(vec({5, 6}), "x");
  EXPECT_TRUE(identical(p.run(p.grad(x, x).dense()), vec({1, 1})));
}

TEST(Gradients, stop_at_an_intermediate_x_only_for_its_own_gradient) {
  GradientProgram p;
  const Output x = p.constant(Tensor::scalar(3.0f), "x");
  const Output y = p.op("Square", {x}), z = p.op("Square", {y});
  const auto g = p.grads({z}, {x, y});
  EXPECT_TRUE(identical(p.run(g[0].dense()), Tensor::scalar(108.0f)));
  EXPECT_TRUE(identical(p.run(g[1].dense()), Tensor::scalar(18.0f)));
}

TEST(Gradients, stop_gradients_hold_tensors_constant) {
  GradientProgram p;
  const Output a = p.constant(Tensor::scalar(2.0f), "a"), b = p.op("Mul", {a, 2.0f});
  GradientOptions options;
  options.stop_gradients = {a, b};
  const auto g = p.grads({p.op("AddV2", {a, b})}, {a, b}, options);
  EXPECT_TRUE(identical(p.run(g[0].dense()), Tensor::scalar(1.0f)));
  EXPECT_TRUE(identical(p.run(g[1].dense()), Tensor::scalar(1.0f)));
}

TEST(Gradients, unconnected_are_empty_or_zeros) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x"), other = p.constant(vec({3}), "other");
  const Output y = p.op("Square", {other});
  EXPECT_TRUE(p.grad(y, x).empty());
  GradientOptions options;
  options.unconnected = Unconnected::kZero;
  EXPECT_TRUE(identical(p.run(p.grad(y, x, options).dense()), vec({0, 0})));
}

TEST(Gradients, pass_stop_gradient_and_rounding_as_nothing) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x");
  EXPECT_TRUE(p.grad(p.op("StopGradient", {x}), x).empty());
  EXPECT_TRUE(p.grad(p.op("Floor", {x}), x).empty());
}

TEST(Gradients, outputs_without_gradient_get_zeros) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2, 3, 4}), "x");
  Node& parts = p.scope.add("Split", {0, x}, {{"num_split", 2}});
  const Gradient g = p.grad(parts.output(1), x);
  EXPECT_TRUE(identical(p.run(g.dense()), vec({0, 0, 1, 1})));
}

struct ThreeTerms : GradientProgram {
  Output x = constant(vec({1, 2}), "x");
  Output y =
      op("AddN", {std::vector<Input>{op("Mul", {x, 2.0f}), op("Mul", {x, 3.0f}), op("Neg", {x})}},
         {}, "y");
  Gradient by(Aggregation method) {
    GradientOptions options;
    options.aggregation = method;
    return grad(y, x, options);
  }
};

TEST(Aggregation, sums_with_one_op_by_default) {
  ThreeTerms p;
  const Gradient g = p.by(Aggregation::kAddN);
  EXPECT_EQ(g.dense().name(), "gradients/AddN:0");
  EXPECT_EQ(g.dense().node->input_count(), 3);
  EXPECT_TRUE(identical(p.run(g.dense()), vec({4, 4})));
}

TEST(Aggregation, can_sum_two_at_a_time) {
  ThreeTerms p;
  const Gradient g = p.by(Aggregation::kTree);
  EXPECT_EQ(g.dense().name(), "gradients/x_gradient_sum/AddN_1:0");
  EXPECT_TRUE(identical(p.run(g.dense()), vec({4, 4})));
}

TEST(Aggregation, can_accumulate) {
  ThreeTerms p;
  const Gradient g = p.by(Aggregation::kAccumulateN);
  EXPECT_EQ(g.dense().node->op().name, "AccumulateNV2");
  EXPECT_TRUE(identical(p.run(g.dense()), vec({4, 4})));
}

struct Rows : GradientProgram {
  Output x = constant(Tensor::vector<float>({1, 2, 3}), "x");
  Output rows(std::initializer_list<std::int32_t> indices) {
    return op("GatherV2", {x, Tensor::vector<std::int32_t>(indices), 0});
  }
};

TEST(Slices, gathering_gives_rows) {
  Rows p;
  const Gradient g = p.grad(p.rows({2, 0, 2}), p.x);
  ASSERT_TRUE(g.is_slices());
  EXPECT_TRUE(identical(p.run(g.slices().values), vec({1, 1, 1})));
  EXPECT_TRUE(identical(p.run(g.slices().indices), Tensor::vector<std::int32_t>({2, 0, 2})));
  EXPECT_TRUE(identical(p.run(densify(p.scope, g.slices())), vec({1, 0, 2})));
}

TEST(Slices, are_joined_without_summing) {
  Rows p;
  const Gradient g = p.grads({p.rows({0}), p.rows({0, 1})}, {p.x})[0];
  ASSERT_TRUE(g.is_slices());
  EXPECT_EQ(g.slices().values.name(), "gradients/concat:0");
  EXPECT_EQ(g.slices().indices.name(), "gradients/concat_1:0");
  EXPECT_TRUE(identical(p.run(g.slices().indices), Tensor::vector<std::int32_t>({0, 0, 1})));
}

TEST(Slices, become_dense_beside_dense_ones) {
  Rows p;
  const Gradient g = p.grads({p.rows({0, 0}), p.op("Mul", {p.x, 10.0f})}, {p.x})[0];
  ASSERT_FALSE(g.is_slices());
  EXPECT_TRUE(identical(p.run(g.dense()), vec({12, 10, 10})));
}

TEST(Slices, become_dense_for_other_ops) {
  Rows p;
  const Output doubled = p.op("Mul", {p.x, 2.0f});
  const Output rows = p.op("GatherV2", {doubled, Tensor::vector<std::int32_t>({1, 1}), 0});
  EXPECT_TRUE(identical(p.run(p.grad(rows, p.x).dense()), vec({0, 4, 0})));
}

TEST(Gradients, second_order) {
  GradientProgram p;
  const Output x = p.constant(Tensor::scalar(2.0f), "x");
  const Output y = p.op("Mul", {p.op("Square", {x}), x});
  const Output first = p.grad(y, x).dense();
  const Output second = p.grad(first, x).dense();
  EXPECT_TRUE(identical(p.run(first), Tensor::scalar(12.0f)));
  EXPECT_TRUE(identical(p.run(second), Tensor::scalar(12.0f)));
  EXPECT_EQ(second.name().substr(0, 12), "gradients_1/");
}

TEST(Gradients, gate_makes_them_wait_for_each_other) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x"), y = p.constant(vec({3, 4}), "y");
  GradientOptions options;
  options.gate = true;
  const auto g = p.grads({p.op("Mul", {x, y}, {}, "mul")}, {x, y}, options);
  EXPECT_EQ(g[0].dense().name(), "gradients/mul_grad/tuple/control_dependency:0");
  EXPECT_EQ(g[1].dense().node->control_inputs().at(0)->name(),
            "gradients/mul_grad/tuple/group_deps");
  EXPECT_TRUE(identical(p.run(g[0].dense()), vec({3, 4})));
}

TEST(Gradients, can_be_colocated) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x");
  GradientOptions options;
  options.colocate_with_ops = true;
  const Gradient g = p.grad(p.op("Neg", {x}, {}, "neg"), x, options);
  EXPECT_EQ(colocation_groups(*g.dense().node), std::vector<std::string>{"loc:@neg"});
}

TEST(Gradients, name_the_op_that_has_none) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x");
  const Output y = p.op("SoftsignGrad", {x, x}, {}, "odd");
  const Error e = thrown_by([&] { p.grad(y, x); });
  EXPECT_EQ(e.code(), Code::kNotFound);
  EXPECT_EQ(e.message(), "No gradient defined for operation 'odd' (op type: SoftsignGrad)");
}

TEST(Gradients, another_ops_gradient_can_be_asked_for) {
  GradientProgram p;
  const Output x = p.constant(vec({1, 2}), "x");
  const Output y = p.op("Relu", {x});
  p.graph->set_attr(*y.node, "_gradient_op_type", std::string("Neg"));
  EXPECT_TRUE(identical(p.run(p.grad(y, x).dense()), vec({-1, -1})));
}

TEST(Gradients, mean_of_unknown_sizes) {
  GradientProgram p;
  const Output x = p.placeholder({kUnknownDim, 2}, "x");
  const Output y = p.op("Mean", {x, Tensor::vector<std::int32_t>({0})});
  const Gradient g = p.grad(y, x);
  Tensor value = Tensor::zeros(DType::f32, {4, 2});
  const auto out = Session(p.graph).run(std::vector<Feed>{{x, value}}, {{g.dense()}});
  for (const float v : out[0].flat<float>()) EXPECT_EQ(v, 0.25f);
}

}  // namespace
}  // namespace rill

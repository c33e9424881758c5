#include "rill/runtime/session/session.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "tensorflow/core/framework/cost_graph.pb.h"

namespace rill {
namespace {

// A graph with the standard ops and the shorthand that the tests below need.
struct Program {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  Output placeholder(DType dtype, PartialShape shape, std::string_view name) {
    return scope.add("Placeholder", {}, {{"dtype", dtype}, {"shape", shape}}, name).output();
  }
  Output constant(Tensor value, std::string_view name = "Const") {
    return scope.constant(std::move(value), name);
  }
  Output op(std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {},
            std::string_view name = {}) {
    return scope.add(type, std::move(inputs), std::move(attrs), name).output();
  }
  Output variable(DType dtype, PartialShape shape, std::string_view name) {
    return op("VariableV2", {}, {{"dtype", dtype}, {"shape", shape}}, name);
  }
};

float value(const std::vector<Tensor>& results) { return results.at(0).scalar_value<float>(); }

template <class F>
Error error_of(F f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return Error(Code::kOk, "no error was thrown");
}

TEST(Session, adds_a_fed_value) {
  Program p;
  const Output x = p.placeholder(DType::f32, {2}, "x");
  const Output y = p.op("AddV2", {x, Tensor::vector<float>({10, 20})}, {}, "y");
  Session session(p.graph);
  const auto out = session.run(std::vector<Feed>{{x, Tensor::vector<float>({1, 2})}}, {{y}});
  EXPECT_TRUE(identical(out[0], Tensor::vector<float>({11, 22})));
}

TEST(Session, runs_only_what_is_fetched) {
  Program p;
  const Output one = p.constant(Tensor::scalar(1.0f));
  p.scope.add("Assert", {Tensor::scalar(false), std::vector<Input>{one}}, {}, "fails");
  Session session(p.graph);
  EXPECT_EQ(value(session.run({}, {{one}})), 1);
  EXPECT_EQ(
      error_of([&] { session.run({}, {}, std::vector<Node*>{&p.graph->at("fails")}); }).code(),
      Code::kInvalidArgument);
}

TEST(Session, an_unfed_placeholder_says_so) {
  Program p;
  const Output x = p.placeholder(DType::f32, {2}, "x");
  Session session(p.graph);
  const Error error = error_of([&] { session.run({}, {{x}}); });
  EXPECT_NE(
      error.message().find("You must feed a value for placeholder tensor 'x' with dtype float "
                           "and shape [2]"),
      std::string::npos)
      << error.what();
}

// Only the type is held against the placeholder: clients feed other shapes than a graph's author
// wrote down, and the kernels say whether they can use them.
TEST(Session, a_feed_of_wrong_type_is_refused) {
  Program p;
  const Output x = p.placeholder(DType::f32, {2}, "x");
  Session session(p.graph);
  const auto feed = [&](Tensor t) {
    return error_of([&] { session.run(std::vector<Feed>{{x, t}}, {{x}}); }).code();
  };
  EXPECT_EQ(feed(Tensor::vector<double>({1, 2})), Code::kInvalidArgument);
  EXPECT_EQ(feed(Tensor::vector<float>({1, 2, 3})), Code::kOk);
  EXPECT_EQ(feed(Tensor::vector<float>({1, 2})), Code::kOk);
}

TEST(Session, reference_variable_keeps_its_value) {
  Program p;
  const Output v = p.variable(DType::f32, {}, "v");
  Node& init = *p.op("Assign", {v, Tensor::scalar(1.0f)}, {}, "init").node;
  Node& add = *p.op("AssignAdd", {v, Tensor::scalar(2.0f)}, {}, "add").node;
  Session session(p.graph);
  const Error error = error_of([&] { session.run({}, {{v}}); });
  EXPECT_EQ(error.code(), Code::kFailedPrecondition);
  EXPECT_NE(error.message().find("Attempting to use uninitialized value v"), std::string::npos);
  session.run({}, {}, std::vector<Node*>{&init});
  for (int i = 0; i < 3; ++i) session.run({}, {}, std::vector<Node*>{&add});
  EXPECT_EQ(value(session.run({}, {{v}})), 7);
}

TEST(Session, a_fetched_value_never_aliases_state) {
  Program p;
  const Output v = p.variable(DType::f32, {2}, "v");
  const Output read = p.op("Identity", {v});
  Node& init = *p.op("Assign", {v, Tensor::vector<float>({1, 2})}).node;
  Session session(p.graph);
  session.run({}, {}, std::vector<Node*>{&init});
  const auto out = session.run({}, std::vector{v, read});
  for (const Tensor& t : out) t.data<float>()[0] = 99;
  EXPECT_TRUE(identical(session.run({}, {{read}})[0], Tensor::vector<float>({1, 2})));
}

TEST(Session, nodes_added_later_are_seen) {
  Program p;
  const Output one = p.constant(Tensor::scalar(1.0f));
  Session session(p.graph);
  EXPECT_EQ(value(session.run({}, {{one}})), 1);
  const Output two = p.op("AddV2", {one, one});
  EXPECT_EQ(value(session.run({}, {{two}})), 2);
}

TEST(Session, an_error_names_node_op_device_shapes_and_line) {
  Program p;
  p.scope = p.scope.from(origin_at(std::source_location::current()));
  const Output x = p.placeholder(DType::f32, PartialShape(), "x");
  const Output y = p.op("AddV2", {x, Tensor::vector<float>({1, 2})}, {}, "sum");
  Session session(p.graph);
  const Error error = error_of([&] {
    session.run(std::vector<Feed>{{x, Tensor::vector<float>({1, 2, 3})}}, {{y}});
  });
  for (const char* part : {"sum", "AddV2", "CPU:0", "float[3]", "float[2]", "session_test.cc"})
    EXPECT_NE(error.message().find(part), std::string::npos) << part << " in " << error.message();
  EXPECT_EQ(error.node(), "sum");
}

TEST(Session, a_closed_session_refuses) {
  Program p;
  const Output one = p.constant(Tensor::scalar(1.0f));
  Session session(p.graph);
  session.close();
  EXPECT_NE(error_of([&] { session.run({}, {{one}}); }).message().find("closed Session"),
            std::string::npos);
}

TEST(Session, callable_runs_the_signature_it_was_made_for) {
  Program p;
  const Output x = p.placeholder(DType::f32, {}, "x");
  const Output y = p.op("Mul", {x, x});
  Session session(p.graph);
  const Callable square = session.make_callable({{x}}, {{y}});
  EXPECT_EQ(value(square(std::vector{Tensor::scalar(3.0f)})), 9);
  EXPECT_EQ(value(square(std::vector{Tensor::scalar(4.0f)})), 16);
}

TEST(Session, a_step_past_its_time_fails) {
  Program p;
  Output x = p.op("RealDiv", {Tensor::of<float>({512, 512}, std::vector<float>(512 * 512, 1.0f)),
                              Tensor::scalar(2.0f)});
  const Output fed = p.placeholder(DType::f32, {512, 512}, "fed");
  x = p.op("AddV2", {x, fed});
  for (int i = 0; i < 200; ++i) x = p.op("MatMul", {x, fed});
  Session session(p.graph);
  const Tensor zeros = Tensor::zeros(DType::f32, {512, 512});
  const Error error = error_of([&] {
    session.run(std::vector<Feed>{{fed, zeros}}, {{x}}, {}, RunOptions{.timeout_ms = 1});
  });
  EXPECT_EQ(error.code(), Code::kDeadlineExceeded) << error.what();
}

TEST(Session, traces_every_node_it_runs) {
  Program p;
  const Output x = p.placeholder(DType::f32, {3}, "x");
  const Output y = p.op("Neg", {p.op("Square", {x}, {}, "square")}, {}, "neg");
  Session session(p.graph, {.rewrites_off = {"all"}});
  StepStats stats;
  session.run(std::vector<Feed>{{x, Tensor::vector<float>({1, 2, 3})}}, {{y}}, {},
              RunOptions{.trace = true}, &stats);
  ASSERT_EQ(stats.nodes.size(), 2u);
  EXPECT_EQ(stats.nodes[0].node, "square");
  EXPECT_EQ(stats.nodes[1].op, "Neg");
  EXPECT_EQ(stats.nodes[1].label, "neg = Neg(square)");
  ASSERT_EQ(stats.nodes[1].outputs.size(), 1u);
  EXPECT_EQ(stats.nodes[1].outputs[0].bytes, 12);
  EXPECT_GE(stats.nodes[1].scheduled_nanos, stats.nodes[0].start_nanos + stats.nodes[0].nanos);
  EXPECT_LE(stats.nodes[1].scheduled_nanos, stats.nodes[1].start_nanos);
  EXPECT_LE(stats.nodes[1].prepare_nanos, stats.nodes[1].nanos);
}

// Texts and outputs stay where they are when statistics are moved, and when the session has gone.
TEST(Session, statistics_outlive_the_session) {
  Program p;
  const Output x = p.placeholder(DType::f32, {3}, "x");
  const Output y = p.op("Neg", {x}, {}, "neg");
  StepStats kept;
  {
    Session session(p.graph);
    StepStats stats;
    session.run(std::vector<Feed>{{x, Tensor::vector<float>({1, 2, 3})}}, {{y}}, {},
                RunOptions{.trace = true}, &stats);
    kept = std::move(stats);
  }
  ASSERT_EQ(kept.nodes.size(), 1u);
  EXPECT_EQ(kept.nodes[0].label, "neg = Neg(x)");
  EXPECT_EQ(kept.nodes[0].outputs[0].shape, Shape({3}));
  EXPECT_TRUE(kept.nodes[0].device.ends_with("CPU:0"));
}

TEST(Session, without_a_trace_no_statistics_of_nodes) {
  Program p;
  const Output y = p.op("Neg", {p.placeholder(DType::f32, {}, "x")}, {}, "neg");
  Session session(p.graph);
  StepStats stats;
  session.run(std::vector<Feed>{{y.node->input(0), Tensor::scalar(1.0f)}}, {{y}}, {}, RunOptions{},
              &stats);
  EXPECT_TRUE(stats.nodes.empty());
}

// Every second run behind the first one: TensorFlow's order of nodes, the most time so far.
TEST(Session, tells_the_costs_of_the_runs_that_it_measures) {
  Program p;
  const Output x = p.placeholder(DType::f32, {3}, "x");
  const Output y = p.op("Neg", {p.op("Exp", {x}, {}, "exp")}, {}, "neg");
  Session session(p.graph,
                  {.rewrites_off = {"all"}, .build_cost_model = 2, .build_cost_model_after = 1});
  std::vector<bool> told;
  StepStats stats;
  for (int i = 0; i < 6; ++i) {
    stats = {};
    session.run(std::vector<Feed>{{x, Tensor::vector<float>({1, 2, 3})}}, {{y}}, {}, {}, &stats);
    told.push_back(!stats.cost_graph.empty());
    if (!stats.cost_graph.empty()) {
      tensorflow::CostGraphDef costs;
      ASSERT_TRUE(costs.ParseFromString(stats.cost_graph));
      const auto named = [&](const std::string& name) {
        return *std::ranges::find(costs.node(), name, &tensorflow::CostGraphDef::Node::name);
      };
      EXPECT_EQ(costs.node(0).name(), "_SOURCE");
      EXPECT_EQ(costs.node(1).name(), "_SINK");
      EXPECT_EQ(named("neg").input_info(0).preceding_node(), named("exp").id());
      EXPECT_EQ(named("exp").output_info(0).size(), 12);
      EXPECT_EQ(named("exp").output_info(0).dtype(), tensorflow::DT_FLOAT);
    }
  }
  EXPECT_EQ(told, (std::vector<bool>{false, false, true, false, true, false}));
}

// As frozen weights are: what is made of them alone is made once.
TEST(Session, folds_what_is_made_of_large_constants) {
  Program p;
  const Tensor weights = Tensor::zeros(DType::f32, {1000, 300});
  const Output x = p.placeholder(DType::f32, {1, 300}, "x");
  const Output y = p.op("AddV2", {x, p.op("Exp", {p.scope.constant(weights)})});
  const std::vector<Feed> feeds{{x, Tensor::zeros(DType::f32, {1, 300})}};
  const auto nodes_run = [&](bool fold) {
    Session session(p.graph, {.fold = fold, .rewrites_off = {"all"}});
    StepStats stats;
    const Tensor sum = session.run(feeds, {{y}}, {}, RunOptions{.trace = true}, &stats)[0];
    EXPECT_EQ(sum.flat<float>().back(), 1.0f);
    return stats.nodes.size();
  };
  EXPECT_EQ(nodes_run(true), 1u);
  EXPECT_EQ(nodes_run(false), 3u);
}

// What is small is a constant, however large what lies between: the number of elements of a loss,
// as a sum of ones. What is large and easily made again is not kept.
TEST(Session, folds_through_large_results_of_small_constants) {
  Program p;
  const Output sides = p.scope.constant(Tensor::vector<std::int32_t>({1000, 300}));
  const Output ones = p.op("Fill", {sides, p.scope.constant(Tensor::scalar(1.0f))});
  const Output axes = p.scope.constant(Tensor::vector<std::int32_t>({0, 1}));
  const Output flat = p.op("Reshape", {ones, p.scope.constant(Tensor::vector<std::int32_t>({-1}))});
  const Output x = p.placeholder(DType::f32, {}, "x");
  const std::vector<Feed> feeds{{x, Tensor::scalar(1.0f)}};
  const auto nodes_run = [&](Output y) {
    Session session(p.graph, {.rewrites_off = {"all"}});
    StepStats stats;
    session.run(feeds, {{y}}, {}, RunOptions{.trace = true}, &stats);
    return stats.nodes.size();
  };
  EXPECT_EQ(nodes_run(p.op("AddV2", {x, p.op("Sum", {ones, axes})})), 1u);
  Node* const nobody[] = {&p.scope.add("NoOp", {})};
  const Output late = p.scope.with_control(nobody).add("Sum", {ones, axes}).output();
  EXPECT_EQ(nodes_run(p.op("AddV2", {x, late})), 1u);
  EXPECT_EQ(nodes_run(p.op("AddV2", {x, flat})), 3u);
}

}  // namespace
}  // namespace rill

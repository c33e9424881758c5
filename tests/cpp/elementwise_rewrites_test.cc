// Element-wise chains and gradients of broadcasts: the same bits with and without, fewer kernels.
#include "tests/cpp/rewrite_testing.h"

namespace rill {
namespace {

// The gates of an LSTM cell; every value is read or fetched somewhere.
LoopProgram::Values gates(RewriteProgram& p, Output f, Output i, Output j, Output o, Output c) {
  const Output forget = p.op("Sigmoid", {p.op("AddV2", {f, 1.0f})});
  const Output kept = p.op("Mul", {forget, c});
  const Output added = p.op("Mul", {p.op("Sigmoid", {i}), p.op("Tanh", {j})});
  const Output state = p.op("AddV2", {kept, added});
  const Output out = p.op("Mul", {p.op("Tanh", {state}), p.op("Sigmoid", {o})});
  return {out, state, forget};
}

std::vector<Feed> numbered_feeds(const LoopProgram::Values& xs, const std::vector<Shape>& shapes) {
  std::vector<Feed> feeds;
  for (std::size_t k = 0; k < xs.size(); ++k)
    feeds.push_back({xs[k], numbers(shapes[k], static_cast<int>(k))});
  return feeds;
}

struct Gates : RewriteProgram {
  Values in{unknown("f"), unknown("i"), unknown("j"), unknown("o"), unknown("c")};
  Values out = gates(*this, in[0], in[1], in[2], in[3], in[4]);
};

TEST(ElementwiseChains, ten_ops_become_one_kernel) {
  Gates g;
  for (const std::int64_t n : {1, 7, 511, 512, 513, 100'003}) {
    auto counts = g.run(numbered_feeds(g.in, std::vector<Shape>(5, {n})), g.out);
    EXPECT_EQ(counts["_ElementwiseChain"], 1) << n;
    EXPECT_EQ(counts["Mul"] + counts["Sigmoid"] + counts["Tanh"] + counts["AddV2"], 0) << n;
  }
}

TEST(ElementwiseChains, rows_scalars_columns_and_nothing) {
  Gates g;
  const std::vector<std::vector<Shape>> all = {
      {{6, 40}, {40}, {6, 40}, {1, 40}, {6, 40}},       // short rows
      {{3, 700}, {700}, {3, 700}, {1, 700}, {3, 700}},  // rows longer than a block
      {{3, 700}, {}, {1}, {1, 1}, {3, 700}},            // numbers
      {{6, 40}, {6, 1}, {6, 40}, {40}, {1}},            // columns
      {{6, 1}, {1, 40}, {6, 40}, {}, {6, 40}},          // each repeats the other
      {{2, 3, 8}, {3, 8}, {8}, {2, 3, 8}, {2, 3, 8}},   // rows of two lengths
      {{0, 40}, {40}, {0, 40}, {1, 40}, {0, 40}},       // nothing
      {{}, {}, {}, {}, {}},
      {{1}, {}, {1, 1}, {}, {}},
      {{40}, {6, 40}, {40}, {40}, {40}},  // results of different shapes
  };
  for (const auto& shapes : all) {
    auto counts = g.run(numbered_feeds(g.in, shapes), g.out);
    EXPECT_EQ(counts["_ElementwiseChain"], 1) << str_cat(shapes[0], shapes[1]);
  }
}

TEST(ElementwiseChains, shapes_that_do_not_fit_are_refused_as_before) {
  Gates g;
  const auto feeds = numbered_feeds(g.in, {{4}, {5}, {4}, {4}, {4}});
  std::vector<Code> codes;
  for (const auto& off : {std::set<std::string, std::less<>>{}, {"all"}}) {
    Session session(g.graph, {.rewrites_off = off});
    try {
      session.run(feeds, g.out);
    } catch (const Error& error) {
      codes.push_back(error.code());
      EXPECT_NE(error.message().find("Incompatible shapes"), std::string::npos) << error.message();
    }
  }
  EXPECT_EQ(codes, (std::vector<Code>{Code::kInvalidArgument, Code::kInvalidArgument}));
}

// Each of two chains could be one node, but then each would need the other's results.
TEST(ElementwiseChains, two_that_need_each_other_are_not_both_made) {
  RewriteProgram p;
  const Output x = p.unknown("x"), y = p.unknown("y");
  const Output a = p.op("Exp", {x}), b = p.op("Exp", {y});
  const Tensor all = Tensor::vector<std::int32_t>({0});
  const Output from_b = p.op("Mul", {a, p.op("Sum", {b, all})});
  const Output from_a = p.op("Mul", {b, p.op("Sum", {a, all})});
  auto counts = p.run(numbered_feeds({x, y}, {{5}, {5}}), {from_a, from_b});
  EXPECT_EQ(counts["_ElementwiseChain"], 1);
  EXPECT_EQ(counts["Mul"] + counts["Exp"], 2);
}

TEST(ElementwiseChains, a_value_that_others_work_on_in_between_is_no_chain) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output y = p.op("Exp", {x});
  const Output sum = p.op("Sum", {y, Tensor::vector<std::int32_t>({0})});
  const Output z = p.op("RealDiv", {y, sum});
  const Output w = p.op("Sqrt", {z});
  auto counts = p.run({{x, numbers({5, 9})}}, {w});
  EXPECT_EQ(counts["Exp"], 1);
  EXPECT_EQ(counts["_ElementwiseChain"], 1);
}

TEST(ElementwiseChains, control_edges_from_a_member_come_from_the_chain) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output v = p.op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{4}}}, "v");
  const Output y = p.op("Neg", {p.op("Square", {x})});
  const Output set = p.after(y, [&] { return p.op("Assign", {v, x}); });
  const Output z = p.after(set, [&] { return p.op("Tanh", {y}); });
  auto counts = p.run({{x, numbers({4})}}, {p.op("Exp", {z})});
  EXPECT_EQ(counts["Assign"], 1);
  EXPECT_EQ(counts["_ElementwiseChain"], 2);
}

// The variable then holds what was fetched, and a chain of the next step reads it.
TEST(ElementwiseChains, fetched_and_assigned_values_are_not_overwritten) {
  RewriteProgram p;
  const Output v = p.op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{3}}}, "v");
  const Output old = p.op("Identity", {v}), x = p.unknown("x");
  const Output fresh = p.op("Tanh", {p.op("Mul", {old, 0.5f})});
  const Output before = p.op("Tanh", {p.op("Mul", {x, old})});
  Node* const first[] = {before.node};
  Node& start = p.scope.add("Assign", {v, numbers({3})});
  Node& change = p.scope.with_control(first).add("Assign", {v, fresh});
  const std::vector<Feed> feeds{{x, numbers({2, 3}, 5)}};
  Session on(p.graph), off(p.graph, {.rewrites_off = {"all"}});
  for (Session* session : {&on, &off}) session->run(start);
  for (int i = 0; i < 3; ++i) {
    Node* const targets[] = {&change};
    const std::vector<Output> fetches{fresh, before};
    const auto got = on.run(feeds, fetches, targets), expected = off.run(feeds, fetches, targets);
    EXPECT_TRUE(identical(got[0], expected[0])) << "step " << i;
    EXPECT_TRUE(identical(got[1], expected[1])) << "step " << i;
  }
}

TEST(ElementwiseChains, chains_stay_inside_branches_and_loops) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output flag = p.placeholder(DType::boolean, {}, "flag");
  const Output before = p.op("Square", {x});
  const Output chosen = p.cond(
      flag, before, [&](Output v) { return p.op("Exp", {p.op("Neg", {v})}); },
      [&](Output v) {
        return p.op("Sqrt", {p.op("AddV2", {v, 2.0f})});
      });
  const Output end = p.op("Tanh", {p.op("Mul", {chosen, before})});
  for (const bool value : {false, true}) {
    auto counts = p.run({{x, numbers({10})}, {flag, Tensor::scalar(value)}}, {end, before});
    EXPECT_EQ(counts["_ElementwiseChain"], 2);  // the branch taken, and what follows
    EXPECT_EQ(counts["Square"], 1);
  }
  const auto left = p.loop(
      "loop", {p.scope.constant(Tensor::scalar<std::int32_t>(0)), x},
      [&](const RewriteProgram::Values& v) {
        return p.op("Less", {v[0], 5});
      },
      [&](const RewriteProgram::Values& v) {
        const Output next = p.op("Tanh", {p.op("AddV2", {p.op("Square", {v[1]}), 0.5f})});
        return RewriteProgram::Values{p.op("AddV2", {v[0], 1}), next};
      });
  auto counts = p.run({{x, numbers({600})}}, {left[1]});
  EXPECT_EQ(counts["_ElementwiseChain"], 5);
  EXPECT_EQ(counts["Tanh"], 0);
}

// The loop begins with zeros: only its way back leads from what leaves it to what it adds up.
TEST(ElementwiseChains, loop_inputs_do_not_wait_for_loop_exits) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output added = p.op("Neg", {p.op("Exp", {x})});
  const auto sums = p.loop(
      "sum",
      {p.scope.constant(Tensor::scalar(0)), p.scope.constant(Tensor::zeros(DType::f32, {4}))},
      [&](const RewriteProgram::Values& v) {
        return p.op("Less", {v[0], 3});
      },
      [&](const RewriteProgram::Values& v) {
        return RewriteProgram::Values{p.op("AddV2", {v[0], 1}), p.op("AddV2", {v[1], v[2]})};
      },
      {.invariants = {added}});
  const Output y = p.op("Tanh", {p.op("Mul", {sums[1], added})});
  auto counts = p.run({{x, numbers({4})}}, {y});
  EXPECT_EQ(counts["_ElementwiseChain"], 2);
}

TEST(ElementwiseChains, dequeued_values_do_not_delay_enqueued_ones) {
  RewriteProgram p;
  const std::vector<DType> types{DType::f32};
  const Output queue = p.op("FIFOQueueV2", {}, {{"component_types", types}}, "queue");
  const Output x = p.unknown("x");
  const Output y = p.op("Square", {x});
  Node& put =
      p.scope.add("QueueEnqueueV2", {queue, std::vector<Input>{y}}, {{"Tcomponents", types}});
  const Output got = p.op("QueueDequeueV2", {queue}, {{"component_types", types}});
  const Output z = p.op("Exp", {p.op("AddV2", {y, got})});
  auto counts = p.run({{x, numbers({5})}}, {z}, {&put});
  EXPECT_EQ(counts["_ElementwiseChain"], 1);
  EXPECT_EQ(counts["Square"], 1);
}

TEST(ElementwiseChains, partial_runs_fetch_early_values) {
  RewriteProgram p;
  const Output x = p.unknown("x"), w = p.unknown("w");
  const Output y = p.op("Square", {x});
  const Output z = p.op("AddV2", {p.op("Exp", {y}), w});
  Session session(p.graph);
  const std::string handle = session.partial_run_setup({{x, w}}, {{y, z}}, {});
  const Tensor first = session.partial_run(handle, std::vector<Feed>{{x, numbers({3})}}, {{y}})[0];
  const Tensor last = session.partial_run(handle, std::vector<Feed>{{w, numbers({3})}}, {{z}})[0];
  const auto whole = session.run(std::vector<Feed>{{x, numbers({3})}, {w, numbers({3})}}, {{y, z}});
  EXPECT_TRUE(identical(first, whole[0]));
  EXPECT_TRUE(identical(last, whole[1]));
}

TEST(Unbroadcast, nothing_is_summed_where_nothing_was_repeated) {
  RewriteProgram p;
  const Output x = p.unknown("x"), y = p.unknown("y");
  const Output z = p.op("MatMul", {p.op("Mul", {x, y}), p.op("Sub", {x, y})});
  const auto found = p.grads(z, {x, y});
  const std::vector<std::pair<Shape, Shape>> shapes = {
      {{5, 5}, {5, 5}}, {{5, 5}, {5}}, {{1, 5}, {5, 5}}, {{5, 5}, {}}, {{5, 1}, {1, 5}}};
  for (const auto& [a, b] : shapes) {
    auto counts = p.run({{x, numbers(a)}, {y, numbers(b, 2)}}, found);
    EXPECT_EQ(counts["Sum"] + counts["BroadcastGradientArgs"] + counts["Reshape"], 0);
    EXPECT_GT(counts["_ElementwiseChain"] + counts["_Unbroadcast"], 0);
  }
}

TEST(Unbroadcast, an_input_that_is_a_result_is_not_written_over) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output made = p.op("MatMul", {x, x});
  const Output same =
      p.op("_Unbroadcast", {made, Tensor::vector<std::int32_t>({5, 5})}, {}, "same");
  const Output square = p.op("Mul", {same, made});
  auto counts = p.run({{x, numbers({5, 5})}}, {same, square, p.op("Exp", {square})});
  EXPECT_EQ(counts["_ElementwiseChain"], 1);
}

// The gradient by x asks for the shape of y alone, which waits for a change of v.
TEST(Unbroadcast, side_effects_behind_a_shape_still_run) {
  RewriteProgram p;
  const Output v =
      p.op("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape::scalar()}}, "v");
  Node& start = p.scope.add("Assign", {v, 1.0f});
  Node* change[] = {&p.scope.add("AssignAdd", {v, 2.0f})};
  const Output x = p.unknown("x"), w = p.unknown("w");
  const Output y = p.scope.with_control(change).add("Neg", {w}).output();
  const auto found = p.grads(p.op("MatMul", {p.op("AddV2", {x, y}), w}), {x});
  const Output fed = p.graph->find("AddV2")->output();
  for (const auto& off : {std::set<std::string, std::less<>>{"all"}, {}}) {
    Session session(p.graph, {.rewrites_off = off});
    session.run(start);
    const std::vector<Feed> feeds{
        {x, numbers({3, 3})}, {w, numbers({3, 3}, 2)}, {fed, numbers({3, 3}, 3)}};
    session.run(feeds, found);
    EXPECT_EQ(session.run(std::vector{v})[0].scalar_value<float>(), 3) << off.size();
  }
}

TEST(Unbroadcast, sums_over_no_axes_are_gone) {
  RewriteProgram p;
  const Output x = p.unknown("x");
  const Output none = p.scope.constant(Tensor(DType::i32, {0}));
  const Output y = p.op("Cumsum", {p.op("Sum", {x, none}), 0});
  EXPECT_EQ(p.run({{x, numbers({5, 9})}}, {y})["Sum"], 0);
}

TEST(ShapeReaders, read_values_that_are_needed_anyway) {
  RewriteProgram p;
  const Output x = p.placeholder(DType::f32, PartialShape{-1, 5}, "x");
  const Output product = p.op("MatMul", {x, numbers({5, 3})});
  const Output y = p.op("Relu", {p.op("BiasAdd", {product, numbers({3}, 2)})});
  const RewriteProgram::Values fetches{y, p.op("Shape", {product})};
  const std::vector<Feed> feeds{{x, numbers({4, 5})}};
  Session on(p.graph), off(p.graph, {.rewrites_off = {"shape_readers"}});
  StepStats with, without;
  const auto got = on.run(feeds, fetches, {}, {.trace = true}, &with);
  const auto expected = off.run(feeds, fetches, {}, {.trace = true}, &without);
  EXPECT_TRUE(identical(got[1], expected[1]));
  EXPECT_LT(with.nodes.size(), without.nodes.size());  // the product alone is read
}

}  // namespace
}  // namespace rill

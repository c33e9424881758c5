#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "rill/base/error_testing.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/executor/loop_testing.h"

namespace rill {
namespace {

using Values = LoopProgram::Values;

// Every plan must give the same with and without the passes.
std::vector<Tensor> run(const LoopProgram& p, const std::vector<Feed>& feeds, const Values& fetches,
                        const std::vector<Node*>& targets = {}) {
  Session plain(p.graph, {.fold = false, .share = false, .simplify = false});
  Session session(p.graph);
  const auto expected = plain.run(feeds, fetches, targets);
  for (int again = 0; again < 2; ++again) {
    const auto got = session.run(feeds, fetches, targets);
    for (std::size_t i = 0; i < got.size(); ++i) EXPECT_TRUE(identical(got[i], expected[i]));
  }
  return expected;
}
int integer(const LoopProgram& p, Output fetch, const std::vector<Feed>& feeds = {}) {
  return run(p, feeds, {fetch}).at(0).scalar_value<std::int32_t>();
}

Output less_than(LoopProgram& p, Output x, int limit) { return p.op("Less", {x, limit}); }

// Counts from 0 up to `limit`.
Output count_to(LoopProgram& p, Output limit, int parallel = 10) {
  const Output zero = p.scope.constant(Tensor::scalar<std::int32_t>(0));
  return p.loop(
      "count", {zero},
      [&](const Values& v) {
        return p.op("Less", {v[0], v[1]});
      },
      [&](const Values& v) {
        return Values{p.op("AddV2", {v[0], 1})};
      },
      {.parallel = parallel, .invariants = {limit}})[0];
}

Output int_input(LoopProgram& p, std::string_view name) {
  return p.placeholder(DType::i32, {}, name);
}
Tensor number(int value) { return Tensor::scalar<std::int32_t>(value); }

TEST(Frames, a_loop_counts) {
  for (const int parallel : {1, 2, 10}) {
    LoopProgram p;
    const Output limit = int_input(p, "limit");
    const Output count = count_to(p, limit, parallel);
    for (const int n : {0, 1, 2, 50, 1000}) EXPECT_EQ(integer(p, count, {{limit, number(n)}}), n);
  }
}

TEST(Frames, a_hundred_thousand_iterations) {
  LoopProgram p;
  const Output limit = int_input(p, "limit");
  EXPECT_EQ(integer(p, count_to(p, limit), {{limit, number(100'000)}}), 100'000);
}

TEST(Frames, several_loop_variables) {
  LoopProgram p;
  const Output one = p.scope.constant(number(1));
  const Values out = p.loop(
      "fibonacci", {p.scope.constant(number(0)), one, one},
      [&](const Values& v) { return less_than(p, v[0], 20); },
      [&](const Values& v) {
        return Values{p.op("AddV2", {v[0], 1}), v[2], p.op("AddV2", {v[1], v[2]})};
      });
  const auto got = run(p, {}, out);
  EXPECT_EQ(got[0].scalar_value<std::int32_t>(), 20);
  EXPECT_EQ(got[1].scalar_value<std::int32_t>(), 10946);
  EXPECT_EQ(got[2].scalar_value<std::int32_t>(), 17711);
}

TEST(Frames, a_variable_may_change_its_shape) {
  LoopProgram p;
  const Values out = p.loop(
      "grow", {p.scope.constant(number(0)), p.scope.constant(Tensor::vector<float>({1}))},
      [&](const Values& v) { return less_than(p, v[0], 4); },
      [&](const Values& v) {
        return Values{p.op("AddV2", {v[0], 1}),
                      p.op("ConcatV2", {std::vector<Input>{v[1], v[1]}, 0})};
      });
  EXPECT_EQ(run(p, {}, {out[1]})[0].shape(), Shape({16}));
}

TEST(Frames, loops_nest) {
  for (const int parallel : {1, 10}) {
    LoopProgram p;
    const Output n = int_input(p, "n");
    const Output zero = p.scope.constant(number(0));
    const Values out = p.loop(
        "outer", {zero, zero},
        [&](const Values& v) {
          return p.op("Less", {v[0], v[2]});
        },
        [&](const Values& v) {
          const Output start = p.op("Mul", {v[0], 0});
          const Values inner = p.loop(
              "inner", {start, v[1]},
              [&](const Values& w) {
                return p.op("Less", {w[0], w[2]});
              },
              [&](const Values& w) {
                return Values{p.op("AddV2", {w[0], 1}), p.op("AddV2", {w[1], w[2]})};
              },
              {.parallel = parallel, .invariants = {v[0]}});
          return Values{p.op("AddV2", {v[0], 1}), inner[1]};
        },
        {.parallel = parallel, .invariants = {n}});
    // The sum of i * i for i < n.
    for (const int k : {0, 1, 2, 10, 30})
      EXPECT_EQ(integer(p, out[1], {{n, number(k)}}), (k - 1) * k * (2 * k - 1) / 6);
  }
}

// As gradients gate what leaves a loop: a node that waits for the Switch as a whole, and one
// between it and the Exit.
TEST(Frames, nodes_stand_between_the_test_and_the_exit) {
  LoopProgram p;
  const Output x = int_input(p, "x");
  const Output merge = p.op("Merge", {std::vector<Input>{p.enter(x, "f"), p.enter(x, "f")}});
  const Output limit = p.after(merge, [&] { return p.scope.constant(number(10)); });
  const Output branch = p.op("Switch", {merge, p.op("LoopCond", {p.op("Less", {merge, limit})})});
  Node* nodes[] = {branch.node};
  const Output gate{&p.scope.with_control(nodes).add("NoOp", {}), 0};
  const Output leaving = p.after(gate, [&] { return p.op("Identity", {branch}); });
  const Output staying = p.after(gate, [&] {
    return p.op("AddV2", {LoopProgram::second(branch), merge});
  });
  p.graph->set_input(*merge.node, 1, p.op("NextIteration", {staying}));
  const Output out = p.op("Exit", {p.op("Square", {leaving})});
  EXPECT_EQ(integer(p, out, {{x, number(3)}}), 144);
  EXPECT_EQ(integer(p, out, {{x, number(11)}}), 121);
}

TEST(Frames, a_branch_is_taken) {
  LoopProgram p;
  const Output x = int_input(p, "x");
  const Output y = p.cond(
      less_than(p, x, 10), x,
      [&](Output v) {
        return p.op("Mul", {v, 2});
      },
      [&](Output v) {
        return p.op("Sub", {v, 100});
      });
  EXPECT_EQ(integer(p, y, {{x, number(4)}}), 8);
  EXPECT_EQ(integer(p, y, {{x, number(40)}}), -60);
  EXPECT_EQ(integer(p, {y.node, 1}, {{x, number(4)}}), 1);
  EXPECT_EQ(integer(p, {y.node, 1}, {{x, number(40)}}), 0);
}

TEST(Frames, branches_nest_in_loops) {
  LoopProgram p;
  const Output zero = p.scope.constant(number(0));
  // The steps of 27 to 1 by halving or tripling and adding one.
  const Values out = p.loop(
      "collatz", {p.scope.constant(number(27)), zero},
      [&](const Values& v) {
        return p.op("Greater", {v[0], 1});
      },
      [&](const Values& v) {
        const Output odd = p.op("Equal", {p.op("FloorMod", {v[0], 2}), 1});
        const Output next = p.cond(
            odd, v[0],
            [&](Output x) {
              return p.op("AddV2", {p.op("Mul", {x, 3}), 1});
            },
            [&](Output x) {
              return p.op("FloorDiv", {x, 2});
            });
        return Values{next, p.op("AddV2", {v[1], 1})};
      });
  EXPECT_EQ(integer(p, out[1]), 111);
}

TEST(Frames, a_loop_on_a_branch_not_taken_is_dead) {
  LoopProgram p;
  const Output x = int_input(p, "x");
  const Output y = p.cond(
      less_than(p, x, 10), x,
      [&](Output v) {
        return p.loop(
            "inner", {p.op("Mul", {v, 0}), v},
            [&](const Values& w) {
              return p.op("Less", {w[0], w[2]});
            },
            [&](const Values& w) {
              return Values{p.op("AddV2", {w[0], 1}), p.op("AddV2", {w[1], w[1]})};
            },
            {.invariants = {v}})[1];
      },
      [&](Output v) { return v; });
  EXPECT_EQ(integer(p, y, {{x, number(3)}}), 24);
  EXPECT_EQ(integer(p, y, {{x, number(11)}}), 11);
}

TEST(Frames, a_dead_branch_runs_nothing) {
  LoopProgram p;
  const Output x = int_input(p, "x");
  const Output y = p.cond(
      less_than(p, x, 10), x, [&](Output v) { return v; },
      [&](Output v) {
        Node& fails = p.scope.add("Assert", {Tensor::scalar(false), std::vector<Input>{v}});
        Node* nodes[] = {&fails};
        return Scope(p.scope.with_control(nodes)).add("Identity", {v}).output();
      });
  EXPECT_EQ(integer(p, y, {{x, number(4)}}), 4);
  EXPECT_EQ(thrown_by([&] {
              Session(p.graph).run(std::vector<Feed>{{x, number(40)}}, {{y}});
            }).code(),
            Code::kInvalidArgument);
}

TEST(Frames, a_switch_of_many_takes_the_last_when_out_of_range) {
  LoopProgram p;
  const Output which = int_input(p, "which");
  Node& many = p.scope.add("_SwitchN", {p.scope.constant(number(5)), which},
                           {{"num_outs", std::int64_t{3}}}, "many");
  std::vector<Input> branches;
  for (int i = 0; i < 3; ++i) branches.push_back(p.op("Identity", {many.output(i)}));
  const Output merged = p.op("Merge", {branches});
  for (const auto& [index, taken] : {std::pair(0, 0), {1, 1}, {2, 2}, {7, 2}, {-1, 2}})
    EXPECT_EQ(integer(p, {merged.node, 1}, {{which, number(index)}}), taken);
}

TEST(Frames, control_edges_lead_into_and_out_of_loops) {
  LoopProgram p;
  const Output v = p.op("VariableV2", {}, {{"dtype", DType::i32}, {"shape", PartialShape({})}});
  const Output init = p.op("Assign", {v, 100});
  const Values out = p.after(init, [&] {
    const Output zero = p.op("Identity", {p.scope.constant(number(0))});
    return p.loop(
        "loop", {zero}, [&](const Values& w) { return less_than(p, w[0], 5); },
        [&](const Values& w) {
          const Output variable =
              p.scope.without_control()
                  .add("RefEnter", {v}, {{"frame_name", "loop"}, {"is_constant", true}})
                  .output();
          const Output added = p.op("AssignAdd", {variable, w[0]});
          return Values{p.after(added, [&] { return p.op("AddV2", {w[0], 1}); })};
        });
  });
  const Output read = p.after(out[0], [&] { return p.op("Identity", {v}); });
  EXPECT_EQ(integer(p, read), 110);
}

TEST(Frames, a_control_trigger_lives_although_its_inputs_are_dead) {
  LoopProgram p;
  const Output branch = p.op("Switch", {number(1), Tensor::scalar(true)});
  const Output dead = p.op("Identity", {branch});
  Node* nodes[] = {dead.node};
  Node& trigger = p.scope.with_control(nodes).add("ControlTrigger", {});
  Node& plain = p.scope.with_control(nodes).add("NoOp", {});
  const Output lives = p.after({&trigger, 0}, [&] { return p.op("Identity", {number(7)}); });
  const Output dies = p.after({&plain, 0}, [&] { return p.op("Identity", {number(7)}); });
  EXPECT_EQ(integer(p, lives), 7);
  Session session(p.graph);
  const Error error = thrown_by([&] { session.run({}, std::vector{lives, dies}); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_NE(error.message().find("Retval[1] does not have value"), std::string::npos)
      << error.message();
}

TEST(Frames, references_pass_through_branches) {
  LoopProgram p;
  const Output which = p.placeholder(DType::boolean, {}, "which");
  const auto variable = [&](const char* name) {
    return p.op("VariableV2", {}, {{"dtype", DType::i32}, {"shape", PartialShape({})}}, name);
  };
  const Output a = variable("a");
  const Output set = p.op("Assign", {a, 5});
  const Output branch = p.op("RefSwitch", {a, which});
  const Output doubled = p.op("AssignAdd", {LoopProgram::second(branch), 10});
  const Output merged = p.op("RefMerge", {std::vector<Input>{branch, doubled}});
  // A plain Switch of a reference sends what the variable holds.
  const Output value = p.op("Switch", {a, which});
  const Output read = p.op("Merge", {std::vector<Input>{value, LoopProgram::second(value)}});
  Session session(p.graph);
  session.run({}, {{set}});
  const auto run_with = [&](bool taken, Output fetch) {
    return session.run(std::vector<Feed>{{which, Tensor::scalar(taken)}}, {{fetch}})[0]
        .scalar_value<std::int32_t>();
  };
  EXPECT_EQ(run_with(false, merged), 5);
  EXPECT_EQ(run_with(true, merged), 15);
  EXPECT_EQ(run_with(true, read), 15);
  EXPECT_EQ(run_with(false, read), 15);
}

TEST(Frames, inputs_of_different_frames_are_refused) {
  LoopProgram p;
  const Output one = int_input(p, "one");
  const Output a = p.enter(one, "a");
  const Output b = p.enter(one, "b");
  const Output sum = p.op("Exit", {p.op("AddV2", {a, b}, {}, "sum")});
  Session session(p.graph);
  const Error error = thrown_by([&] { session.run(std::vector<Feed>{{one, number(1)}}, {{sum}}); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_NE(error.message().find("has inputs from different frames"), std::string::npos);
  EXPECT_NE(error.message().find("sum"), std::string::npos);
}

TEST(Frames, an_exit_needs_a_loop) {
  LoopProgram p;
  const Output x = p.op("Exit", {number(1)});
  Session session(p.graph);
  EXPECT_NE(thrown_by([&] { session.run({}, {{x}}); }).message().find("Invalid Exit op"),
            std::string::npos);
}

TEST(Frames, a_merge_takes_the_first_of_several_values) {
  LoopProgram p;
  const Output x = int_input(p, "x");
  const Output merged =
      p.op("Merge", {std::vector<Input>{p.op("Neg", {x}), p.op("Square", {x})}}, {}, "both");
  Session session(p.graph);
  for (int i = 0; i < 3; ++i) {
    const Tensor value = session.run(std::vector<Feed>{{x, number(3)}}, {{merged}})[0];
    const auto result = value.scalar_value<std::int32_t>();
    EXPECT_TRUE(result == -3 || result == 9) << result;
  }
}

TEST(Frames, what_is_inside_a_loop_cannot_be_fetched) {
  LoopProgram p;
  const Output zero = p.scope.constant(number(0));
  Output inside;
  p.loop(
      "loop", {zero}, [&](const Values& v) { return less_than(p, v[0], 5); },
      [&](const Values& v) {
        return Values{inside = p.op("AddV2", {v[0], 1}, {}, "inside")};
      });
  Session session(p.graph);
  const Error error = thrown_by([&] { session.run({}, {{inside}}); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_NE(error.message().find("inside"), std::string::npos);
  session.run({}, {}, std::vector<Node*>{inside.node});  // as a target it simply runs
}

TEST(Frames, an_error_in_a_loop_names_its_node_and_leaves_the_session_usable) {
  LoopProgram p;
  const Output limit = int_input(p, "limit");
  const Output zero = p.scope.constant(number(0));
  const Values out = p.loop(
      "loop", {zero},
      [&](const Values& v) {
        return p.op("Less", {v[0], v[1]});
      },
      [&](const Values& v) {
        Node& check =
            p.scope.add("Assert", {less_than(p, v[0], 7), std::vector<Input>{v[0]}}, {}, "check");
        return Values{p.after({&check, 0}, [&] { return p.op("AddV2", {v[0], 1}); })};
      },
      {.invariants = {limit}});
  Session session(p.graph);
  const auto run_to = [&](int n) {
    return session.run(std::vector<Feed>{{limit, number(n)}}, {{out[0]}})[0]
        .scalar_value<std::int32_t>();
  };
  EXPECT_EQ(run_to(7), 7);
  const Error error = thrown_by([&] { run_to(9); });
  EXPECT_EQ(error.code(), Code::kInvalidArgument);
  EXPECT_EQ(error.node(), "check");
  EXPECT_EQ(run_to(5), 5);
}

// Never ends by itself.
Output endless(LoopProgram& p) {
  return p.loop(
      "endless", {p.scope.constant(number(1))},
      [&](const Values& v) {
        return p.op("Greater", {v[0], 0});
      },
      [&](const Values& v) {
        return Values{p.op("Maximum", {v[0], 1})};
      })[0];
}

TEST(Frames, an_endless_loop_ends_at_its_time) {
  LoopProgram p;
  const Output out = endless(p);
  Session session(p.graph);
  const Error error =
      thrown_by([&] { session.run({}, {{out}}, {}, RunOptions{.timeout_ms = 20}); });
  EXPECT_EQ(error.code(), Code::kDeadlineExceeded) << error.what();
}

TEST(Frames, closing_the_session_ends_an_endless_loop) {
  LoopProgram p;
  const Output out = endless(p);
  Session session(p.graph);
  std::thread closer([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    session.close();
  });
  EXPECT_EQ(thrown_by([&] { session.run({}, {{out}}); }).code(), Code::kCancelled);
  closer.join();
}

TEST(Frames, a_loop_that_ends_beside_one_that_fails) {
  LoopProgram p;
  const Output out = endless(p);
  Node& fails = p.scope.add(
      "Assert", {p.op("Less", {count_to(p, int_input(p, "n")), 10}), std::vector<Input>{1}});
  Session session(p.graph);
  const std::vector<Feed> feeds{{p.graph->tensor("n:0"), number(50)}};
  EXPECT_EQ(thrown_by([&] { session.run(feeds, {{out}}, std::vector<Node*>{&fails}); }).code(),
            Code::kInvalidArgument);
}

// --- Asynchronous and large kernels ------------------------------------------------------------

// Adds one a little later, on another thread; a negative input is an error.
void add_one_later(KernelCall& call, Done done) {
  std::thread([&call, done] {
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    const auto x = call.input_tensor(0).scalar_value<std::int32_t>();
    if (x < 0) return done(std::make_exception_ptr(Error(Code::kOutOfRange, "x is negative")));
    call.set_output(0, Tensor::scalar<std::int32_t>(x + 1));
    done(nullptr);
  }).detach();
}

constexpr OpDecl kAddOneLater{
    .name = "TestAddOneLater",
    .doc = "x + 1, some time later.",
    .inputs = {"x: int32"},
    .outputs = {"y: int32"},
    .traits = kStateful,
    .shape = same_as_input,
};

void register_test_ops() {
  static const bool once = [] {
    standard_ops().add(kAddOneLater);
    standard_kernels().add("TestAddOneLater", "CPU",
                           {.op = &kAddOneLater, .run_async = add_one_later, .allocates = true});
    return true;
  }();
  EXPECT_TRUE(once);
}

Values async_loop(LoopProgram& p, Output start, int parallel) {
  return p.loop(
      "async", {p.scope.constant(number(0)), start},
      [&](const Values& v) { return less_than(p, v[0], 50); },
      [&](const Values& v) {
        const Output a = p.op("TestAddOneLater", {v[1]});
        const Output b = p.op("TestAddOneLater", {v[0]});
        return Values{b, p.op("AddV2", {a, p.op("Sub", {b, v[0]})})};
      },
      {.parallel = parallel});
}

TEST(Frames, asynchronous_kernels_run_in_loops) {
  register_test_ops();
  for (const int parallel : {1, 10}) {
    LoopProgram p;
    const Output start = int_input(p, "start");
    const Values out = async_loop(p, start, parallel);
    EXPECT_EQ(integer(p, out[1], {{start, number(3)}}), 103);
    Session session(p.graph);
    const Error error = thrown_by([&] {
      session.run(std::vector<Feed>{{start, number(-9)}}, {{out[1]}});
    });
    EXPECT_EQ(error.code(), Code::kOutOfRange);
  }
}

// Independent products in each iteration, large enough for several threads.
TEST(Frames, large_kernels_of_a_loop_run_side_by_side) {
  LoopProgram p;
  const Output m = p.placeholder(DType::f32, {64, 64}, "m");
  const Values out = p.loop(
      "products", {p.scope.constant(number(0)), m, m},
      [&](const Values& v) { return less_than(p, v[0], 30); },
      [&](const Values& v) {
        return Values{p.op("AddV2", {v[0], 1}), p.op("MatMul", {v[1], v[3]}),
                      p.op("MatMul", {v[3], v[2]})};
      },
      {.invariants = {m}});
  // A permutation, so that every product is exact.
  Tensor shift = Tensor::zeros(DType::f32, {64, 64});
  for (int i = 0; i < 64; ++i) shift.data<float>()[i * 64 + (i + 1) % 64] = 1;
  Session session(p.graph, {.intra_op_threads = 4});
  for (int again = 0; again < 5; ++again) {
    const auto got = session.run(std::vector<Feed>{{m, shift}}, {{out[1], out[2]}});
    ASSERT_TRUE(identical(got[0], got[1]));
    for (int i = 0; i < 64; ++i) ASSERT_EQ(got[0].data<float>()[i * 64 + (i + 31) % 64], 1);
  }
}

TEST(Frames, one_session_runs_loops_from_several_threads) {
  LoopProgram p;
  const Output limit = int_input(p, "limit");
  const Output count = count_to(p, limit);
  Session session(p.graph);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const int n = t * 10 + i;
        const auto got = session.run(std::vector<Feed>{{limit, number(n)}}, {{count}});
        wrong += got[0].scalar_value<std::int32_t>() != n;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Frames, deeply_nested_loops) {
  LoopProgram p;
  Output x = int_input(p, "x");
  constexpr int kDepth = 2000;
  for (int i = 0; i < kDepth; ++i) x = p.enter(x, "f" + std::to_string(i));
  x = p.op("AddV2", {x, x});
  for (int i = 0; i < kDepth; ++i) x = p.op("Exit", {x});
  EXPECT_EQ(integer(p, x, {{p.graph->tensor("x:0"), number(4)}}), 8);
}

}  // namespace
}  // namespace rill

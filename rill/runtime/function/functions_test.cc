// Function calls: what they cost, how they end, what they must not do to a thread or a stack.
#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "rill/graph/function_define.h"
#include "rill/graph/scope.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/register.h"
#include "rill/ops/register_kernels.h"
#include "rill/runtime/function/function_runtime.h"
#include "rill/runtime/memory/heap_use.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

using Outputs = std::vector<Output>;

constexpr OpDecl kEcho{
    .name = "TestEcho",
    .doc = "Its input, from another thread, a little later.",
    .inputs = {"x: int32"},
    .outputs = {"y: int32"},
    .traits = kStateful,
    .shape = same_as_input,
};
constexpr OpDecl kEchoAtOnce{
    .name = "TestEchoAtOnce",
    .doc = "Its input, asynchronously in form only.",
    .inputs = {"x: int32"},
    .outputs = {"y: int32"},
    .traits = kStateful,
    .shape = same_as_input,
};
constexpr OpDecl kNever{
    .name = "TestNever",
    .doc = "Ends only when its step is cancelled.",
    .inputs = {"x: int32"},
    .outputs = {"y: int32"},
    .traits = kStateful,
    .shape = same_as_input,
};

void echo(KernelCall& call, Done done) {
  std::thread([&call, done] {
    std::this_thread::sleep_for(std::chrono::microseconds(100));
    call.set_output(0, call.input_tensor(0));
    done(nullptr);
  }).detach();
}
void echo_at_once(KernelCall& call, Done done) {
  call.set_output(0, call.input_tensor(0));
  done(nullptr);
}
void never(KernelCall& call, Done done) {
  call.step().cancellation->on_cancel(
      [done] { done(std::make_exception_ptr(Error(Code::kCancelled, "given up"))); });
}

void register_test_ops() {
  static const bool once = [] {
    const auto add = [](const OpDecl& op, AsyncKernelFn run) {
      standard_ops().add(op);
      standard_kernels().add(op.name, "CPU", {.op = &op, .run_async = run, .allocates = true});
    };
    add(kEcho, echo);
    add(kEchoAtOnce, echo_at_once);
    add(kNever, never);
    return true;
  }();
  (void)once;
}

class Functions : public testing::Test {
 protected:
  Functions() { register_test_ops(); }

  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  // Names may not begin as internal ops do.
  static std::string_view name_of(std::string_view type) {
    return type.starts_with("_") ? type.substr(1) : std::string_view();
  }
  Output op(Scope& s, std::string_view type, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return s.add(type, std::move(inputs), std::move(attrs), name_of(type)).output();
  }
  Output placeholder(DType type, std::string_view name = "x") {
    return scope.add("Placeholder", {}, {{"dtype", type}}, name).output();
  }
  // Defines a function of `count` int32 arguments.
  template <class Build>
  FuncName define(const std::string& name, int count, Build build, AttrMap attrs = {}) {
    FunctionBuilder builder(*graph);
    Outputs arguments;
    for (int i = 0; i < count; ++i) arguments.push_back(builder.add_argument(DType::i32, "a"));
    Scope inner(*builder.body());
    define_function(*graph,
                    builder.finish(build(inner, arguments), {.name = name, .attrs = attrs}));
    return {name, {}};
  }
  // A function that adds one, whose sum goes through `echo_op` if one is named.
  FuncName define_add_one(const std::string& name, const char* echo_op = nullptr) {
    return define(name, 1, [&](Scope& s, const Outputs& a) {
      const Output sum = op(s, "AddV2", {a[0], 1});
      return Outputs{echo_op == nullptr ? sum : op(s, echo_op, {sum})};
    });
  }
  FuncName define_less(const std::string& name, int limit) {
    return define(name, 1, [&](Scope& s, const Outputs& a) {
      return Outputs{op(s, "Less", {a[0], limit})};
    });
  }
  Output while_loop(Output x, const FuncName& test, const FuncName& body) {
    return op(scope, "While", {std::vector<Input>{x}}, {{"cond", test}, {"body", body}});
  }
  int run(Output fetch, Output feed, int value, const SessionOptions& options = {}) {
    Session session(graph, options);
    const std::vector<Feed> feeds{{feed, Tensor::scalar<std::int32_t>(value)}};
    return session.run(feeds, {{fetch}})[0].scalar_value<std::int32_t>();
  }
  void expect_error(Code code, const std::string& text, Output fetch, Output feed,
                    const SessionOptions& options = {}) {
    try {
      run(fetch, feed, 1, options);
      ADD_FAILURE() << "no error";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(error.message().find(text), std::string::npos) << error.what();
    }
  }
};

TEST_F(Functions, call_by_their_own_name) {
  define_add_one("AddOne");
  const Output x = placeholder(DType::i32);
  const Output y = op(scope, "AddOne", {op(scope, "AddOne", {x})});
  EXPECT_EQ(y.node->name(), "AddOne_1");
  for (const bool inlined : {true, false}) EXPECT_EQ(run(y, x, 5, {.inline_calls = inlined}), 7);
}

TEST_F(Functions, capture_what_their_bodies_read) {
  const Output x = placeholder(DType::i32);
  const Output outside = op(scope, "Mul", {x, 10});
  FunctionBuilder builder(*graph);
  const Output a = builder.add_argument(DType::i32, "a");
  Scope inner(*builder.body());
  const Output sum = op(inner, "AddV2", {a, outside});
  const Output twice = op(inner, "AddV2", {sum, outside});
  ASSERT_EQ(builder.captured().size(), 1u);
  define_function(*graph, builder.finish({twice}, {.name = "F"}));
  const Output y = call_function(scope, "F", Outputs{x, builder.captured()[0]}).output();
  EXPECT_EQ(run(y, x, 3), 63);
}

TEST_F(Functions, loops_allocate_nothing) {
  const FuncName body = define("body", 2, [&](Scope& s, const Outputs& a) {
    return Outputs{op(s, "AddV2", {a[0], 1}), op(s, "AddV2", {a[1], a[0]})};
  });
  const FuncName test = define("test", 2, [&](Scope& s, const Outputs& a) {
    return Outputs{op(s, "Less", {a[0], 2000})};
  });
  const Output x = placeholder(DType::i32);
  Node& loop = scope.add("While", {std::vector<Input>{x, x}}, {{"cond", test}, {"body", body}});
  Session session(graph, {.intra_op_threads = 1});
  const Callable callable = session.make_callable({{x}}, {{loop.output(1)}});
  const std::vector<Tensor> feeds{Tensor::scalar<std::int32_t>(0)};
  for (int i = 0; i < 3; ++i) callable(feeds);
  const HeapUse before = heap_use();
  EXPECT_EQ(callable(feeds)[0].scalar_value<std::int32_t>(), 1999000);
  EXPECT_LT(heap_use().count - before.count, 200);  // of 2000 iterations
}

TEST_F(Functions, that_call_themselves_without_end_are_stopped) {
  graph->functions()->add([] {
    Function f;
    f.signature.name = "Forever";
    f.signature.inputs = {{.name = "x", .type = DType::i32}};
    f.signature.outputs = {{.name = "y", .type = DType::i32}};
    f.signature.shape = unknown_outputs;
    f.nodes = {{.name = "again", .op = "Forever", .inputs = {"x"}}};
    f.returns = {{"y", "again:y:0"}};
    return f;
  }());
  const Output x = placeholder(DType::i32);
  const Output y = op(scope, "Forever", {x});
  for (const bool inlined : {true, false})
    expect_error(Code::kResourceExhausted, "nest deeper than", y, x, {.inline_calls = inlined});
}

TEST_F(Functions, that_wait_block_no_thread) {
  const FuncName body = define_add_one("body", "TestEcho"), test = define_less("test", 20);
  const Output x = placeholder(DType::i32);
  const Output y = while_loop(x, test, body);
  const Output z = op(scope, "body", {y});
  for (const int threads : {1, 2})
    for (const bool inlined : {true, false})
      EXPECT_EQ(run(z, x, 0, {.intra_op_threads = threads, .inline_calls = inlined}), 21);
}

TEST_F(Functions, that_end_at_once_do_not_pile_up) {
  const FuncName body = define_add_one("body", "TestEchoAtOnce"),
                 test = define_less("test", 100'000);
  const Output x = placeholder(DType::i32);
  EXPECT_EQ(run(while_loop(x, test, body), x, 0), 100'000);
}

TEST_F(Functions, that_wait_may_hold_branches_and_loops) {
  const FuncName body = define("body", 1, [&](Scope& s, const Outputs& a) {
    const Output big = op(s, "Less", {3, a[0]});
    Node& split = s.add("Switch", {a[0], big});
    const Output small = op(s, "TestEcho", {op(s, "AddV2", {split.output(0), 1})});
    const Output large = op(s, "TestEchoAtOnce", {op(s, "AddV2", {split.output(1), 2})});
    return Outputs{op(s, "Merge", {std::vector<Input>{small, large}})};
  });
  const Output x = placeholder(DType::i32);
  EXPECT_EQ(run(while_loop(x, define_less("test", 9), body), x, 0), 10);
}

TEST_F(Functions, errors_inside_stop_what_waits_inside) {
  const FuncName body = define("body", 1, [&](Scope& s, const Outputs& a) {
    op(s, "TestNever", {a[0]});
    return Outputs{op(s, "FloorDiv", {a[0], op(s, "Sub", {a[0], a[0]})})};
  });
  const Output x = placeholder(DType::i32);
  const Output y = op(scope, "PartitionedCall", {std::vector<Input>{x}},
                      {{"Tout", std::vector<DType>{DType::i32}}, {"f", body}});
  for (const bool inlined : {true, false})
    expect_error(Code::kInvalidArgument, "zero", y, x, {.inline_calls = inlined});
}

TEST_F(Functions, end_with_their_step) {
  const FuncName body = define_add_one("body"),
                 test = define("test", 1, [](Scope&s, const Outputs&) {
                   return Outputs{s.constant(Tensor::scalar(true))};
                 });
  const FuncName idle = define("idle", 1, [](Scope&, const Outputs& a) { return a; });
  const FuncName stuck = define_add_one("stuck", "TestNever");
  const Output x = placeholder(DType::i32);
  for (const FuncName& f : {body, idle, stuck})
    expect_error(Code::kDeadlineExceeded, "Timed out", while_loop(x, test, f), x,
                 {.timeout_ms = 30});
}

TEST_F(Functions, type_errors_name_the_argument) {
  const FuncName one = define_add_one("one");
  const Output x = placeholder(DType::i32);
  const auto call = [&](const FuncName& f, std::vector<Input> inputs, std::vector<DType> types) {
    return op(scope, "PartitionedCall", {std::move(inputs)}, {{"Tout", types}, {"f", f}});
  };
  expect_error(Code::kInvalidArgument, "Function one has arguments (int32) but is called with ()",
               call(one, {}, {DType::i32}), x);
  expect_error(Code::kInvalidArgument,
               "Function one has results (int32) but is called with (float)",
               call(one, {x}, {DType::f32}), x);
  expect_error(Code::kNotFound, "Function missing is not defined",
               call({"missing", {}}, {x}, {DType::i32}), x);
}

TEST_F(Functions, forms_with_and_without_effects_do_the_same) {
  const FuncName add = define_add_one("add"), test = define_less("test", 5);
  const FuncName same = define("same", 1, [](Scope&, const Outputs& a) { return a; });
  const FuncName both = define("both", 2, [&](Scope& s, const Outputs& a) {
    return Outputs{op(s, "AddV2", {a[0], a[1]})};
  });
  const Output x = placeholder(DType::i32);
  const std::vector<Input> inputs{x};
  const std::vector<DType> types{DType::i32};
  for (const char* name : {"PartitionedCall", "StatefulPartitionedCall"})
    EXPECT_EQ(run(op(scope, name, {inputs}, {{"Tout", types}, {"f", add}}), x, 2), 3);
  for (const char* name : {"If", "StatelessIf"})
    EXPECT_EQ(run(op(scope, name, {x, inputs},
                     {{"Tout", types}, {"then_branch", add}, {"else_branch", same}}),
                  x, 2),
              3);
  for (const char* name : {"Case", "StatelessCase"})
    EXPECT_EQ(run(op(scope, name, {x, inputs},
                     {{"Tout", types}, {"branches", std::vector<FuncName>{same, same, add}}}),
                  x, 2),
              3);
  for (const char* name : {"While", "StatelessWhile"})
    EXPECT_EQ(run(op(scope, name, {inputs}, {{"cond", test}, {"body", add}}), x, 2), 5);
  EXPECT_EQ(run(op(scope, "For", {x, 5, 1, inputs}, {{"body", both}}), x, 2), 2 + 2 + 3 + 4);
  const auto remote = [&](const char* target) {
    return op(scope, "RemoteCall", {target, inputs}, {{"Tout", types}, {"f", add}});
  };
  EXPECT_EQ(run(remote("/cpu:0"), x, 2), 3);
  expect_error(Code::kUnimplemented, "RemoteCall to", remote("/job:worker/task:1"), x);
  expect_error(Code::kInvalidArgument, "Invalid start/limit/delta",
               op(scope, "For", {x, 5, -1, inputs}, {{"body", both}}), x);
}

TEST_F(Functions, the_older_forms_of_if_and_while) {
  const FuncName body = define_add_one("body"), test = define_less("test", 5);
  const FuncName same = define("same", 1, [](Scope&, const Outputs& a) { return a; });
  const Output x = placeholder(DType::i32);
  const Output y = op(scope, "_While", {std::vector<Input>{x}}, {{"cond", test}, {"body", body}});
  const std::vector<DType> types{DType::i32};
  const Output z = op(scope, "_If", {x, std::vector<Input>{y}},
                      {{"Tout", types}, {"then_branch", body}, {"else_branch", same}});
  EXPECT_EQ(run(z, x, 1), 6);
  EXPECT_EQ(run(z, x, 0), 5);
}

TEST_F(Functions, nodes_of_bodies) {
  const Output x = placeholder(DType::i32);
  Node& array =
      *op(scope, "_ListToArray", {std::vector<Input>{x, 2}}, {{"T", DType::i32}, {"N", 2}}).node;
  Node& list = *op(scope, "_ArrayToList", {std::vector<Input>{array.output(1), array.output(0)}},
                   {{"out_types", std::vector{DType::i32, DType::i32}}})
                    .node;
  EXPECT_EQ(run(list.output(1), x, 7), 7);
  EXPECT_EQ(run(list.output(0), x, 7), 2);
  for (const auto& [names, index] :
       {std::pair{std::vector<std::string>{"GPU", "CPU"}, 1}, {{"TPU"}, 1}, {{"CPU"}, 0}})
    EXPECT_EQ(run(op(scope, "DeviceIndex", {}, {{"device_names", names}}), x, 0), index);
  const Output fake =
      op(scope, "FakeParam", {}, {{"dtype", DType::f32}, {"shape", PartialShape({2, 3})}});
  Session session(graph);
  EXPECT_EQ(session.run({}, {{fake}})[0].shape(), Shape({2, 3}));
  for (const char* name : {"_Arg", "_DeviceArg"})
    expect_error(Code::kFailedPrecondition, "outside of a function",
                 op(scope, name, {}, {{"T", DType::i32}, {"index", 0}}), x);
  for (const char* name : {"_Retval", "_DeviceRetval"}) {
    Node* const node = &scope.add(name, {x}, {{"index", 0}}, name_of(name));
    const std::vector<Feed> feeds{{x, Tensor::scalar<std::int32_t>(0)}};
    EXPECT_THROW(session.run(feeds, {}, {{node}}), Error);
  }
}

TEST_F(Functions, are_differentiated) {
  FunctionBuilder builder(*graph);
  const Output a = builder.add_argument(DType::f32, "a");
  Scope inner(*builder.body());
  define_function(*graph, builder.finish({op(inner, "Square", {a})}, {.name = "Sq"}));
  const Output x = placeholder(DType::f32);
  const Output dx = op(scope, "SymbolicGradient", {std::vector<Input>{x, 1.0f}},
                       {{"Tout", std::vector<DType>{DType::f32}}, {"f", FuncName{"Sq", {}}}});
  Session session(graph);
  const std::vector<Feed> feeds{{x, Tensor::scalar(3.0f)}};
  EXPECT_EQ(session.run(feeds, {{dx}})[0].scalar_value<float>(), 6.0f);
}

}  // namespace
}  // namespace rill

// Ops that programs seldom write themselves: mutexes, several variables at once, tensors in one
// piece of storage, and the op that ends a step.
#include <gtest/gtest.h>

#include <thread>

#include "rill/base/error_testing.h"
#include "rill/graph/graph.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

struct InternalProgram {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};

  Node& node(const Scope& where, const char* op, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    Scope at = where;
    return at.add(op, std::move(inputs), std::move(attrs));
  }
  Node& node(const char* op, std::vector<InputArg> inputs, AttrMap attrs = {}) {
    return node(scope, op, std::move(inputs), std::move(attrs));
  }
  Scope after(Node& before) {
    Node* const node = &before;
    return scope.with_control({&node, 1});
  }
  Node& internal(const char* op, std::vector<Output> inputs, AttrMap attrs) {
    NodeSpec spec;
    spec.op = op;
    spec.name = str_cat("internal", graph->node_count());
    spec.inputs = std::move(inputs);
    spec.attrs = std::move(attrs);
    return graph->add(std::move(spec));
  }
};

// --- mutexes ------------------------------------------------------------------------------------

// Adds 1 to a variable in two steps that another thread could come between.
struct Guarded : InternalProgram {
  Output handle =
      node("VarHandleOp", {},
           {{"dtype", DType::f32}, {"shape", PartialShape::scalar()}, {"shared_name", "v"}})
          .output();
  Output mutex = node("MutexV2", {}, {{"shared_name", "m"}}).output();
  Output lock = node("MutexLock", {mutex}).output();

  Node& increment() {
    Node& read = node(after(*lock.node), "ReadVariableOp", {handle}, {{"dtype", DType::f32}});
    Node& assign =
        node("AssignVariableOp", {handle, node("AddV2", {read.output(), 1.0F}).output()});
    return node(after(assign), "ConsumeMutexLock", {lock});
  }
};

TEST(Mutex, critical_section_is_exclusive) {
  Guarded p;
  Node& init = p.node("AssignVariableOp", {p.handle, 0.0F});
  Node& increment = p.increment();
  Node& read = p.node("ReadVariableOp", {p.handle}, {{"dtype", DType::f32}});
  Session session(p.graph);
  session.run({}, {}, {init.name()});
  constexpr int kThreads = 4, kRounds = 50;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) session.run({}, {}, {increment.name()});
    });
  for (std::thread& thread : threads) thread.join();
  const auto values = session.run({}, {read.name() + ":0"}, {});
  EXPECT_EQ(values[0].scalar_value<float>(), kThreads * kRounds);
}

TEST(Mutex, is_free_after_a_step_that_failed) {
  Guarded p;
  Node& fails = p.node(p.after(*p.lock.node), "Abort", {}, {{"error_msg", "on purpose"}});
  Node& consume = p.node(p.after(fails), "ConsumeMutexLock", {p.lock});
  Node& works = p.node(p.after(*p.node("MutexLock", {p.mutex}).output().node), "NoOp", {});
  Session session(p.graph);
  for (int i = 0; i < 3; ++i) {
    const Error error = thrown_by([&] { session.run({}, {}, {consume.name()}); });
    EXPECT_EQ(error.code(), Code::kAborted) << error.what();
    session.run({}, {}, {works.name()});
  }
}

TEST(Mutex, waiting_ends_with_the_step) {
  Guarded p;
  Node& second = p.node(p.after(*p.lock.node), "MutexLock", {p.mutex});
  Node& consume = p.node("ConsumeMutexLock", {second.output()});
  Node& last = p.node(p.after(consume), "ConsumeMutexLock", {p.lock});
  Session session(p.graph);
  RunOptions options;
  options.timeout_ms = 50;
  Node* const target = &last;
  const Error error = thrown_by([&] {
    session.run(std::span<const Feed>(), std::span<const Output>(), {&target, 1}, options);
  });
  EXPECT_TRUE(error.code() == Code::kDeadlineExceeded || error.code() == Code::kCancelled)
      << error.what();
  Node& works = p.node(p.after(*p.node("MutexLock", {p.mutex}).output().node), "NoOp", {});
  session.run({}, {}, {works.name()});
}

TEST(Mutex, what_is_no_lock_is_refused) {
  InternalProgram p;
  const Output list = p.node("EmptyTensorList", {-1, -1}, {{"element_dtype", DType::f32}}).output();
  Node& consume = p.node("ConsumeMutexLock", {list});
  const Output variable =
      p.node("VarHandleOp", {}, {{"dtype", DType::f32}, {"shape", PartialShape::scalar()}})
          .output();
  Node& lock = p.node("MutexLock", {variable});
  Session session(p.graph);
  EXPECT_EQ(thrown_by([&] { session.run({}, {}, {consume.name()}); }).code(),
            Code::kInvalidArgument);
  EXPECT_EQ(thrown_by([&] { session.run({}, {}, {lock.name()}); }).code(), Code::kInvalidArgument);
}

// --- several variables --------------------------------------------------------------------------

TEST(SeveralVariables, are_made_and_read_at_once) {
  InternalProgram p;
  const std::vector<DType> types{DType::f32, DType::i32};
  Node& handles = p.internal("_VarHandlesOp", {},
                             {{"N", 2},
                              {"containers", std::vector<std::string>{"", ""}},
                              {"shared_names", std::vector<std::string>{"a", "b"}},
                              {"dtypes", types},
                              {"shapes", std::vector<PartialShape>{{2}, PartialShape::scalar()}}});
  Node& values = p.internal("_ReadVariablesOp", {handles.output(0), handles.output(1)},
                            {{"N", 2}, {"dtypes", types}});
  EXPECT_EQ(values.output_shape(0), (PartialShape{2}));
  Node& a = p.node("AssignVariableOp", {handles.output(0), Tensor::vector<float>({1, 2})});
  Node& b = p.node("AssignVariableOp", {handles.output(1), 7});
  Session session(p.graph);
  const std::vector<std::string> fetches{values.name() + ":0", values.name() + ":1"};
  const Error error = thrown_by([&] { session.run({}, fetches, {}); });
  EXPECT_EQ(error.code(), Code::kFailedPrecondition);
  EXPECT_NE(error.message().find("were found uninitialized: a, b"), std::string::npos)
      << error.what();
  session.run({}, {}, {a.name(), b.name()});
  const auto got = session.run({}, fetches, {});
  EXPECT_TRUE(identical(got[0], Tensor::vector<float>({1, 2})));
  EXPECT_EQ(got[1].scalar_value<std::int32_t>(), 7);
}

// --- tensors in one -----------------------------------------------------------------------------

AttrMap allocator_attrs(std::int64_t room) {
  return {{"T", DType::f32}, {"shape", PartialShape{room}}, {"sa_name", "sa"}, {"id", 10}};
}

// Joins [1 2] and [[3 4 5]] in a tensor of `room` elements; gives the whole and the parts again.
std::vector<Tensor> joined(std::int64_t room) {
  InternalProgram p;
  const std::vector<PartialShape> shapes{{2}, {1, 3}};
  AttrMap attrs = allocator_attrs(room);
  attrs["shapes"] = shapes;
  attrs["expected_call_count"] = 2;
  Node& backing = p.internal("_ScopedAllocator", {}, attrs);
  const Output x = p.scope.constant(Tensor::vector<float>({1, 2}));
  const Output y = p.scope.constant(Tensor::of<float>({1, 3}, {3, 4, 5}));
  attrs = allocator_attrs(room);
  attrs["N"] = 2;
  Node& whole = p.internal("_ScopedAllocatorConcat", {backing.output(), x, y}, attrs);
  attrs.erase("shape");
  attrs["shapes"] = shapes;
  Node& parts = p.internal("_ScopedAllocatorSplit", {whole.output(), x, y}, attrs);
  const std::vector<Output> fetches{whole.output(), parts.output(0), parts.output(1)};
  return Session(p.graph).run({}, fetches);
}

TEST(ScopedAllocator, tensors_lie_where_tensorflow_puts_them) {
  const auto values = joined(32);
  ASSERT_EQ(values[0].element_count(), 32);
  EXPECT_EQ(values[0].data<float>()[1], 2);
  EXPECT_EQ(values[0].data<float>()[2], 0);
  EXPECT_EQ(values[0].data<float>()[16], 3);
  EXPECT_TRUE(identical(values[1], Tensor::vector<float>({1, 2})));
  EXPECT_TRUE(identical(values[2], Tensor::of<float>({1, 3}, {3, 4, 5})));
}

TEST(ScopedAllocator, tensors_lie_side_by_side_where_there_is_no_more_room) {
  const auto values = joined(5);
  EXPECT_TRUE(identical(values[0], Tensor::vector<float>({1, 2, 3, 4, 5})));
  EXPECT_TRUE(identical(values[2], Tensor::of<float>({1, 3}, {3, 4, 5})));
}

TEST(ScopedAllocator, what_does_not_fit_is_refused) {
  EXPECT_EQ(thrown_by([] { joined(4); }).code(), Code::kInvalidArgument);
}

// --- Abort --------------------------------------------------------------------------------------

TEST(Abort, ends_the_step_and_no_more) {
  for (const bool quietly : {false, true}) {
    InternalProgram p;
    Node& node = p.node("Abort", {}, {{"error_msg", "enough"}, {"exit_without_error", quietly}});
    const Error error = thrown_by([&] { Session(p.graph).run({}, {}, {node.name()}); });
    EXPECT_EQ(error.code(), Code::kAborted);
    EXPECT_NE(error.message().find("enough"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace rill

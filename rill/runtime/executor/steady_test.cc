// What a warm session must not do: allocate, depend on the number of threads, or slow down because
// its graph is large.
#include <gtest/gtest.h>

#include <algorithm>

#include <limits>
#include <set>
#include <thread>

#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/memory/heap_use.h"
#include "rill/runtime/session/session.h"

namespace rill {
namespace {

std::shared_ptr<Graph> new_graph() { return std::make_shared<Graph>(standard_ops()); }

Tensor ramp(Shape shape) {
  Tensor t(DType::f32, std::move(shape));
  int i = 0;
  for (float& value : t.flat<float>()) value = static_cast<float>(i++ * 37 % 100) / 50 - 1;
  return t;
}

struct Mlp {
  std::shared_ptr<Graph> graph = new_graph();
  Output x, y;
  Mlp() {
    Scope scope(*graph);
    x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
    Output h = x;
    for (const auto& [rows, columns] : {std::pair{784, 256}, {256, 256}, {256, 10}}) {
      h = scope.add("MatMul", {h, ramp({rows, columns})}).output();
      h = scope.add("Tanh", {h}).output();
    }
    y = scope.add("Sum", {h, Tensor::vector<std::int32_t>({0})}).output();
  }
};

TEST(Steady, a_warm_step_takes_no_memory_from_the_system) {
  Mlp mlp;
  Session session(mlp.graph, {.intra_op_threads = 1});
  const std::vector<Feed> feeds{{mlp.x, ramp({64, 784})}};
  std::vector<Tensor> kept;
  for (int i = 0; i < 3; ++i) session.run(feeds, {{mlp.y}});
  const AllocatorStats before = cpu_allocator().stats();
  for (int i = 0; i < 10; ++i) session.run(feeds, {{mlp.y}});
  const AllocatorStats after = cpu_allocator().stats();
  EXPECT_EQ(after.system_count, before.system_count);
  EXPECT_EQ(after.live_bytes, before.live_bytes);
}

TEST(Steady, the_same_bits_with_any_number_of_threads) {
  Mlp mlp;
  const std::vector<Feed> feeds{{mlp.x, ramp({333, 784})}};
  Session one(mlp.graph, {.intra_op_threads = 1});
  const Tensor expected = one.run(feeds, {{mlp.y}})[0];
  for (const int threads : {2, 8}) {
    Session session(mlp.graph, {.intra_op_threads = threads});
    for (int i = 0; i < 3; ++i)
      EXPECT_TRUE(identical(session.run(feeds, {{mlp.y}})[0], expected)) << threads;
  }
}

TEST(Steady, the_same_bits_with_passes_on_and_off) {
  Mlp mlp;
  const std::vector<Feed> feeds{{mlp.x, ramp({16, 784})}};
  Session with(mlp.graph);
  Session without(mlp.graph, {.fold = false, .share = false, .simplify = false});
  EXPECT_TRUE(identical(with.run(feeds, {{mlp.y}})[0], without.run(feeds, {{mlp.y}})[0]));
}

TEST(Steady, numbers_too_small_for_full_precision_are_zeros_on_every_thread) {
  auto graph = new_graph();
  Scope scope(*graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
  const Output product = scope.add("Mul", {x, 0.5f}).output();
  const Output folded = scope.add("Mul", {1e-40f, 0.5f}).output();
  Tensor small(DType::f32, {1 << 20});
  std::ranges::fill(small.flat<float>(), std::numeric_limits<float>::min());
  for (const int threads : {1, 4}) {
    Session session(graph, {.intra_op_threads = threads});
    const auto values = session.run(std::vector<Feed>{{x, small}}, {{product, folded}});
    EXPECT_TRUE(std::ranges::all_of(values[0].flat<float>(), [](float y) { return y == 0; }));
    EXPECT_EQ(values[1].flat<float>()[0], 0.0f);
  }
  // The caller's own arithmetic is as it was.
  volatile float least = std::numeric_limits<float>::min();
  EXPECT_GT(least * 0.5f, 0.0f);
}

TEST(Steady, threads_share_a_session) {
  Mlp mlp;
  Session session(mlp.graph, {.intra_op_threads = 2});
  std::vector<Tensor> inputs, expected;
  for (int i = 0; i < 4; ++i) {
    inputs.push_back(ramp({8 + i, 784}));
    expected.push_back(session.run(std::vector<Feed>{{mlp.x, inputs.back()}}, {{mlp.y}})[0]);
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < inputs.size(); ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i)
        wrong += !identical(session.run(std::vector<Feed>{{mlp.x, inputs[t]}}, {{mlp.y}})[0],
                            expected[t]);
    });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(Steady, unordered_reads_see_whole_writes) {
  auto graph = new_graph();
  Scope scope(*graph);
  const Output v =
      scope.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{1000}}}, "v")
          .output();
  const Output one = scope.constant(Tensor::of<float>({1000}, std::vector<float>(1000, 1.0f)));
  Node& init = scope.add("Assign", {v, one});
  Node& add = scope.add("AssignAdd", {v, one});
  const Output read = scope.add("Identity", {v}).output();
  Session session(graph);
  session.run({}, {}, std::vector<Node*>{&init});
  std::thread writer([&] {
    for (int i = 0; i < 500; ++i) session.run({}, {}, std::vector<Node*>{&add});
  });
  for (int i = 0; i < 500; ++i) {
    const auto values = session.run({}, {{read}})[0].flat<float>();
    EXPECT_TRUE(std::ranges::all_of(values, [&](float x) { return x == values[0]; }));
  }
  writer.join();
}

TEST(Steady, a_heavy_fan_runs_in_dataflow_order_with_the_same_result) {
  auto graph = new_graph();
  Scope scope(*graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
  std::vector<Input> branches;
  for (int i = 0; i < 6; ++i)
    branches.push_back(scope.add("MatMul", {x, ramp({256, 256})}).output());
  // Equal branches would become one, so that each differs in its input.
  for (int i = 0; i < 6; ++i) {
    const Output shifted = scope.add("AddV2", {x, static_cast<float>(i)}).output();
    branches.push_back(scope.add("MatMul", {shifted, ramp({256, 256})}).output());
  }
  const Output sum = scope.add("AddN", {branches}).output();
  const std::vector<Feed> feeds{{x, ramp({256, 256})}};
  Session in_order(graph, {.intra_op_threads = 1}), spread(graph, {.intra_op_threads = 4});
  const Tensor expected = in_order.run(feeds, {{sum}})[0];
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(identical(spread.run(feeds, {{sum}})[0], expected));
}

// Branches and what runs inside kernels share one pool: a session never has more threads than it
// was told, whatever runs side by side.
TEST(Steady, branches_and_kernels_share_the_threads) {
  auto graph = new_graph();
  Scope scope(*graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
  std::vector<Input> branches;
  for (int i = 0; i < 8; ++i) {
    const Output shifted = scope.add("AddV2", {x, static_cast<float>(i)}).output();
    branches.push_back(scope.add("MatMul", {shifted, ramp({256, 256})}).output());
  }
  const Output sum = scope.add("AddN", {branches}).output();
  const std::vector<Feed> feeds{{x, ramp({512, 256})}};
  Session session(graph, {.intra_op_threads = 3, .inter_op_threads = 8});
  std::set<std::uint32_t> threads;
  for (int i = 0; i < 20; ++i) {
    StepStats stats;
    session.run(feeds, {{sum}}, {}, {.trace = true}, &stats);
    for (const NodeStats& node : stats.nodes) threads.insert(node.thread);
  }
  EXPECT_LE(threads.size(), 3u);
}

// A walk over the whole graph would need room that grows with it.
TEST(Steady, a_new_node_costs_the_same_in_a_large_graph) {
  const auto requests = [](int node_count) {
    auto graph = new_graph();
    Scope scope(*graph);
    for (int i = 0; i < node_count; ++i) scope.constant(Tensor::scalar(1.0f));
    Session session(graph);
    session.run({}, {{graph->node(0).output()}});
    std::vector<HeapUse> uses;
    for (int i = 0; i < 20; ++i) {
      const Output fresh = scope.add("Neg", {graph->node(i).output()}).output();
      const HeapUse before = heap_use();
      session.run({}, {{fresh}});
      const HeapUse after = heap_use();
      uses.push_back({after.count - before.count, after.bytes - before.bytes});
    }
    return std::ranges::min(uses, {}, &HeapUse::bytes);  // tables of the session grow now and then
  };
  const HeapUse small = requests(100), large = requests(100'000);
  EXPECT_GT(small.count, 0);
  EXPECT_EQ(small.count, large.count);
  EXPECT_EQ(small.bytes, large.bytes);
}

TEST(Steady, out_of_memory_lists_the_largest_tensors) {
  auto graph = new_graph();
  Scope scope(*graph);
  const Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
  const Output big = scope.add("Tanh", {x}, {}, "big").output();
  const Output product =
      scope.add("MatMul", {big, big}, {{"transpose_a", true}}, "product").output();
  const Output weights =
      scope.add("VariableV2", {}, {{"dtype", DType::f32}, {"shape", PartialShape{7}}}, "weights")
          .output();
  Session session(graph);
  session.run({}, {}, std::vector<Node*>{&scope.add("Assign", {weights, ramp({7})})});
  const Tensor value = ramp({1, 4000});
  cpu_allocator().set_limit(cpu_allocator().stats().live_bytes + (1 << 20));
  try {
    session.run(std::vector<Feed>{{x, value}}, {{product}});
    ADD_FAILURE() << "the limit was ignored";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kResourceExhausted);
    for (const char* part : {"OOM when allocating tensor with shape[4000,4000] and type float",
                             "16000 bytes: big:0 float[1,4000]",
                             "28 bytes: variable weights, float[7]", "[[node product"})
      EXPECT_NE(error.message().find(part), std::string::npos) << part << " in " << error.message();
  }
  cpu_allocator().set_limit(0);
}

}  // namespace
}  // namespace rill

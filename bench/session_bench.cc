// Session overhead from C++: what a step costs beside its kernels.
#include <benchmark/benchmark.h>

#include "rill/graph/graph_def.h"
#include "rill/graph/scope.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

constexpr int kNodes = 1000;

struct Program {
  std::shared_ptr<Graph> graph = std::make_shared<Graph>(standard_ops());
  Scope scope{*graph};
  Output x = scope.add("Placeholder", {}, {{"dtype", DType::f32}}, "x").output();
};

void noop_run(benchmark::State& state) {
  Program p;
  Node* const noop = &p.scope.add("NoOp", {});
  Session session(p.graph);
  for (auto _ : state) session.run({}, {}, {&noop, 1});
}
BENCHMARK(noop_run)->Name("noop_run");

void run_adds(benchmark::State& state, Program& p, Output fetch) {
  Session session(p.graph);
  const Callable step = session.make_callable({{p.x}}, {{fetch}});
  const std::vector<Tensor> feeds{Tensor::scalar(1.0f)};
  for (auto _ : state) step(feeds);
  state.counters["ns_per_node"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kNodes,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void add_chain(benchmark::State& state) {
  Program p;
  Output y = p.x;
  for (int i = 0; i < kNodes; ++i) y = p.scope.add("AddV2", {y, p.x}).output();
  run_adds(state, p, y);
}
BENCHMARK(add_chain)->Name("add_chain_1000");

void add_fan(benchmark::State& state) {
  Program p;
  std::vector<Input> leaves;
  for (int i = 0; i < kNodes; ++i)
    leaves.push_back(p.scope.add("AddV2", {p.x, static_cast<float>(i)}).output());
  run_adds(state, p, p.scope.add("AddN", {leaves}).output());
}
BENCHMARK(add_fan)->Name("add_fan_1000");

void import_graph(benchmark::State& state) {
  Program p;
  Output y = p.x;
  while (p.graph->node_count() < 10'000) y = p.scope.add("AddV2", {y, p.x}).output();
  const tensorflow::GraphDef def = export_graph_def(*p.graph);
  for (auto _ : state) {
    Graph fresh(standard_ops());
    import_graph_def(fresh, def);
  }
}
BENCHMARK(import_graph)->Name("import_10000_nodes")->Unit(benchmark::kMillisecond);

void new_node(benchmark::State& state) {
  Program p;
  const Output one = p.scope.constant(Tensor::scalar(1.0f));
  while (p.graph->node_count() < state.range(0)) p.scope.add("Neg", {one});
  Session session(p.graph);
  for (auto _ : state) {
    state.PauseTiming();
    const Output fresh = p.scope.add("Neg", {one}).output();
    state.ResumeTiming();
    session.run({}, {{fresh}});
  }
}
BENCHMARK(new_node)->Name("new_node_in_graph")->Arg(100)->Arg(100'000)->Iterations(2000);

}  // namespace
}  // namespace rill

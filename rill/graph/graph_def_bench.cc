#include <benchmark/benchmark.h>

#include "rill/graph/graph_def.h"
#include "rill/graph/test_ops.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

// A constant and a chain of Adds, in layers of scopes as programs have them.
tensorflow::GraphDef chain(int count) {
  Graph graph(testing::test_registry());
  Output last = graph
                    .add({.op = "Const",
                          .name = "c",
                          .attrs = {{"dtype", DType::f32}, {"value", Tensor::scalar(1.0f)}}})
                    .output();
  const Output first = last;
  for (int i = 1; i < count; ++i)
    last = graph
               .add({.op = "Add",
                     .name = str_cat("layer_", i / 20, "/add_", i),
                     .inputs = {last, first}})
               .output();
  return export_graph_def(graph);
}

void import_graph_def(benchmark::State& state) {
  const tensorflow::GraphDef def = chain(static_cast<int>(state.range(0)));
  for (auto _ : state) {
    Graph graph(testing::test_registry());
    benchmark::DoNotOptimize(rill::import_graph_def(graph, def));
  }
}
BENCHMARK(import_graph_def)->Name("graph/import")->Arg(10'000)->Unit(benchmark::kMillisecond);

void export_graph_def(benchmark::State& state) {
  Graph graph(testing::test_registry());
  rill::import_graph_def(graph, chain(static_cast<int>(state.range(0))));
  for (auto _ : state) benchmark::DoNotOptimize(rill::export_graph_def(graph));
}
BENCHMARK(export_graph_def)->Name("graph/export")->Arg(10'000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rill

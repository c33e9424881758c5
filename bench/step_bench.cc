// What one warm step of a small graph costs; done once each, so that tests can count the
// instructions (tests/python/test_step_instructions.py).
#include <benchmark/benchmark.h>

#include "rill/runtime/session/growth_testing.h"

namespace rill {
namespace {

[[gnu::noinline]] void measured_work(const growth::Work& work) { work(); }

// The plain form of a run; those that take structures cost a list or two more.
void run_step(Session& session, const Feed& feed, const Output& fetch) {
  session.run(std::span(&feed, 1), std::span(&fetch, 1));
}

growth::Work noop() {
  const auto p = growth::new_program();
  Node* const nothing = &p->scope.add("NoOp", {});
  p->session = std::make_unique<Session>(p->graph, growth::inline_session());
  return [p, nothing] { p->session->run({}, {}, std::span(&nothing, 1)); };
}

growth::Work add() {
  const auto p = growth::new_program();
  const Output y = p->op("AddV2", {p->x, 1.0f});
  const Tensor one = Tensor::scalar(1.0f);
  p->session = std::make_unique<Session>(p->graph, growth::inline_session());
  return [p, y, one] { run_step(*p->session, {p->x, one}, y); };
}

// Three layers of few units, so that the step is more than its products.
growth::Work perceptron() {
  const auto p = growth::new_program();
  const Output x = p->placeholder(DType::f32, PartialShape{-1, 8}, "rows");
  Output y = x;
  for (int layer = 0; layer < 3; ++layer) {
    const Tensor weights = Tensor::zeros(DType::f32, {8, 8}), bias = Tensor::zeros(DType::f32, {8});
    y = p->op("Relu", {p->op("BiasAdd", {p->op("MatMul", {y, weights}), bias})});
  }
  const Tensor rows = Tensor::zeros(DType::f32, {4, 8});
  p->session = std::make_unique<Session>(p->graph, growth::inline_session());
  return [p, x, y, rows] { run_step(*p->session, {x, rows}, y); };
}

// A hundred nodes, none of which is fused with another, with and without statistics of them.
growth::Work chain(bool is_traced) {
  const auto p = growth::new_program();
  const Output x = p->placeholder(DType::f32, PartialShape{-1}, "row");
  Output y = x;
  for (int i = 0; i < 50; ++i) y = p->op("Sin", {p->op("Cumsum", {y, 0})});
  const Tensor one = Tensor::vector<float>({1});
  p->session = std::make_unique<Session>(p->graph, growth::inline_session());
  return [p, x, y, one, is_traced] {
    const Feed feed{x, one};
    StepStats stats;
    p->session->run(std::span(&feed, 1), std::span(&y, 1), {}, {.trace = is_traced},
                    is_traced ? &stats : nullptr);
  };
}

void measure(benchmark::State& state, growth::Work (*prepare)()) {
  const growth::Work work = prepare();
  for (int i = 0; i < 5; ++i) work();
  for (auto _ : state) measured_work(work);
}
BENCHMARK_CAPTURE(measure, noop, noop)->Name("step/noop")->Iterations(1);
BENCHMARK_CAPTURE(measure, add, add)->Name("step/add")->Iterations(1);
BENCHMARK_CAPTURE(measure, chain, [] { return chain(false); })->Name("step/chain")->Iterations(1);
BENCHMARK_CAPTURE(measure, traced, [] { return chain(true); })->Name("step/traced")->Iterations(1);
BENCHMARK_CAPTURE(measure, perceptron, perceptron)->Name("step/perceptron")->Iterations(1);

}  // namespace
}  // namespace rill

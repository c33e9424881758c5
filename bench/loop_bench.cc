// What one round of a loop costs, from C++.
#include <benchmark/benchmark.h>

#include "rill/runtime/executor/loop_testing.h"

namespace rill {
namespace {

using Values = LoopProgram::Values;

constexpr int kRounds = 100'000;

void run_rounds(benchmark::State& state, LoopProgram& p, Output limit, Output fetch, int rounds) {
  Session session(p.graph);
  const Callable step = session.make_callable({{limit}}, {{fetch}});
  const std::vector<Tensor> feeds{Tensor::scalar<std::int32_t>(rounds)};
  for (auto _ : state) step(feeds);
  state.counters["ns_per_round"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * rounds,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

Output zero(LoopProgram& p) { return p.scope.constant(Tensor::scalar<std::int32_t>(0)); }

// i < n; i + 1
void scalar_loop(benchmark::State& state) {
  LoopProgram p;
  const Output limit = p.placeholder(DType::i32, {}, "limit");
  const Output i = p.loop(
      "loop", {zero(p)},
      [&](const Values& v) {
        return p.op("Less", {v[0], v[1]});
      },
      [&](const Values& v) {
        return Values{p.op("AddV2", {v[0], 1})};
      },
      {.invariants = {limit}})[0];
  run_rounds(state, p, limit, i, kRounds);
}
BENCHMARK(scalar_loop)->Name("while_100000")->Unit(benchmark::kMillisecond);

// A branch in every round.
void branch_loop(benchmark::State& state) {
  LoopProgram p;
  const Output limit = p.placeholder(DType::i32, {}, "limit");
  const Output i = p.loop(
      "loop", {zero(p)},
      [&](const Values& v) {
        return p.op("Less", {v[0], v[1]});
      },
      [&](const Values& v) {
        return Values{p.cond(
            p.op("Less", {v[0], 1000}), v[0],
            [&](Output x) {
              return p.op("AddV2", {x, 1});
            },
            [&](Output x) {
              return p.op("Sub", {x, -1});
            })};
      },
      {.invariants = {limit}})[0];
  run_rounds(state, p, limit, i, kRounds);
}
BENCHMARK(branch_loop)->Name("while_cond_100000")->Unit(benchmark::kMillisecond);

// A loop of ten rounds in every round.
void nested_loop(benchmark::State& state) {
  LoopProgram p;
  const Output limit = p.placeholder(DType::i32, {}, "limit");
  const Output i = p.loop(
      "outer", {zero(p)},
      [&](const Values& v) {
        return p.op("Less", {v[0], v[1]});
      },
      [&](const Values& v) {
        const Output start = p.op("Mul", {v[0], 0});
        const Output inner = p.loop(
            "inner", {start},
            [&](const Values& w) {
              return p.op("Less", {w[0], 10});
            },
            [&](const Values& w) {
              return Values{p.op("AddV2", {w[0], 1})};
            })[0];
        return Values{p.op("AddV2", {v[0], p.op("Sub", {inner, 9})})};
      },
      {.invariants = {limit}})[0];
  run_rounds(state, p, limit, i, kRounds / 10);
}
BENCHMARK(nested_loop)->Name("while_nested_10000x10")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rill

// Ops that only move memory, beside copying as much of it.
#include <cstring>

#include "bench/interleaved.h"
#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

constexpr std::int64_t kSide = 4096;  // 64 MiB a matrix: no cache holds one
constexpr std::size_t kBytes = kSide * kSide * sizeof(float);

KernelRunner element_wise(const char* op, int inputs, int threads) {
  return KernelRunner(op, {{"T", DType::f32}},
                      std::vector<DType>(static_cast<std::size_t>(inputs), DType::f32),
                      {DType::f32}, threads);
}

void memory_bound(benchmark::State& state) {
  const auto threads = static_cast<int>(state.range(0));
  const Tensor x(DType::f32, {kSide, kSide}), y(DType::f32, {kSide, kSide}),
      z(DType::f32, {kSide, kSide});
  for (const Tensor& t : {x, y, z}) std::ranges::fill(t.flat<float>(), 1.0f);
  const Tensor total(DType::f32, {}), column(DType::f32, {kSide}), row(DType::f32, {kSide});
  Tensor both(DType::i32, {2}), first(DType::i32, {1}), last(DType::i32, {1}),
      turned(DType::i32, {2});
  both.data<std::int32_t>()[0] = first.data<std::int32_t>()[0] = 0;
  both.data<std::int32_t>()[1] = last.data<std::int32_t>()[0] = 1;
  turned.data<std::int32_t>()[0] = 1;
  turned.data<std::int32_t>()[1] = 0;

  KernelRunner add = element_wise("AddV2", 2, threads), relu = element_wise("Relu", 1, threads);
  KernelRunner sum("Sum", {{"T", DType::f32}, {"Tidx", DType::i32}, {"keep_dims", false}},
                   {DType::f32, DType::i32}, {DType::f32}, threads);
  KernelRunner transpose("Transpose", {{"T", DType::f32}, {"Tperm", DType::i32}},
                         {DType::f32, DType::i32}, {DType::f32}, threads);
  ThreadPool pool(threads);
  const auto copy = [&] {
    pool.parallel_for(kBytes, kBytes / 16, [&](std::size_t begin, std::size_t end) {
      std::memcpy(static_cast<char*>(z.raw_data()) + begin,
                  static_cast<const char*>(x.raw_data()) + begin, end - begin);
    });
  };
  const std::vector<Rival> rivals{{"copy", copy},
                                  {"relu", [&] { relu.run({x}, {z}); }},
                                  {"add",
                                   [&] {
                                     add.run({x, y}, {z});
                                   }},
                                  {"sum_all",
                                   [&] {
                                     sum.run({x, both}, {total});
                                   }},
                                  {"sum_rows",
                                   [&] {
                                     sum.run({x, first}, {row});
                                   }},
                                  {"sum_columns",
                                   [&] {
                                     sum.run({x, last}, {column});
                                   }},
                                  {"transpose", [&] {
                                     transpose.run({x, turned}, {z});
                                   }}};
  const double moved[] = {2, 2, 3, 1, 1, 1, 2};  // matrices read and written
  const auto best = interleave(state, threads, rivals);
  const double copying = moved[0] / best[0];
  state.counters["copy_GB_s"] = copying * static_cast<double>(kBytes) / 1e9;
  for (std::size_t i = 1; i < best.size(); ++i)
    state.counters[rivals[i].name + "_of_copy"] = moved[i] / best[i] / copying;
}
BENCHMARK(memory_bound)
    ->Name("yardstick_bandwidth")
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->Iterations(40)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rill

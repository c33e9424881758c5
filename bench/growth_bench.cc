// What grows with the number of nodes, feeds, variables, extensions, rounds and threads: times for
// three orders of magnitude. Done once each, so that tests can count the instructions.
#include <benchmark/benchmark.h>

#include "rill/runtime/session/growth_testing.h"

namespace rill {
namespace {

// A name by which the instructions of the work alone are counted.
[[gnu::noinline]] void measured_work(const growth::Work& work) { work(); }

void measure(benchmark::State& state, const growth::Case& one) {
  const auto n = static_cast<int>(state.range(0));
  const growth::Work work = one.prepare(n);
  for (auto _ : state) measured_work(work);
  state.counters["ns_for_each"] = benchmark::Counter(
      static_cast<double>(n), benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

// n threads run one session, as often all together.
void threads(benchmark::State& state) {
  constexpr int kRuns = 10'000;
  const auto n = static_cast<int>(state.range(0));
  growth::Program p;
  const Output y = p.chain(50);
  Session session(p.graph, growth::inline_session());
  const std::vector<Feed> given{{p.x, Tensor::scalar(1.0f)}};
  session.run(y, given);
  for (auto _ : state) {
    std::vector<std::thread> running;
    for (int i = 0; i < n; ++i)
      running.emplace_back([&] {
        for (int run = 0; run < kRuns / n; ++run) session.run(y, given);
      });
    for (std::thread& one : running) one.join();
  }
}

const bool registered = [] {
  for (const growth::Case& one : growth::kCases) {
    auto* const made =
        benchmark::RegisterBenchmark((std::string("growth/") + one.name).c_str(),
                                     [&one](benchmark::State& state) { measure(state, one); });
    made->RangeMultiplier(10)->Range(std::max(1, one.largest / 1000), one.largest)->Iterations(1);
  }
  benchmark::RegisterBenchmark("growth/threads", threads)
      ->RangeMultiplier(10)
      ->Range(1, 1000)
      ->Iterations(1);
  return true;
}();

}  // namespace
}  // namespace rill

#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <functional>
#include <string>
#include <vector>

namespace rill {

// One way to do some work.
struct Rival {
  std::string name;
  std::function<void()> run;
};

// Seconds; with one thread those that the process had a processor for, which other programs disturb
// less.
inline double bench_clock(int threads) {
  timespec t;
  clock_gettime(threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Runs all rivals in turn in every round; the best deciles become counters `<name>_us`. Returns
// them in seconds.
inline std::vector<double> interleave(benchmark::State& state, int threads,
                                      const std::vector<Rival>& rivals) {
  std::vector<std::vector<double>> times(rivals.size());
  for (const Rival& rival : rivals) rival.run();  // compiles, fills caches
  for (auto _ : state)
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      const double begin = bench_clock(threads);
      rivals[i].run();
      times[i].push_back(bench_clock(threads) - begin);
    }
  std::vector<double> best;
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    std::ranges::sort(times[i]);
    best.push_back(times[i][times[i].size() / 10]);
    state.counters[rivals[i].name + "_us"] = best.back() * 1e6;
  }
  return best;
}

}  // namespace rill

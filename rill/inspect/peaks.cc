#include "rill/inspect/peaks.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "rill/base/clock.h"
#include "rill/base/thread_pool.h"
#include "rill/inspect/peak_loops.h"

namespace rill::inspect {
namespace {

constexpr std::int64_t kWindow = 70'000'000;  // nanoseconds for each figure
constexpr int kMinRounds = 5;

// The best rate of `round`, which returns how much it did, over as many rounds as fit.
template <class Round>
double best_rate(const Round& round) {
  round();  // wakes the threads, touches the memory
  double best = 0;
  const std::int64_t end = monotonic_nanos() + kWindow;
  for (int i = 0; i < kMinRounds || monotonic_nanos() < end; ++i) {
    const std::int64_t begin = monotonic_nanos();
    const double done = round();
    const auto nanos = static_cast<double>(std::max<std::int64_t>(1, monotonic_nanos() - begin));
    best = std::max(best, done / nanos * 1e9);
  }
  return best;
}

std::atomic<float> kept{0};  // what the loops compute is wanted by somebody

template <class T>
double measured_flops(ThreadPool& pool, double (*fmas)(std::size_t, T*)) {
  constexpr std::size_t kRounds = 20'000;
  const auto threads = static_cast<std::size_t>(pool.thread_count());
  return best_rate([&] {
    std::atomic<double> flops{0};
    pool.parallel_for(threads, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) {
        T keep = 0;
        flops += fmas(kRounds, &keep);
        kept = static_cast<float>(keep);
      }
    });
    return flops.load();
  });
}

// Three arrays of `bytes` for each thread, a piece of them in each round: short rounds are seldom
// interrupted.
double bandwidth_of(ThreadPool& pool, std::size_t bytes, std::size_t piece_bytes, int repeats) {
  const auto threads = static_cast<std::size_t>(pool.thread_count());
  const std::size_t count = bytes / sizeof(float), piece = piece_bytes / sizeof(float);
  std::vector<std::vector<float>> memory(threads, std::vector<float>(3 * count, 1.0f));
  std::size_t at = 0;
  return best_rate([&] {
    pool.parallel_for(threads, 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        for (int repeat = 0; repeat < repeats; ++repeat) {
          float* const a = memory[i].data() + at;
          add_arrays(a, a + count, a + 2 * count, piece);
        }
    });
    at = (at + piece) % count;
    return 3.0 * static_cast<double>(piece_bytes) * repeats * static_cast<double>(threads);
  });
}

}  // namespace

Peaks measure_peaks(int threads) {
  if (threads <= 0) threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  ThreadPool pool(threads);
  Peaks peaks{.threads = threads};
  peaks.float_flops = measured_flops<float>(pool, float_fmas);
  peaks.double_flops = measured_flops<double>(pool, double_fmas);
  peaks.cache_bytes = bandwidth_of(pool, 256 << 10, 256 << 10, 4);
  peaks.memory_bytes = bandwidth_of(pool, 32 << 20, 2 << 20, 1);
  return peaks;
}

}  // namespace rill::inspect

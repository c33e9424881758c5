#pragma once

namespace rill::inspect {

// What the machine can do at most, measured with as many threads as were asked for. Flops are
// multiplications and additions in fused instructions without a single load; bytes are those read
// and written by an addition of two arrays that fit into the caches, or do not.
struct Peaks {
  int threads = 0;
  double float_flops = 0, double_flops = 0;  // per second
  double cache_bytes = 0, memory_bytes = 0;  // per second
  static constexpr double kCached = 4e6;     // work on at most so many bytes is called cached
};

// Takes about 0.3 seconds. 0 threads: one for each core.
Peaks measure_peaks(int threads = 0);

}  // namespace rill::inspect

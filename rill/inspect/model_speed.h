#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rill/inspect/benched_model.h"

namespace rill::inspect {

struct SpeedWishes {
  double seconds = 1;   // of measuring, for the latency and for each number of threads
  int max_threads = 0;  // that ask at once; 0: as many as there are cores
};

// Seconds from the question to the answer, one question after the other.
struct Latency {
  int runs = 0;
  double best = 0, p50 = 0, p90 = 0, p99 = 0, mean = 0;
};
// Of times in any order. Throws InvalidArgument without any.
Latency latency_of(std::vector<double> seconds);

struct Throughput {
  int threads = 0;  // that ask at once
  double runs_per_second = 0;
};

// Bytes that the process has in memory.
struct MemoryUse {
  std::int64_t loaded = 0;  // with the model, before the first question
  std::int64_t after = 0;   // at the end
  std::int64_t peak = 0;    // the most at any time
};
std::int64_t resident_memory();
std::int64_t peak_memory();

struct ModelSpeed {
  std::int64_t batch = 0;    // examples in a question; 1 where inputs have no first dimension
  double first_seconds = 0;  // of the first answer, for which the step is compiled
  Latency latency;
  std::vector<Throughput> throughput;  // by threads, 1, 2, 4 ... and the most
  MemoryUse memory;
};
ModelSpeed measure_speed(const BenchedModel& model, std::span<const Tensor> feeds,
                         const SpeedWishes& wishes = {});

std::string to_text(const ModelSpeed& speed);
std::string to_json(const ModelSpeed& speed);

}  // namespace rill::inspect

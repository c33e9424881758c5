#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string_view>

namespace rill {

// What a process that uses Rill has done so far. It lies in memory that other processes may read, a
// small file of the user's, so that `rill top` and Prometheus see it without the process noticing;
// RILL_FIGURES=off keeps it to the process itself. Counting costs an addition.

// Nanoseconds that something took, and how often.
struct TimeFigure {
  std::atomic<std::int64_t> count = 0, nanos = 0;
  void add(std::int64_t took_nanos, std::int64_t times = 1) {
    count.fetch_add(times, std::memory_order_relaxed);
    nanos.fetch_add(took_nanos, std::memory_order_relaxed);
  }
};

// One stage of an input pipeline: how long it was at work itself, not counting the stages before it
// and waiting. Measured by samples.
struct StageFigure {
  static constexpr std::size_t kNameBytes = 64;
  std::array<char, kNameBytes> name = {};
  TimeFigure work;
  std::atomic<std::int64_t> width = 1;  // how many threads work for it at most
};

struct ProcessFigures {
  static constexpr std::uint64_t kFormat = 0x31304746'4c4c4952;  // "RILLFG01"
  static constexpr std::size_t kStages = 32, kBuckets = 40;

  // Written last; readers look for it first.
  std::atomic<std::uint64_t> format = 0;
  std::int64_t pid = 0, start_micros = 0;
  std::array<char, 192> command = {};

  TimeFigure steps;  // of Session::run and the like
  std::atomic<std::int64_t> failed_steps = 0;
  // Steps of less than 2^i microseconds that are in no bucket before.
  std::array<std::atomic<std::int64_t>, kBuckets> step_buckets = {};
  TimeFigure input_waits;  // of steps for the next element of an iterator or a queue
  TimeFigure queue_waits;  // of what fills queues, for room, and of other waits
  std::atomic<std::int64_t> live_bytes = 0, peak_bytes = 0;  // of tensors on the CPU
  std::atomic<std::int64_t> stage_count = 0;
  std::array<StageFigure, kStages> stages = {};

  // A step that stands for `times` like it.
  void add_step(std::int64_t nanos, std::int64_t times);
  // The stage of that name, which stays where it is; the last one stands for all that are too many.
  StageFigure& stage(std::string_view name);
};

// Of this process. Never fails: where no file can be made, nobody else sees them.
ProcessFigures& process_figures();

}  // namespace rill

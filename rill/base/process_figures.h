#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// What another process shows, as it was when it was read.
struct ShownFigures {
  struct Time {
    std::int64_t count = 0;
    double seconds = 0;
  };
  struct Stage {
    std::string name;
    Time work;
    std::int64_t width = 1;
    // The least that it takes for its elements with all its threads.
    double least_seconds() const { return work.seconds / static_cast<double>(width); }
  };
  std::int64_t pid = 0, start_micros = 0;
  std::string command;
  Time steps, input_waits, queue_waits;
  std::int64_t failed_steps = 0, live_bytes = 0, peak_bytes = 0;
  std::vector<std::int64_t> step_buckets;
  std::vector<Stage> stages;
  // From /proc; 0 where that does not tell.
  double cpu_seconds = 0;
  std::int64_t resident_bytes = 0, threads = 0;
};
ShownFigures shown(const ProcessFigures& figures);
// Of all processes of this user that run now, the oldest first. What ended ones left is removed.
std::vector<ShownFigures> figures_of_processes();
// What the files lie in.
std::string figures_directory();

}  // namespace rill

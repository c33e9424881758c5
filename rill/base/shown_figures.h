#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rill/base/process_figures.h"

namespace rill {

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

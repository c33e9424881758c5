#pragma once

#include <span>
#include <string>

#include "rill/base/process_figures.h"

namespace rill::inspect {

// What a process did between two looks at it, or since it began.
struct Activity {
  std::int64_t pid = 0;
  std::string command;
  double seconds = 0;     // that this is about
  double up_seconds = 0;  // since it began
  std::int64_t steps = 0, all_steps = 0, failed_steps = 0;
  double step_seconds = 0;                      // of one, on the average
  double median_seconds = 0, slow_seconds = 0;  // half and 99 % of the steps took less
  double input_share = 0;     // of the time in which steps waited for input; 1 is all of it
  double queue_share = 0;     // in which something waited at a queue for other reasons
  double cpu_share = 0;       // 1 is one core
  std::string slowest_stage;  // of the input pipeline; "" where there is none
  std::int64_t live_bytes = 0, peak_bytes = 0, resident_bytes = 0, threads = 0;
};
Activity activity(const ShownFigures& now, std::int64_t now_micros);
Activity activity(const ShownFigures& before, const ShownFigures& now, double seconds);

// A table, a line or two for each.
std::string to_text(std::span<const Activity> processes);
// All figures in Prometheus' text form, with the label pid.
std::string prometheus_text(std::span<const ShownFigures> processes);

}  // namespace rill::inspect

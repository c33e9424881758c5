#pragma once

#include <cstdint>
#include <vector>

#include "rill/base/clock.h"
#include "rill/runtime/step/step_stats.h"
#include "rill/tensor/allocation_count.h"

namespace rill {

class Plan;
struct NodeValues;
struct PlanNode;

// When a node that is traced began, kept by whoever runs it until it has ended.
struct NodeBegin {
  std::int64_t scheduled_nanos = 0;  // 0: when the nodes before it had ended
  std::int64_t start_nanos = 0, kernel_nanos = 0, thread_bytes = 0;

  // Its kernel comes next: its outputs have their storage.
  void prepared() {
    if (start_nanos == 0) return;
    kernel_nanos = monotonic_nanos();
    thread_bytes = cpu_bytes_of_thread();
  }
};

// What executors note of a step that is traced: numbers and pointers only, so that the step is
// slowed down as little as can be. Texts are those of its plans, which must still be there when it
// is moved to statistics.
class StepTrace {
 public:
  // Before a node runs, where there is a trace.
  static NodeBegin begin(const StepTrace* trace, std::int64_t scheduled_nanos = 0) {
    return trace == nullptr ? NodeBegin() : NodeBegin{scheduled_nanos, monotonic_nanos()};
  }
  // After the node's kernel has run.
  void note(const Plan& plan, const PlanNode& node, const NodeValues& values,
            const NodeBegin& begin);
  void append(StepTrace other);
  // Adds what was noted to `stats` and forgets it.
  void move_to(StepStats& stats);

 private:
  struct Entry {
    const Plan* plan;
    std::uint32_t node;  // of the plan
    std::uint32_t run;   // of a plan: functions may run often in a step
    std::uint32_t thread, output_count;
    std::int64_t scheduled_nanos, start_nanos, kernel_nanos, end_nanos;
    std::int64_t allocator_in_use, temporary_bytes;
  };
  using Entries = std::vector<Entry>;
  static void schedule(std::span<Entry> run, std::vector<std::int64_t>& ready);
  void schedule_all();

  Entries entries_;
  std::vector<NodeStats::OutputStats> outputs_;  // of all entries, one after the other
  std::uint32_t runs_ = 1;
};

// Of a step that ran nothing, where everything was folded: who reads statistics still expects a
// device.
void add_source(StepStats& stats, const std::string& device);

}  // namespace rill

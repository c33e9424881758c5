#pragma once

#include <cstdint>
#include <vector>

#include "rill/runtime/step/step_stats.h"
#include "rill/tensor/shape.h"

namespace rill {

class Allocator;
struct NodeValues;
struct PlanNode;

// What executors note of a step that is traced: numbers and pointers only, so that the step is
// slowed down as little as can be. The texts are made once it is over, while its plans are still
// there.
class StepTrace {
 public:
  // After the node's kernel has run.
  void note(const PlanNode& node, const NodeValues& values, std::int64_t start_nanos);
  void append(StepTrace other);
  // Adds what was noted to `stats` and forgets it.
  void move_to(StepStats& stats);

 private:
  struct Entry {
    const PlanNode* node;
    const Allocator* allocator;  // of the device's own memory
    std::int64_t start_nanos, end_nanos, allocator_in_use;
    std::uint32_t thread, output_count;
  };
  struct Made {
    Shape shape;
    std::int64_t bytes;
    DType type;
    bool is_shared;
  };
  std::vector<Entry> entries_;
  std::vector<Made> outputs_;  // of all entries, one after the other
};

}  // namespace rill

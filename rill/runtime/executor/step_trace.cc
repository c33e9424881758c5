#include "rill/runtime/executor/step_trace.h"

#include <iterator>

#include "rill/base/clock.h"
#include "rill/runtime/executor/node_runner.h"

namespace rill {
namespace {

// "y = Add(x, c:1, ^before)"; put together without texts in between, since there is one per node.
std::string timeline_label(const Node& node) {
  std::string label;
  label.reserve(32 + 2 * node.name().size() * (1 + node.inputs().size()));
  label.append(node.name()).append(" = ").append(node.op().name).append("(");
  const char* between = "";
  for (const Output& input : node.inputs()) {
    label.append(between).append(input.node->name());
    if (input.index != 0) label.append(":").append(std::to_string(input.index));
    between = ", ";
  }
  for (const Node* before : node.control_inputs()) {
    label.append(between).append("^").append(before->name());
    between = ", ";
  }
  return label.append(")");
}

}  // namespace

void StepTrace::note(const PlanNode& node, const NodeValues& values, std::int64_t start_nanos) {
  if (node.node->op().has(kSend | kRecv)) return;  // as in TensorFlow
  Device& device = *node.kernel->node.device;
  const Allocator& memory = device.allocator(device.memory_kind());
  for (const Value* value : values.outputs) {
    const Tensor& t = value->tensor;
    outputs_.push_back({t.shape(), t.has_value() ? static_cast<std::int64_t>(t.byte_size()) : 0,
                        t.dtype(), !t.is_exclusive()});
  }
  entries_.push_back({.node = &node,
                      .allocator = &memory,
                      .start_nanos = start_nanos,
                      .end_nanos = monotonic_nanos(),
                      .allocator_in_use = memory.stats().live_bytes,
                      .thread = thread_number(),
                      .output_count = static_cast<std::uint32_t>(values.outputs.size())});
}

void StepTrace::append(StepTrace other) {
  if (entries_.empty()) return void(*this = std::move(other));
  std::ranges::move(other.entries_, std::back_inserter(entries_));
  std::ranges::move(other.outputs_, std::back_inserter(outputs_));
}

void StepTrace::move_to(StepStats& stats) {
  const std::int64_t epoch_micros = wall_micros(), epoch_nanos = monotonic_nanos();
  auto made = outputs_.begin();
  stats.nodes.reserve(stats.nodes.size() + entries_.size());
  for (const Entry& entry : entries_) {
    const Node& node = *entry.node->node;
    NodeStats told{.node = node.name(),
                   .op = node.op().name,
                   .device = entry.node->kernel->node.device->name(),
                   .label = timeline_label(node),
                   .start_micros = epoch_micros - (epoch_nanos - entry.start_nanos) / 1000,
                   .end_micros = epoch_micros - (epoch_nanos - entry.end_nanos) / 1000,
                   .start_nanos = entry.start_nanos,
                   .nanos = entry.end_nanos - entry.start_nanos,
                   .thread = entry.thread,
                   .allocator = entry.allocator->name(),
                   .allocator_in_use = entry.allocator_in_use};
    for (std::uint32_t i = 0; i < entry.output_count; ++i, ++made) {
      const auto dims = made->shape.dims();
      told.outputs.push_back(
          {made->type, {dims.begin(), dims.end()}, made->bytes, made->is_shared});
    }
    stats.nodes.push_back(std::move(told));
  }
  *this = {};
}

}  // namespace rill

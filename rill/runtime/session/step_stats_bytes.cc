// Statistics of a step as a RunMetadata, written byte by byte: a step of a millisecond has a
// hundred nodes, and making messages of them would take as long as the step.
#include <cstdio>

#include "rill/graph/device_name.h"
#include "rill/kernel/host_arguments.h"
#include "rill/runtime/session/config.h"
#include "rill/tensor/base128.h"

namespace rill {
namespace {

// The numbers of the fields of TensorFlow's messages.
namespace run_metadata {
constexpr int kStepStats = 1, kCostGraph = 2, kPartitionGraphs = 3;
}
namespace step_stats {
constexpr int kDeviceStats = 1;
}
namespace device_stats {
constexpr int kDevice = 1, kNodeStats = 2;
}
namespace node_stats {
constexpr int kNodeName = 1, kAllStartMicros = 2, kOpStartRelMicros = 3, kOpEndRelMicros = 4,
              kAllEndRelMicros = 5, kMemory = 6, kOutput = 7, kTimelineLabel = 8,
              kScheduledMicros = 9, kThreadId = 10, kMemoryStats = 12, kAllStartNanos = 13,
              kOpStartRelNanos = 14, kOpEndRelNanos = 15, kAllEndRelNanos = 16,
              kScheduledNanos = 17;
}
namespace allocator_memory {
constexpr int kAllocator = 1, kTotal = 2, kPeak = 3, kLive = 4, kInUse = 5, kRecords = 6,
              kRecordMicros = 1, kRecordBytes = 2;
}
namespace node_output {
constexpr int kSlot = 1, kTensor = 3;
}
namespace tensor_description {
constexpr int kType = 1, kShape = 2, kAllocation = 4, kDim = 2, kDimSize = 1;
}
namespace allocation {
constexpr int kRequested = 1, kAllocated = 2, kAllocator = 3, kSingleReference = 5;
}

// A message in the making. Fields of value 0 are left out, as they are by default.
class StatsMessage {
 public:
  void number(int field, std::int64_t value) {
    if (value == 0) return;
    append_base128(static_cast<std::uint64_t>(field) << 3, &bytes_);
    append_base128(static_cast<std::uint64_t>(value), &bytes_);
  }
  void text(int field, std::string_view value) {
    append_base128(static_cast<std::uint64_t>(field) << 3 | 2, &bytes_);
    append_base128(value.size(), &bytes_);
    bytes_.append(value);
  }
  void add(int field, const StatsMessage& message) { text(field, message.bytes_); }
  bool is_empty() const { return bytes_.empty(); }
  void clear() { bytes_.clear(); }
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

// "STANDIN_0_bfc" where values of that type lie in the memory of such a device, else "cpu".
std::string allocator_name(const NodeStats& node, DType type) {
  if (node.device.find("CPU:") != node.device.npos || !is_in_device_memory(base_type(type)))
    return "cpu";
  const DeviceName name = DeviceName::parse(std::string(node.device));
  if (name.type.value_or("CPU") == "CPU") return "cpu";
  return str_cat(*name.type, "_", name.id.value_or(0), "_bfc");
}

class NodeWriter {
 public:
  const StatsMessage& entry(const NodeStats& node) {
    entry_.clear();
    label_.clear();
    entry_.text(node_stats::kNodeName, node.node);
    set_times(node);
    set_outputs(node);
    label_.append(node.label);
    entry_.text(node_stats::kTimelineLabel, label_);
    entry_.number(node_stats::kThreadId, node.thread);
    if (node.temporary_bytes == 0) return entry_;
    part_.clear();
    part_.number(1, node.temporary_bytes);
    entry_.add(node_stats::kMemoryStats, part_);
    return entry_;
  }

 private:
  void set_times(const NodeStats& node) {
    const std::int64_t waited = node.start_nanos - node.scheduled_nanos;
    const std::int64_t start_nanos = node.start_micros * 1000;
    entry_.number(node_stats::kScheduledMicros, node.start_micros - waited / 1000);
    entry_.number(node_stats::kScheduledNanos, start_nanos - waited);
    entry_.number(node_stats::kAllStartMicros, node.start_micros);
    entry_.number(node_stats::kAllStartNanos, start_nanos);
    entry_.number(node_stats::kOpStartRelMicros, node.prepare_nanos / 1000);
    entry_.number(node_stats::kOpStartRelNanos, node.prepare_nanos);
    entry_.number(node_stats::kOpEndRelMicros, node.nanos / 1000);
    entry_.number(node_stats::kOpEndRelNanos, node.nanos);
    entry_.number(node_stats::kAllEndRelMicros, (node.nanos + 999) / 1000);  // at least 1
    entry_.number(node_stats::kAllEndRelNanos, node.nanos);
  }

  void set_outputs(const NodeStats& node) {
    std::int64_t kept = 0, kept_away = 0;  // in the host's memory, and in the device's
    std::string away;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
      const NodeStats::OutputStats& made = node.outputs[i];
      const std::string allocator = allocator_name(node, made.type);
      const bool is_away = allocator != "cpu";
      if (is_away) away = allocator;
      if (!made.is_shared) (is_away ? kept_away : kept) += made.bytes;
      set_output(static_cast<std::int64_t>(i), made, allocator);
    }
    set_memory(node, "cpu", kept);
    set_memory(node, away, kept_away);
  }

  void set_output(std::int64_t slot, const NodeStats::OutputStats& made,
                  std::string_view allocator) {
    shape_.clear();
    for (const std::int64_t size : made.shape.dims()) {
      part_.clear();
      part_.number(tensor_description::kDimSize, size);
      shape_.add(tensor_description::kDim, part_);
    }
    part_.clear();
    part_.number(allocation::kRequested, made.bytes);
    if (!made.is_shared) part_.number(allocation::kAllocated, made.bytes);
    part_.text(allocation::kAllocator, allocator);
    part_.number(allocation::kSingleReference, made.is_shared ? 0 : 1);
    tensor_.clear();
    tensor_.number(tensor_description::kType, static_cast<std::int64_t>(made.type));
    tensor_.add(tensor_description::kShape, shape_);
    tensor_.add(tensor_description::kAllocation, part_);
    part_.clear();
    part_.number(node_output::kSlot, slot);
    part_.add(node_output::kTensor, tensor_);
    entry_.add(node_stats::kOutput, part_);
  }

  // What results took of one kind of memory.
  void set_memory(const NodeStats& node, std::string_view allocator, std::int64_t bytes) {
    if (bytes == 0) return;
    tensor_.clear();
    tensor_.number(allocator_memory::kRecordMicros, node.start_micros);
    tensor_.number(allocator_memory::kRecordBytes, bytes);
    part_.clear();
    part_.text(allocator_memory::kAllocator, allocator);
    part_.number(allocator_memory::kTotal, bytes);
    part_.number(allocator_memory::kPeak, bytes);
    part_.number(allocator_memory::kLive, bytes);
    if (allocator == node.allocator) part_.number(allocator_memory::kInUse, node.allocator_in_use);
    part_.add(allocator_memory::kRecords, tensor_);
    entry_.add(node_stats::kMemory, part_);
    constexpr double kMebibyte = 1 << 20;
    const double size = static_cast<double>(bytes) / kMebibyte;
    if (size < .1) return;
    char text[64];
    std::snprintf(text, sizeof text, " %.1fMB %.1fMB] ", size, size);
    label_.append("[").append(allocator).append(text);
  }

  StatsMessage entry_, part_, shape_, tensor_;
  std::string label_;
};

}  // namespace

std::string run_metadata_bytes(const StepStats& stats) {
  StatsMessage metadata;
  metadata.bytes() = stats.metadata;
  std::vector<std::pair<std::string_view, StatsMessage>> devices;
  NodeWriter writer;
  for (const NodeStats& node : stats.nodes) {
    auto device = devices.begin();
    while (device != devices.end() && device->first != node.device) ++device;
    if (device == devices.end()) {
      device = devices.insert(device, {node.device, StatsMessage()});
      device->second.text(device_stats::kDevice, node.device);
    }
    device->second.add(device_stats::kNodeStats, writer.entry(node));
  }
  StatsMessage step;
  for (const auto& [name, device] : devices) step.add(step_stats::kDeviceStats, device);
  if (!step.is_empty()) metadata.add(run_metadata::kStepStats, step);
  if (!stats.cost_graph.empty()) metadata.text(run_metadata::kCostGraph, stats.cost_graph);
  for (const std::string& graph : stats.partition_graphs)
    metadata.text(run_metadata::kPartitionGraphs, graph);
  return std::move(metadata.bytes());
}

}  // namespace rill

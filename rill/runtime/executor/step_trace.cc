#include "rill/runtime/executor/step_trace.h"

#include <algorithm>
#include <iterator>

#include "rill/runtime/executor/node_runner.h"
#include "rill/tensor/allocator.h"

namespace rill {
namespace {

std::int64_t live_bytes(Device& device) {
  const Allocator& memory = device.allocator(device.memory_kind());
  return &memory == &cpu_allocator() ? cpu_live_bytes() : memory.stats().live_bytes;
}

// What the kernel took beside its outputs. One that is not structured allocates these itself.
std::int64_t temporary_bytes(const PlanNode& node, std::span<const NodeStats::OutputStats> outputs,
                             const NodeBegin& begin) {
  if (begin.kernel_nanos == 0 || node.run == nullptr) return 0;  // or it ended on another thread
  std::int64_t bytes = cpu_bytes_of_thread() - begin.thread_bytes;
  if (node.structured || bytes == 0) return bytes;
  for (const NodeStats::OutputStats& output : outputs)
    if (!output.is_shared) bytes -= cpu_bytes_for_elements(output.bytes);
  return std::max<std::int64_t>(0, bytes);
}

}  // namespace

void StepTrace::note(const Plan& plan, const PlanNode& node, const NodeValues& values,
                     const NodeBegin& begin) {
  if (node.node->op().has(kSend | kRecv)) return;  // as in TensorFlow
  const std::int64_t end = monotonic_nanos();
  if (entries_.empty()) {
    entries_.reserve(plan.nodes.size());
    outputs_.reserve(plan.nodes.size());
  }
  const std::size_t first = outputs_.size();
  for (const Value* value : values.outputs) {
    const Tensor& t = value->tensor;
    outputs_.push_back({t.dtype(), t.shape(),
                        t.has_value() ? static_cast<std::int64_t>(t.byte_size()) : 0,
                        !t.is_exclusive()});
  }
  const std::span made(outputs_.begin() + static_cast<std::ptrdiff_t>(first), outputs_.end());
  entries_.push_back(
      {.plan = &plan,
       .node = static_cast<std::uint32_t>(&node - plan.nodes.data()),
       .run = 0,
       .thread = thread_number(),
       .output_count = static_cast<std::uint32_t>(values.outputs.size()),
       .scheduled_nanos = begin.scheduled_nanos,
       .start_nanos = begin.start_nanos,
       .kernel_nanos = begin.kernel_nanos == 0 ? begin.start_nanos : begin.kernel_nanos,
       .end_nanos = end,
       .allocator_in_use = live_bytes(*node.kernel->node.device),
       .temporary_bytes = temporary_bytes(node, made, begin)});
}

void StepTrace::append(StepTrace other) {
  if (entries_.empty()) return void(*this = std::move(other));
  for (Entry& entry : other.entries_) entry.run += runs_;
  runs_ += other.runs_;
  std::ranges::move(other.entries_, std::back_inserter(entries_));
  std::ranges::move(other.outputs_, std::back_inserter(outputs_));
}

// A node could have run when the last of those before it had ended, the first ones with the run.
// Entries stand in the order in which nodes ended.
void StepTrace::schedule(std::span<Entry> run, std::vector<std::int64_t>& ready) {
  const Plan& plan = *run.front().plan;
  const std::int64_t begin = std::ranges::min_element(run, {}, &Entry::start_nanos)->start_nanos;
  ready.assign(plan.nodes.size(), begin);
  for (Entry& entry : run) {
    const PlanNode& node = plan.nodes[entry.node];
    if (entry.scheduled_nanos == 0)
      entry.scheduled_nanos = std::min(ready[entry.node], entry.start_nanos);
    for (int k = node.successor_begin; k < node.successor_end; ++k) {
      const int next = plan.successors[static_cast<std::size_t>(k)];
      std::int64_t& time = ready[static_cast<std::size_t>(next)];
      time = std::max(time, entry.end_nanos);
    }
  }
}

void StepTrace::schedule_all() {
  std::vector<std::int64_t> ready;
  for (std::size_t begin = 0; begin < entries_.size();) {
    const Entry& first = entries_[begin];
    std::size_t end = begin;
    while (end < entries_.size() && entries_[end].run == first.run &&
           entries_[end].plan == first.plan)
      ++end;
    schedule({entries_.data() + begin, end - begin}, ready);
    begin = end;
  }
}

void StepTrace::move_to(StepStats& stats) {
  const std::int64_t epoch_micros = wall_micros(), epoch_nanos = monotonic_nanos();
  const auto micros = [&](std::int64_t nanos) {
    return epoch_micros - (epoch_nanos - nanos) / 1000;
  };
  schedule_all();
  const auto outputs =
      std::make_shared<const std::vector<NodeStats::OutputStats>>(std::move(outputs_));
  stats.kept.push_back(outputs);
  stats.nodes.reserve(stats.nodes.size() + entries_.size());
  const Plan* plan = nullptr;
  const NodeTexts* texts = nullptr;
  std::span<const NodeStats::OutputStats> made = *outputs;
  for (const Entry& entry : entries_) {
    if (entry.plan != plan) {
      plan = entry.plan;
      const auto all = plan->texts();
      texts = all->data();
      if (std::ranges::find(stats.kept, all) == stats.kept.end()) stats.kept.push_back(all);
    }
    const NodeTexts& told = texts[entry.node];
    stats.nodes.push_back({.node = told.node,
                           .op = told.op,
                           .device = told.device,
                           .label = told.label,
                           .allocator = told.allocator,
                           .start_micros = micros(entry.start_nanos),
                           .end_micros = micros(entry.end_nanos),
                           .scheduled_nanos = entry.scheduled_nanos,
                           .start_nanos = entry.start_nanos,
                           .prepare_nanos = entry.kernel_nanos - entry.start_nanos,
                           .nanos = entry.end_nanos - entry.start_nanos,
                           .thread = entry.thread,
                           .allocator_in_use = entry.allocator_in_use,
                           .temporary_bytes = entry.temporary_bytes,
                           .outputs = made.first(entry.output_count)});
    made = made.subspan(entry.output_count);
  }
  *this = {};
}

void add_source(StepStats& stats, const std::string& device) {
  const auto texts = std::make_shared<const NodeTexts>(
      NodeTexts{.node = "_SOURCE", .op = "NoOp", .device = device, .label = "_SOURCE = NoOp()"});
  stats.kept.push_back(texts);
  const std::int64_t now = wall_micros(), nanos = monotonic_nanos();
  stats.nodes.push_back({.node = texts->node,
                         .op = texts->op,
                         .device = texts->device,
                         .label = texts->label,
                         .start_micros = now,
                         .end_micros = now,
                         .scheduled_nanos = nanos,
                         .start_nanos = nanos});
}

}  // namespace rill

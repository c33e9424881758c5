#include "rill/inspect/profiler/profiled_model.h"

#include <re2/re2.h>

#include "rill/base/error.h"
#include "rill/base/text.h"
#include "rill/io/checkpoint_reader.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/profiler/tfprof_log.pb.h"
#include "tensorflow/core/protobuf/config.pb.h"

namespace rill::profiler {
namespace {

using tensorflow::NodeExecStats;

// "while/add:1" and "^init" as the node and the output they name.
ProfiledNode::Input input_of(std::string_view text) {
  if (!text.empty() && text[0] == '^') return {std::string(text.substr(1)), 0};
  const auto colon = text.rfind(':');
  long long output = 0;
  if (colon == std::string_view::npos || !parse_int(text.substr(colon + 1), &output))
    return {std::string(text), 0};
  return {std::string(text.substr(0, colon)), static_cast<int>(output)};
}

std::optional<Dims> dims_of(const tensorflow::TensorShapeProto& shape) {
  if (shape.unknown_rank()) return std::nullopt;
  Dims dims;
  for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  if (dims.empty()) dims.push_back(1);
  return dims;
}

const tensorflow::AttrValue* find_attr(const tensorflow::NodeDef& def, const char* name) {
  const auto it = def.attr().find(name);
  return it == def.attr().end() ? nullptr : &it->second;
}

void describe(const tensorflow::NodeDef& def, ProfiledNode* node) {
  int index = 0;
  for (const auto& input : def.input()) node->inputs[index++] = input_of(input);
  if (const auto* shape = find_attr(def, "shape"); shape && shape->has_shape())
    node->shape = dims_of(shape->shape());
  if (const auto* shapes = find_attr(def, "_output_shapes")) {
    index = 0;
    for (const auto& shape : shapes->list().shape()) {
      if (auto dims = dims_of(shape)) node->output_shapes[index] = std::move(*dims);
      ++index;
    }
  }
  if (const auto* format = find_attr(def, "data_format")) node->is_nhwc = format->s() == "NHWC";
}

bool is_accelerator_time(const std::string& device) {
  return device.find("stream:all") != std::string::npos;
}

bool is_host_time(const std::string& device) {
  static const auto* const pattern =
      new re2::RE2(".*/(device:gpu|gpu|device:cpu|cpu|device:sycl):\\d+");
  return re2::RE2::FullMatch(device, *pattern);
}

NodeMemory memory_of(const NodeExecStats& stats, bool on_accelerator) {
  NodeMemory memory;
  memory.at_micros = stats.all_start_micros();
  const std::int64_t temp = stats.memory_stats().temp_memory_size();
  const std::int64_t persistent = stats.memory_stats().persistent_memory_size();
  (on_accelerator ? memory.accelerator_temp : memory.host_temp) = temp;
  (on_accelerator ? memory.accelerator_persistent : memory.host_persistent) = persistent;
  for (const auto& used : stats.memory()) {
    memory.requested += used.total_bytes();
    memory.peak += used.peak_bytes();
    memory.residual += used.live_bytes();
    memory.allocator_in_use =
        std::max<std::int64_t>(memory.allocator_in_use, used.allocator_bytes_in_use());
  }
  memory.requested += temp + persistent;
  memory.peak += temp + persistent;
  memory.residual += persistent;
  for (const auto& output : stats.output()) {
    const auto& where = output.tensor_description().allocation_description();
    const auto bytes = std::max<std::int64_t>(where.allocated_bytes(), where.requested_bytes());
    memory.output += bytes;
    memory.outputs[output.slot()] = {bytes, where.ptr()};
  }
  return memory;
}

void add_allocations(const NodeExecStats& stats, NodeStep* step) {
  for (const auto& used : stats.memory())
    for (const auto& record : used.allocation_records())
      step->allocations.push_back({record.alloc_micros(), record.alloc_bytes()});
}

void record(const std::string& device, const NodeExecStats& stats, NodeStep* step) {
  const bool on_accelerator = is_accelerator_time(device), on_host = is_host_time(device);
  const std::int64_t start = stats.all_start_micros();
  const std::int64_t duration = std::max<std::int64_t>(1, stats.op_end_rel_micros());
  if (start > 0) {
    if (step->start_micros == 0 || start < step->start_micros) step->start_micros = start;
    step->end_micros = std::max(step->end_micros, start + duration);
    if (on_accelerator) step->accelerator[device].emplace_back(start, duration);
    if (on_host) step->cpu[device].emplace_back(start, duration);
  }
  if (on_host) ++step->run_count;
  step->devices.insert(device);
  step->memory.push_back(memory_of(stats, device.find("gpu") != std::string::npos));
  add_allocations(stats, step);
}

// What is in a trace and in no graph, and says nothing of a model.
bool is_machinery(const std::string& name) {
  return name == "RecvTensor" || name == "_SOURCE" || name.find("MEMCPY") != std::string::npos;
}

}  // namespace

ProfiledNode& ProfiledModel::node(const std::string& name, const std::string& op) {
  const auto [it, is_new] = nodes_.try_emplace(name);
  if (is_new) {
    it->second.id = static_cast<std::int64_t>(nodes_.size()) - 1;
    it->second.name = name;
    it->second.op = op;
    it->second.types.insert(op);
  }
  return it->second;
}

void ProfiledModel::add_graph(const tensorflow::GraphDef& graph) {
  for (const auto& def : graph.node()) {
    const bool is_new = !nodes_.count(def.name());
    ProfiledNode& added = node(def.name(), def.op());
    if (is_new) describe(def, &added);
  }
}

void ProfiledModel::add_op_log(const tensorflow::tfprof::OpLogProto& log) {
  const auto text_of = [&](std::int64_t id) {
    const auto it = log.id_to_string().find(id);
    return it == log.id_to_string().end() ? std::string() : it->second;
  };
  for (const auto& entry : log.log_entries()) {
    const auto it = nodes_.find(entry.name());
    if (it == nodes_.end()) continue;
    ProfiledNode& known = it->second;
    known.types.insert(entry.types().begin(), entry.types().end());
    if (entry.float_ops() != 0) known.float_ops = entry.float_ops();
    if (entry.code_def().traces().empty()) continue;
    known.trace.clear();
    has_traces_ = true;
    for (const auto& line : entry.code_def().traces())
      known.trace.push_back({text_of(line.file_id()), text_of(line.function_id()),
                             text_of(line.line_id()), line.lineno(), line.func_start_line()});
  }
}

void ProfiledModel::add_step(std::int64_t step, const tensorflow::RunMetadata& metadata) {
  require(step >= 0, "A step has a number of 0 or more, not ", step);
  steps_.insert(step);
  for (const auto& by_device : metadata.step_stats().dev_stats()) {
    const std::string device = lower(by_device.device());
    for (const auto& stats : by_device.node_stats()) {
      const std::string name = stats.node_name().substr(0, stats.node_name().find(':'));
      if (!nodes_.count(name) && is_machinery(name)) continue;
      ProfiledNode& ran = node(name, name);
      if (ran.device.empty() && is_host_time(device)) {
        ran.device = device;
        ran.types.insert(device);
      }
      record(device, stats, &ran.steps[step]);
    }
  }
}

void ProfiledModel::add_checkpoint(std::shared_ptr<const CheckpointReader> checkpoint) {
  checkpoint_ = std::move(checkpoint);
  for (const auto& [name, tensor] : checkpoint_->tensors())
    if (const auto it = nodes_.find(name); it != nodes_.end())
      it->second.types.insert("_checkpoint_variables");
}

std::map<int, Dims> ProfiledModel::input_shapes(const ProfiledNode& node) const {
  std::map<int, Dims> shapes;
  for (const auto& [index, input] : node.inputs) {
    Dims& dims = shapes[index];
    const auto from = nodes_.find(input.name);
    if (from == nodes_.end()) continue;
    const auto known = from->second.output_shapes.find(input.output);
    if (known != from->second.output_shapes.end()) dims = known->second;
  }
  return shapes;
}

}  // namespace rill::profiler

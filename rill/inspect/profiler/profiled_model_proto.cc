#include <algorithm>

#include "rill/base/error.h"
#include "rill/inspect/profiler/profiled_model.h"
#include "tensorflow/core/profiler/tfprof_log.pb.h"

// ProfileProto: the file that holds a whole profile.
namespace rill::profiler {
namespace {

using namespace tensorflow::tfprof;

// Texts by number; 0 is TensorFlow's "none".
class Texts {
 public:
  explicit Texts(ProfileProto* proto) : proto_(proto) { id("none"); }

  std::int64_t id(const std::string& text) {
    const auto [it, is_new] = ids_.try_emplace(text, static_cast<std::int64_t>(ids_.size()));
    if (is_new) (*proto_->mutable_id_to_string())[it->second] = text;
    return it->second;
  }

 private:
  ProfileProto* proto_;
  std::map<std::string, std::int64_t> ids_;
};

void write_spans(const std::map<std::string, NodeStep::Spans>& by_device,
                 google::protobuf::Map<std::string, ExecTime>* proto) {
  for (const auto& [device, spans] : by_device)
    for (const auto& [start, duration] : spans) {
      Tuple* times = (*proto)[device].add_times();
      times->add_int64_values(start);
      times->add_int64_values(duration);
    }
}

void read_spans(const google::protobuf::Map<std::string, ExecTime>& proto,
                std::map<std::string, NodeStep::Spans>* by_device) {
  for (const auto& [device, times] : proto)
    for (const Tuple& span : times.times()) {
      require(span.int64_values_size() == 2, "A time of a profile needs a start and a duration");
      (*by_device)[device].emplace_back(span.int64_values(0), span.int64_values(1));
    }
}

void write_memory(const NodeMemory& memory, ExecMemory* proto) {
  proto->set_memory_micros(memory.at_micros);
  proto->set_host_temp_bytes(memory.host_temp);
  proto->set_host_persistent_bytes(memory.host_persistent);
  proto->set_accelerator_temp_bytes(memory.accelerator_temp);
  proto->set_accelerator_persistent_bytes(memory.accelerator_persistent);
  proto->set_requested_bytes(memory.requested);
  proto->set_peak_bytes(memory.peak);
  proto->set_residual_bytes(memory.residual);
  proto->set_output_bytes(memory.output);
  proto->set_allocator_bytes_in_use(memory.allocator_in_use);
  for (const auto& [slot, output] : memory.outputs) {
    Memory& where = (*proto->mutable_output_memory())[slot];
    where.set_bytes(output.first);
    where.set_ptr(output.second);
  }
}

NodeMemory read_memory(const ExecMemory& proto) {
  NodeMemory memory{.at_micros = proto.memory_micros(),
                    .host_temp = proto.host_temp_bytes(),
                    .host_persistent = proto.host_persistent_bytes(),
                    .accelerator_temp = proto.accelerator_temp_bytes(),
                    .accelerator_persistent = proto.accelerator_persistent_bytes(),
                    .requested = proto.requested_bytes(),
                    .peak = proto.peak_bytes(),
                    .residual = proto.residual_bytes(),
                    .output = proto.output_bytes(),
                    .allocator_in_use = proto.allocator_bytes_in_use(),
                    .outputs = {}};
  for (const auto& [slot, where] : proto.output_memory())
    memory.outputs[slot] = {where.bytes(), where.ptr()};
  return memory;
}

void write_step(const NodeStep& step, ExecProfile* proto) {
  proto->set_run_count(step.run_count);
  proto->set_all_start_micros(step.start_micros);
  proto->set_latest_end_micros(step.end_micros);
  write_spans(step.accelerator, proto->mutable_accelerator_execs());
  write_spans(step.cpu, proto->mutable_cpu_execs());
  for (const auto& device : step.devices) proto->add_devices(device);
  for (const NodeMemory& memory : step.memory) write_memory(memory, proto->add_memory_execs());
  for (const auto& [at, bytes] : step.allocations) {
    auto* record = proto->add_allocations();
    record->set_alloc_micros(at);
    record->set_alloc_bytes(bytes);
  }
}

NodeStep read_step(const ExecProfile& proto) {
  NodeStep step;
  step.run_count = proto.run_count();
  step.start_micros = proto.all_start_micros();
  step.end_micros = proto.latest_end_micros();
  read_spans(proto.accelerator_execs(), &step.accelerator);
  read_spans(proto.cpu_execs(), &step.cpu);
  step.devices.insert(proto.devices().begin(), proto.devices().end());
  for (const ExecMemory& memory : proto.memory_execs()) step.memory.push_back(read_memory(memory));
  for (const auto& record : proto.allocations())
    step.allocations.push_back({record.alloc_micros(), record.alloc_bytes()});
  return step;
}

void write_dims(const Dims& dims, Tuple* proto) {
  for (const std::int64_t size : dims) proto->add_int64_values(size);
}
Dims read_dims(const Tuple& proto) {
  return {proto.int64_values().begin(), proto.int64_values().end()};
}

void write_trace(const std::vector<CodeLine>& trace, Texts* texts, CodeDef* proto) {
  for (const CodeLine& line : trace) {
    auto* to = proto->add_traces();
    to->set_file_id(texts->id(line.file));
    to->set_function_id(texts->id(line.function));
    to->set_line_id(texts->id(line.text));
    to->set_lineno(line.line);
    to->set_func_start_line(line.function_line);
  }
}

void write_node(const ProfiledModel& model, const ProfiledNode& node, Texts* texts,
                ProfileNode* proto) {
  proto->set_name(node.name);
  proto->set_op(node.op);
  proto->set_id(node.id);
  for (const auto& [index, input] : node.inputs) {
    const auto from = model.nodes().find(input.name);
    if (from == model.nodes().end()) continue;
    (*proto->mutable_inputs())[index] = from->second.id;
    (*proto->mutable_src_output_index())[from->second.id] = input.output;
  }
  for (const auto& [index, dims] : model.input_shapes(node))
    if (!dims.empty()) write_dims(dims, &(*proto->mutable_input_shapes())[index]);
  for (const auto& [index, dims] : node.output_shapes)
    write_dims(dims, &(*proto->mutable_output_shapes())[index]);
  if (node.shape) proto->mutable_shape()->Add(node.shape->begin(), node.shape->end());
  for (const auto& type : node.types) proto->add_op_types(type);
  proto->set_canonical_device(node.device);
  proto->set_float_ops(node.float_ops);
  write_trace(node.trace, texts, proto->mutable_trace());
  if (node.is_nhwc) (*proto->mutable_attrs())["data_format"].set_s("NHWC");
  for (const auto& [number, step] : node.steps)
    write_step(step, &(*proto->mutable_execs())[number]);
}

}  // namespace

void ProfiledModel::to_proto(ProfileProto* proto) const {
  Texts texts(proto);
  proto->set_has_trace(has_traces_);
  for (const std::int64_t step : steps_) proto->add_steps(step);
  for (const auto& [name, node] : nodes_)
    write_node(*this, node, &texts, &(*proto->mutable_nodes())[node.id]);
}

ProfiledModel ProfiledModel::from_proto(const ProfileProto& proto) {
  ProfiledModel model;
  model.has_traces_ = proto.has_trace();
  model.steps_.insert(proto.steps().begin(), proto.steps().end());
  const auto name_of = [&](std::int64_t id) {
    const auto it = proto.nodes().find(id);
    require(it != proto.nodes().end(), "The profile names node ", id, ", which it does not have");
    return it->second.name();
  };
  const auto text_of = [&](std::int64_t id) {
    const auto it = proto.id_to_string().find(id);
    return it == proto.id_to_string().end() ? std::string() : it->second;
  };
  for (const auto& [id, from] : proto.nodes()) {
    ProfiledNode& node = model.nodes_[from.name()];
    node.id = id;
    node.name = from.name();
    node.op = from.op();
    node.types.insert(from.op_types().begin(), from.op_types().end());
    node.device = from.canonical_device();
    node.float_ops = from.float_ops();
    if (from.shape_size() > 0) node.shape = Dims(from.shape().begin(), from.shape().end());
    for (const auto& [index, dims] : from.output_shapes())
      node.output_shapes[index] = read_dims(dims);
    for (const auto& [index, input] : from.inputs()) {
      const auto output = from.src_output_index().find(input);
      node.inputs[index] = {name_of(input),
                            output == from.src_output_index().end() ? 0 : output->second};
    }
    for (const auto& line : from.trace().traces())
      node.trace.push_back({text_of(line.file_id()), text_of(line.function_id()),
                            text_of(line.line_id()), line.lineno(), line.func_start_line()});
    const auto format = from.attrs().find("data_format");
    node.is_nhwc = format != from.attrs().end() && format->second.s() == "NHWC";
    for (const auto& [number, step] : from.execs()) node.steps[number] = read_step(step);
  }
  return model;
}

}  // namespace rill::profiler

#include <algorithm>
#include <map>

#include "rill/api/profiler/profiler.h"
#include "rill/api/variables/variable_lists.h"
#include "rill/base/files.h"
#include "rill/graph/graph_def.h"
#include "rill/inspect/profiler/formula_flops.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill::profiler {
namespace {

constexpr const char* kTrainable = "_trainable_variables";

Dims dims_of(const tensorflow::TensorShapeProto& shape) {
  Dims dims;
  for (const auto& dim : shape.dim()) dims.push_back(dim.size());
  if (dims.empty() && !shape.unknown_rank()) dims.push_back(1);
  return dims;
}

bool is_known(const Dims& dims) {
  return !dims.empty() &&
         std::none_of(dims.begin(), dims.end(), [](auto size) { return size < 0; });
}

using OutputShapes = std::map<std::pair<std::string, int>, Dims>;

// Shapes that inference knows, and for the others what came out of a step.
OutputShapes output_shapes(const tensorflow::GraphDef& graph,
                           const tensorflow::RunMetadata* metadata) {
  OutputShapes shapes;
  for (const auto& node : graph.node()) {
    const auto it = node.attr().find("_output_shapes");
    if (it == node.attr().end()) continue;
    int index = 0;
    for (const auto& shape : it->second.list().shape())
      shapes[{node.name(), index++}] = dims_of(shape);
  }
  if (metadata == nullptr) return shapes;
  for (const auto& device : metadata->step_stats().dev_stats())
    for (const auto& stats : device.node_stats())
      for (const auto& output : stats.output()) {
        Dims& dims = shapes[{stats.node_name(), output.slot()}];
        if (!is_known(dims)) dims = dims_of(output.tensor_description().shape());
      }
  return shapes;
}

std::int64_t flops_of(const tensorflow::NodeDef& node, const OutputShapes& shapes) {
  const auto shape_of = [&](const std::string& name, int index) {
    const auto it = shapes.find({name, index});
    return it == shapes.end() || !is_known(it->second) ? Dims() : it->second;
  };
  std::vector<Dims> inputs;
  for (const std::string& input : node.input()) {
    if (input.starts_with("^")) continue;
    const auto colon = input.rfind(':');
    long long index = 0;
    if (colon != std::string::npos) parse_int(std::string_view(input).substr(colon + 1), &index);
    inputs.push_back(shape_of(input.substr(0, colon), static_cast<int>(index)));
  }
  return formula_flops(node, inputs, shape_of(node.name(), 0));
}

// Texts that many frames share are written once.
class Traces {
 public:
  explicit Traces(OpLogProto* log) : log_(log) { id("none"); }

  void write(const Origin& origin, tensorflow::tfprof::CodeDef* code) {
    for (auto frame = origin.frames.rbegin(); frame != origin.frames.rend(); ++frame) {
      auto* line = code->add_traces();
      line->set_file_id(id(frame->file));
      line->set_lineno(frame->line);
      line->set_function_id(id(frame->function));
      line->set_line_id(id(""));
    }
  }

 private:
  std::int64_t id(const std::string& text) {
    const auto [it, is_new] = ids_.try_emplace(text, static_cast<std::int64_t>(ids_.size()));
    if (is_new) (*log_->mutable_id_to_string())[it->second] = text;
    return it->second;
  }

  OpLogProto* log_;
  std::map<std::string, std::int64_t> ids_;
};

// What the program says of a node goes before what is found out.
void merge(const OpLogProto& own, OpLogProto* log) {
  std::map<std::string, tensorflow::tfprof::OpLogEntry*> by_name;
  for (auto& entry : *log->mutable_log_entries()) by_name[entry.name()] = &entry;
  for (const auto& entry : own.log_entries()) {
    auto*& found = by_name[entry.name()];
    if (found == nullptr) {
      *(found = log->add_log_entries()) = entry;
      continue;
    }
    if (entry.float_ops() != 0) found->set_float_ops(entry.float_ops());
    found->mutable_types()->MergeFrom(entry.types());
    if (entry.code_def().traces_size() > 0) *found->mutable_code_def() = entry.code_def();
  }
}

}  // namespace

OpLogProto op_log_of(const Graph& graph, const std::vector<std::string>& trainable_variables,
                     const OpLogOptions& options) {
  const tensorflow::GraphDef def = export_graph_def(graph, {.add_shapes = true});
  const OutputShapes shapes = output_shapes(def, options.metadata);
  const std::set<std::string> trainable(trainable_variables.begin(), trainable_variables.end());
  OpLogProto log;
  Traces traces(&log);
  for (const auto& node : def.node()) {
    auto* entry = log.add_log_entries();
    entry->set_name(node.name());
    entry->set_float_ops(flops_of(node, shapes));
    if (trainable.count(node.name())) entry->add_types(kTrainable);
    const Node* made = graph.find(node.name());
    if (options.add_trace && made != nullptr && made->origin() != nullptr)
      traces.write(*made->origin(), entry->mutable_code_def());
  }
  if (options.log != nullptr) merge(*options.log, &log);
  return log;
}

OpLogProto default_op_log(const Graph& graph, const OpLogOptions& options) {
  std::vector<std::string> trainable;
  if (options.add_trainable_variables)
    for (const Variable& variable : trainable_variables())
      trainable.push_back(variable.op().name());
  return op_log_of(graph, trainable, options);
}

void write_op_log(const Graph& graph, const std::string& directory, const OpLogOptions& options) {
  make_directories(directory);
  write_file(join_path(directory, "tfprof_log"),
             default_op_log(graph, options).SerializeAsString());
}

}  // namespace rill::profiler

#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/filled.h"
#include "rill/graph/function_proto.h"
#include "rill/graph/graph_def.h"
#include "rill/tensor/tensor_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

void write_inputs(const Node& node, tensorflow::NodeDef* def) {
  for (const Output& input : node.inputs()) {
    require(bool(input.node), "node ", node.name(), " has an input that was never given");
    def->add_input(input.index == 0 ? input.node->name() : input.name());
  }
  std::vector<std::string> control;
  for (const Node* before : node.control_inputs()) control.push_back("^" + before->name());
  std::ranges::sort(control);
  for (std::string& name : control) def->add_input(std::move(name));
}

// A tensor that is the default is written as declarations are: in lists.
void write_attr(const Node& node, const std::string& name, const AttrValue& value,
                tensorflow::AttrValue* proto) {
  to_proto(value, proto);
  if (!proto->has_tensor()) return;
  const AttrSpec* spec = node.op().find_attr(name);
  if (spec != nullptr && spec->default_value && *spec->default_value == value)
    to_proto(value.get<Tensor>(), proto->mutable_tensor(), ProtoForm::fields);
}

void write_shapes(const Node& node, tensorflow::NodeDef* def) {
  if (node.output_count() == 0) return;
  auto* shapes = (*def->mutable_attr())["_output_shapes"].mutable_list();
  for (int i = 0; i < node.output_count(); ++i) to_proto(node.output_shape(i), shapes->add_shape());
}

void write_versions(const GraphVersions& versions, tensorflow::VersionDef* def) {
  def->set_producer(versions.producer);
  def->set_min_consumer(versions.min_consumer);
  for (const int bad : versions.bad_consumers) def->add_bad_consumers(bad);
}

}  // namespace

void export_node_def(const Node& node, tensorflow::NodeDef* def, bool add_shapes) {
  def->set_name(node.name());
  def->set_op(node.op().name);
  def->set_device(node.device());
  write_inputs(node, def);
  for (const auto& [name, value] : node.attrs())
    if (name != kGivenElements) write_attr(node, name, value, &(*def->mutable_attr())[name]);
  if (const auto given = node.attrs().find(kGivenElements); given != node.attrs().end())
    to_proto_filled(node.attr<Tensor>("value"), given->second.get<std::int64_t>(),
                    (*def->mutable_attr())["value"].mutable_tensor());
  if (add_shapes) write_shapes(node, def);
}

void export_graph_def(const Graph& graph, tensorflow::GraphDef* def, const ExportOptions& options) {
  def->Clear();
  const std::shared_lock lock(graph.mutex());
  for (int id = std::max(options.from_version, 0); id < graph.node_count(); ++id)
    export_node_def(graph.node(id), def->add_node(), options.add_shapes);
  write_versions(graph.versions, def->mutable_versions());
  if (!graph.functions()->empty()) to_proto(*graph.functions(), def->mutable_library());
}

tensorflow::GraphDef export_graph_def(const Graph& graph, const ExportOptions& options) {
  tensorflow::GraphDef def;
  export_graph_def(graph, &def, options);
  return def;
}

}  // namespace rill

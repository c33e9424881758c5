#include <algorithm>

#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/device_name.h"
#include "rill/graph/graph_def.h"
#include "rill/graph/import_library.h"
#include "rill/graph/import_names.h"
#include "rill/graph/import_plan.h"
#include "rill/graph/newer_ops.h"
#include "rill/graph/op_def.h"
#include "rill/graph/shape_ctx.h"
#include "tensorflow/core/framework/graph.pb.h"
#include "tensorflow/core/framework/op_def.pb.h"

namespace rill {
namespace {

constexpr int kMinProducer = 0;

// A few bytes can ask for a million outputs; a whole import may not ask for more than this.
std::int64_t max_outputs(const tensorflow::GraphDef& def) {
  return std::max<std::int64_t>(1 << 20, std::int64_t{16} * def.node_size());
}

void check_versions(const tensorflow::VersionDef& versions) {
  require(versions.producer() >= kMinProducer, "GraphDef producer version ", versions.producer(),
          " below min producer ", kMinProducer,
          " supported by Rill.  Please regenerate your graph.");
  require(versions.min_consumer() <= kGraphDefVersion, "GraphDef min consumer version ",
          versions.min_consumer(), " above current version ", kGraphDefVersion,
          " for Rill.  Please upgrade Rill.");
  require(std::ranges::find(versions.bad_consumers(), kGraphDefVersion) ==
              versions.bad_consumers().end(),
          "GraphDef disallows consumer version ", kGraphDefVersion,
          ".  Please upgrade Rill: this version is likely buggy.");
}

// What the graph's versions become: what every part of it needs.
GraphVersions merged_versions(const Graph& graph, const tensorflow::GraphDef& def) {
  GraphVersions versions = graph.versions;
  versions.producer = std::min(versions.producer, def.versions().producer());
  versions.min_consumer = std::max(versions.min_consumer, def.versions().min_consumer());
  if (def.library().function_size() > 0)
    versions.min_consumer = std::max(versions.min_consumer, 12);
  for (const int bad : def.versions().bad_consumers())
    if (std::ranges::find(versions.bad_consumers, bad) == versions.bad_consumers.end())
      versions.bad_consumers.push_back(bad);
  return versions;
}

// The same GraphDef, whose functions the edited graph now knows: its nodes may call them.
const tensorflow::GraphDef& with_functions(GraphEdit& edit, const tensorflow::GraphDef& def) {
  import_library(edit, def.library(), def.versions().producer());
  return def;
}

class Importer {
 public:
  Importer(Graph& graph, const tensorflow::GraphDef& def, const ImportOptions& options)
      : def_(def),
        options_(options),
        edit_(graph),
        plan_(with_functions(edit_, def), options,
              [&](std::string_view name) -> const Op& { return graph.op(name); }),
        names_(import_names(graph, plan_, options)),
        outer_device_(DeviceName::parse(options.device)),
        made_(plan_.nodes().size(), nullptr) {
    if (options.producer_ops != nullptr)
      for (const auto& op : options.producer_ops->op()) producer_ops_.emplace(op.name(), &op);
  }

  ImportResult run() {
    edit_.reserve(plan_.nodes().size());
    result_.nodes.reserve(plan_.nodes().size());
    for (const int at : plan_.order()) make(static_cast<std::size_t>(at));
    for (const BackEdge& edge : back_edges_)
      edit_.set_input(*edge.node, edge.input, source_of(*edge.edge, edge.node->name()));
    for (const std::string& element : options_.return_elements)
      result_.returned.push_back(returned(element));
    edit_.graph().versions = merged_versions(edit_.graph(), def_);
    edit_.commit();
    if (const std::vector<std::string> missing = plan_.missing_keys(); !missing.empty())
      raise(Code::kInvalidArgument, "Attempted to map inputs that were not found in graph_def: [",
            join(missing, ", "), "]");
    return std::move(result_);
  }

 private:
  struct BackEdge {
    Node* node;
    int input;
    const ImportEdge* edge;
  };

  void make(std::size_t at) {
    const ImportNode& planned = plan_.nodes()[at];
    const tensorflow::NodeDef& def = *planned.def;
    NodeSpec spec{.op = def.op(), .name = names_[at], .origin = options_.origin};
    const std::size_t first_later = back_edges_.size();
    add_edges(planned, spec);
    add_attrs(planned, spec);
    spec.device = device_of(def.device());
    const int producer = def_.versions().producer();
    Node& node = edit_.add(
        std::move(spec),
        {.inputs_later = true, .internal_names = options_.internal_names, .producer = producer});
    made_[at] = &node;
    for (std::size_t i = first_later; i < back_edges_.size(); ++i) back_edges_[i].node = &node;
    output_count_ += node.output_count();
    if (output_count_ > max_outputs(def_))
      raise(Code::kResourceExhausted, "Node '", def.name(), "': the GraphDef has more than ",
            max_outputs(def_), " outputs");
    if (options_.use_shapes) use_shapes(def, node);
    result_.nodes.push_back(&node);
  }

  void add_edges(const ImportNode& planned, NodeSpec& spec) {
    for (const ImportEdge& edge : planned.edges) {
      if (edge.is_control()) {
        spec.control_inputs.push_back(source_of(edge, planned.def->name()).node);
        continue;
      }
      const bool is_back_edge =
          !edge.mapped.node && made_[static_cast<std::size_t>(edge.source)] == nullptr;
      if (is_back_edge)
        back_edges_.push_back({nullptr, static_cast<int>(spec.inputs.size()), &edge});
      spec.inputs.push_back(is_back_edge ? Output() : source_of(edge, planned.def->name()));
    }
    for (Node* before : options_.control_inputs) spec.control_inputs.push_back(before);
  }

  Output source_of(const ImportEdge& edge, const std::string& reader) const {
    if (edge.mapped.node) return edge.mapped;
    Node* source = made_[static_cast<std::size_t>(edge.source)];
    require(edge.is_control() || edge.index < source->output_count(), "Node '", reader,
            "': Connecting to invalid output ", edge.index, " of source node ",
            plan_.nodes()[static_cast<std::size_t>(edge.source)].def->name(), " which has ",
            source->output_count(), " outputs.");
    return {source, edge.index};
  }

  void add_attrs(const ImportNode& planned, NodeSpec& spec) {
    const tensorflow::NodeDef& def = *planned.def;
    for (const auto& [name, proto] : def.attr()) {
      if (name == "_output_shapes" && options_.use_shapes) continue;
      if (planned.op->find_attr(name) == nullptr && is_droppable(def.op(), name, proto)) continue;
      try {
        spec.attrs.emplace(name, from_proto(proto));
      } catch (const Error& error) {
        raise(error.code(), "Node '", def.name(), "': attr '", name, "': ", error.message());
      }
    }
    rename_colocation(def, spec.attrs);
    // Before version 22 an empty shape said nothing.
    const auto shape = spec.attrs.find("shape");
    if (planned.op->name == "Placeholder" && def_.versions().producer() < 22 &&
        shape != spec.attrs.end() && shape->second == AttrValue(PartialShape::scalar()))
      shape->second = AttrValue(PartialShape());
  }

  // An attribute that the op does not have: one that a newer producer knows, or that has the
  // default that its producer gave it.
  bool is_droppable(const std::string& op, std::string_view name,
                    const tensorflow::AttrValue& value) const {
    if (name.starts_with("_")) return false;
    if (def_.versions().producer() > kGraphDefVersion) return true;
    const auto known = producer_ops_.find(op);
    if (known == producer_ops_.end()) return false;
    const auto& attrs = known->second->attr();
    const auto attr = std::ranges::find_if(
        attrs, [&](const auto& candidate) { return candidate.name() == name; });
    return attr != attrs.end() && attr->has_default_value() &&
           from_proto(attr->default_value()) == from_proto(value);
  }

  void rename_colocation(const tensorflow::NodeDef& def, AttrMap& attrs) {
    const auto it = attrs.find("_class");
    if (it == attrs.end()) return;
    const auto* given = it->second.get_if<std::vector<std::string>>();
    if (given == nullptr) return;
    std::vector<std::string> groups = *given;
    for (std::string& group : groups) {
      if (!group.starts_with("loc:@")) continue;
      const int target = plan_.find(std::string_view(group).substr(5));
      require(target >= 0, "Node '", def.name(), "' expects to be colocated with unknown node '",
              group.substr(5), "'");
      group = "loc:@" + names_[static_cast<std::size_t>(target)];
    }
    it->second = AttrValue(std::move(groups));
  }

  std::string device_of(const std::string& device) {
    if (device.empty() && outer_device_.empty()) return {};
    if (device != last_device_ || last_result_.empty()) {
      last_device_ = device;
      last_result_ = to_text(DeviceName::parse(device).over(outer_device_));
    }
    return last_result_;
  }

  void use_shapes(const tensorflow::NodeDef& def, Node& node) {
    const auto it = def.attr().find("_output_shapes");
    if (it == def.attr().end()) return;
    const AttrValue value = from_proto(it->second);
    const auto* shapes = value.get_if<std::vector<PartialShape>>();
    const std::size_t given = shapes == nullptr ? 0 : shapes->size();
    require(given >= static_cast<std::size_t>(node.output_count()), "Node '", def.name(), "' has ",
            node.output_count(), " outputs but the _output_shapes attribute specifies shapes for ",
            given, " outputs");
    for (int i = 0; i < node.output_count(); ++i)
      use_shape(def, node, i, (*shapes)[static_cast<std::size_t>(i)]);
  }

  void use_shape(const tensorflow::NodeDef& def, Node& node, int i, const PartialShape& shape) {
    try {
      edit_.refine_shape(node, i, merge_shapes(node.output_shape(i), shape));
    } catch (const Error& error) {
      constexpr int kFirstReliable = 21;  // older producers wrote shapes that were wrong
      if (def_.versions().producer() < kFirstReliable) return;
      raise(error.code(), "Node '", def.name(),
            "' has an _output_shapes attribute inconsistent with the GraphDef for output #", i,
            ": ", error.message());
    }
  }

  Output returned(const std::string& element) const {
    const bool is_tensor = element.find(':') != element.npos;
    const auto [name, index] = split_input_name(element);
    if (is_tensor)
      if (const Output* replaced = plan_.replacement(name, index)) return *replaced;
    const int at = plan_.find(name);
    require(at >= 0, "Requested return ", is_tensor ? "tensor" : "node", " '", element,
            "' not found in graph def");
    Node* node = made_[static_cast<std::size_t>(at)];
    if (!is_tensor) return {node, -1};
    require(index >= 0 && index < node->output_count(), "Invalid return output ", index,
            " of node '", name, "', which has ", node->output_count(), " output(s)");
    return {node, index};
  }

  const tensorflow::GraphDef& def_;
  const ImportOptions& options_;
  GraphEdit edit_;
  ImportPlan plan_;
  std::vector<std::string> names_;
  DeviceName outer_device_;
  std::vector<Node*> made_;  // by position in the GraphDef
  std::vector<BackEdge> back_edges_;
  std::map<std::string, const tensorflow::OpDef*, std::less<>> producer_ops_;
  std::string last_device_, last_result_;
  std::int64_t output_count_ = 0;
  ImportResult result_;
};

}  // namespace

ImportResult import_graph_def(Graph& graph, const tensorflow::GraphDef& def,
                              const ImportOptions& options) {
  check_versions(def.versions());
  if (!options.prefix.empty())
    require(is_valid_node_name(options.prefix), "Imported node name prefix '", options.prefix,
            "' would lead to invalid node names");
  const auto translated = in_our_ops(def);
  return Importer(graph, translated ? *translated : def, options).run();
}

}  // namespace rill

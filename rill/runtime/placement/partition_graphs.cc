#include "rill/runtime/placement/partition_graphs.h"

#include <algorithm>

#include "rill/graph/attr_proto.h"
#include "tensorflow/core/framework/graph.pb.h"

namespace rill {
namespace {

class GraphWriter {
 public:
  GraphWriter(const Subgraph& part, std::string device, std::set<std::string>& taken,
              tensorflow::GraphDef& def, bool is_placed)
      : part_(part), device_(std::move(device)), def_(def), is_placed_(is_placed) {
    for (const Subgraph::Item& item : part.items) {
      const std::string wanted = wanted_name(item);
      std::string name = wanted;
      for (int copy = 1; !taken.insert(name).second; ++copy) name = str_cat(wanted, "/_copy", copy);
      names_.push_back(std::move(name));
    }
  }

  void write_items() {
    for (std::size_t i = 0; i < part_.items.size(); ++i) {
      const Subgraph::Item& item = part_.items[i];
      tensorflow::NodeDef& node = add(names_[i], op_of(item));
      for (const auto& input : item.inputs) node.add_input(tensor_name(input));
      for (const int control : item.controls) node.add_input("^" + names_[at(control)]);
      write_attrs(item, node);
    }
  }

  void write_fetches(std::span<const Output> fetches) {
    for (std::size_t i = 0; i < part_.fetches.size(); ++i) {
      const Output& fetch = fetches[i];
      tensorflow::NodeDef& node =
          add(str_cat("_retval_", fetch.node->name(), "_", fetch.index, "_", i), "_Retval");
      node.add_input(tensor_name(part_.fetches[i]));
      set(node, "T", base_type(fetch.dtype()));
      set(node, "index", static_cast<std::int64_t>(i));
    }
  }

 private:
  tensorflow::NodeDef& add(std::string name, std::string op) {
    tensorflow::NodeDef& node = *def_.add_node();
    node.set_name(std::move(name));
    node.set_op(std::move(op));
    node.set_device(device_);
    return node;
  }
  static void set(tensorflow::NodeDef& node, const char* name, const AttrValue& value) {
    to_proto(value, &(*node.mutable_attr())[name]);
  }

  static std::string wanted_name(const Subgraph::Item& item) {
    if (item.feed < 0) return item.node->name();
    return str_cat("_arg_", item.node->name(), "_", item.constant_output, "_", item.feed);
  }
  static std::string op_of(const Subgraph::Item& item) {
    if (item.feed >= 0) return "_Arg";
    return item.constant ? "Const" : item.node->op().name;
  }
  std::string tensor_name(const Subgraph::Edge& edge) const {
    const std::string& name = names_[at(edge.item)];
    return edge.output == 0 ? name : str_cat(name, ":", edge.output);
  }

  void write_attrs(const Subgraph::Item& item, tensorflow::NodeDef& node) const {
    if (item.feed >= 0) {
      set(node, "T", base_type(item.node->output_type(item.constant_output)));
      set(node, "index", std::int64_t{item.feed});
    } else if (item.constant) {
      set(node, "dtype", item.constant->dtype());
      set(node, "value", *item.constant);
    } else {
      for (const auto& [name, value] : item.node->attrs())
        if (!is_placed_ || name != "_class") set(node, name.c_str(), value);
    }
  }

  const Subgraph& part_;
  const std::string device_;
  tensorflow::GraphDef& def_;
  // Colocations have been followed, and may name what is in another partition.
  const bool is_placed_;
  std::vector<std::string> names_;  // of the items
};

std::string written(const Subgraph& part, const std::string& device, const Graph& from,
                    std::span<const Output> fetches) {
  tensorflow::GraphDef def;
  std::set<std::string> taken;
  GraphWriter writer(part, device, taken, def, false);
  writer.write_items();
  writer.write_fetches(fetches);
  def.mutable_versions()->set_producer(from.versions.producer);
  return def.SerializeAsString();
}

}  // namespace

void append_partition(const Subgraph& part, const std::string& device, std::set<std::string>& taken,
                      tensorflow::GraphDef* def) {
  GraphWriter(part, device, taken, *def, true).write_items();
}

std::vector<std::string> partition_graphs(const Subgraph& graph, std::span<const Output> fetches,
                                          const Graph& from, std::span<const std::string> devices,
                                          const ArgumentMemory& memory) {
  const bool has_memory = std::ranges::any_of(graph.items, [&](const Subgraph::Item& item) {
    return item.is_plain() && memory.of_device(item.device) != MemoryKind::host;
  });
  if (!has_memory && !spans_devices(graph)) {
    const int device = graph.items.empty() ? 0 : graph.items.back().device;
    return {written(graph, devices[at(device)], from, fetches)};
  }
  std::vector<std::string> graphs;
  for (const PartitionedGraph cut = partition(graph, devices, from.registry(), {}, memory);
       const Partition& part : cut.partitions)
    graphs.push_back(written(part.graph, devices[at(part.device)], from, fetches));
  return graphs;
}

}  // namespace rill

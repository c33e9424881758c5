#include <algorithm>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "rill/api/core/default_graph.h"
#include "rill/api/graph_transforms/graph_editor.h"
#include "rill/api/graph_transforms/transforms.h"
#include "rill/api/graph_util/graph_util.h"
#include "rill/base/error.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"
#include "rill/runtime/session/session.h"

namespace rill::graph_transforms {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

// A larger result would make the file grow more than the work that it saves is worth.
constexpr std::size_t kMaxBytes = 10 << 20;

// The nodes of a graph that depend on constants alone, and what they give.
class ConstantPart {
 public:
  ConstantPart(const GraphDef& graph, const Context& context) {
    const std::unordered_set<std::string> fed(context.inputs.begin(), context.inputs.end());
    for (const NodeDef& node : graph.node()) {
      if (!fed.contains(node.name()) && is_constant(node)) {
        names_.insert(node.name());
        *part_.add_node() = node;
        part_.mutable_node()->rbegin()->clear_device();
      }
    }
    *part_.mutable_versions() = graph.versions();
    drop_lost_colocations(part_);
    for (const NodeDef& node : graph.node())
      if (!names_.contains(node.name()))
        for (const std::string& input : node.input())
          if (!is_control(input)) note_reader(input);
    for (const std::string& output : context.outputs) note_reader(output);
    evaluate();
  }

  // By node: the values of the outputs that something beyond reads.
  const std::unordered_map<std::string, std::map<int, Tensor>>& values() const { return values_; }

 private:
  // Nodes stand behind what they read. What calls functions is left alone.
  bool is_constant(const NodeDef& node) const {
    if (std::ranges::any_of(node.input(), is_control) ||
        std::ranges::any_of(node.attr(), [](const auto& attr) {
          return attr.second.has_func() || attr.second.list().func_size() > 0;
        }))
      return false;
    if (node.op() == "Const") return true;
    const Op* op = standard_ops().find(node.op());
    return op != nullptr && op->has(kPure) && !op->has(kControlFlow | kFeedOnly) &&
           node.input_size() > 0 && std::ranges::all_of(node.input(), [&](const auto& input) {
             return names_.contains(std::string(node_of(input)));
           });
  }

  void note_reader(const std::string& input) {
    const std::string name(node_of(input));
    if (names_.contains(name)) read_.emplace(name, output_of(input));
  }

  // What cannot be computed stays as it is: the error is the business of whoever runs it.
  void evaluate() {
    if (read_.empty()) return;
    const std::shared_ptr<Graph> graph = make_graph();
    import_graph_def(*graph, part_);
    Session session(graph);
    for (const auto& [name, output] : read_) {
      Node& node = graph->at(name);
      if (node.op().name == "Const" || output >= node.output_count() ||
          !(is_trivial(node.output_type(output)) || node.output_type(output) == DType::string))
        continue;
      try {
        Tensor value = session.run(node.output(output));
        if (value.byte_size() <= std::max(kMaxBytes, bytes_before(node)))
          values_[name][output] = std::move(value);
      } catch (const Error&) {
        continue;
      }
    }
  }

  static std::size_t bytes_before(const Node& node) {
    std::size_t bytes = 0;
    for (const Output& input : node.inputs())
      if (const Tensor* value = constant_value(input)) bytes += value->byte_size();
    return bytes;
  }

  GraphDef part_;
  std::unordered_set<std::string> names_;
  std::set<std::pair<std::string, int>> read_;
  std::unordered_map<std::string, std::map<int, Tensor>> values_;
};

// The constant that stands for an output: under the node's own name where that has only one.
std::string constant_name(const std::string& node, int output, bool is_only) {
  return is_only ? node : str_cat(node, "__cf__", output);
}

}  // namespace

GraphDef fold_constants(GraphDef graph, const Context& context) {
  if (!context.outputs.empty()) graph = graph_util::extract_sub_graph(graph, context.outputs);
  graph = sort_by_execution_order(std::move(graph), context);
  const ConstantPart constants(graph, context);
  const bool clear_shapes = context.transform.bool_or("clear_output_shapes", true);
  GraphEditor editor(std::move(graph), context.kept());
  std::unordered_map<std::string, std::string> replaced;  // tensors, by name
  for (NodeDef* node : editor.nodes()) {
    if (clear_shapes) node->mutable_attr()->erase("_output_shapes");
    const auto found = constants.values().find(node->name());
    if (found == constants.values().end()) continue;
    const Op& op = standard_ops().at(node->op());
    const bool is_only = op.outputs.size() == 1 && !op.outputs[0].is_list();
    if (!is_only && editor.is_kept(*node)) continue;
    for (const auto& [output, value] : found->second) {
      NodeDef constant = constant_node(constant_name(node->name(), output, is_only), value);
      if (is_only)
        editor.replace(*node, std::move(constant));
      else
        replaced[str_cat(node->name(), ":", output)] =
            editor.add_before(*node, std::move(constant)).name();
    }
  }
  for (NodeDef* node : editor.nodes())
    for (int i = 0; i < node->input_size(); ++i) {
      if (is_control(node->input(i))) continue;
      const auto found =
          replaced.find(str_cat(node_of(node->input(i)), ":", output_of(node->input(i))));
      if (found != replaced.end()) editor.set_input(*node, i, found->second);
    }
  GraphDef result = editor.finish();
  return context.outputs.empty() ? result : graph_util::extract_sub_graph(result, context.outputs);
}

}  // namespace rill::graph_transforms

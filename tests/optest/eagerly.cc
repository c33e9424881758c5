#include "tests/optest/eagerly.h"

#include <map>
#include <set>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/import_library.h"
#include "rill/ops/register.h"
#include "rill/runtime/eager/eager_context.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill {
namespace {

bool eagerly = false;

bool is_ref_op(const Op& op) {
  const auto is_ref = [](const Arg& arg) { return arg.is_ref; };
  return std::ranges::any_of(op.inputs, is_ref) || std::ranges::any_of(op.outputs, is_ref);
}

bool is_flow_op(const std::string& op) {
  static const std::set<std::string, std::less<>> kFlow{
      "Switch",        "Merge",    "Enter",          "Exit",
      "NextIteration", "LoopCond", "ControlTrigger", "_Switchn"};
  return kFlow.contains(op);
}

bool belongs_to_graphs(const tensorflow::GraphDef& def) {
  return std::ranges::any_of(def.node(), [&](const auto& node) {
    const Op* op = standard_ops().find(node.op());
    return is_flow_op(node.op()) || (op != nullptr && is_ref_op(*op));
  });
}

// What a session has for itself is the process's here: names of resources and of functions become
// those of one row.
class RowNames {
 public:
  explicit RowNames(tensorflow::GraphDef& def) : suffix_(str_cat("_row_", ++rows)) {
    for (auto& function : *def.mutable_library()->mutable_function())
      functions_.insert(function.signature().name());
    for (auto& node : *def.mutable_node()) change(node);
    for (auto& function : *def.mutable_library()->mutable_function()) {
      rename(*function.mutable_signature()->mutable_name());
      for (auto& node : *function.mutable_node_def()) change(node);
    }
  }

 private:
  void rename(std::string& name) const {
    if (functions_.contains(name)) name += suffix_;
  }
  void change(tensorflow::NodeDef& node) const {
    rename(*node.mutable_op());
    for (auto& [key, attr] : *node.mutable_attr()) {
      if (key == "shared_name" && !attr.s().empty()) *attr.mutable_s() += suffix_;
      if (attr.has_func()) rename(*attr.mutable_func()->mutable_name());
      if (!attr.has_list()) continue;
      for (auto& function : *attr.mutable_list()->mutable_func()) rename(*function.mutable_name());
    }
  }

  static inline int rows = 0;
  const std::string suffix_;
  std::set<std::string> functions_;
};

// Executes the nodes that are asked for, after those that they need.
class Interpreter {
 public:
  explicit Interpreter(const CaseGraph& graph) {
    for (const auto& node : graph.def.node()) defs_[node.name()] = &node;
    for (const auto& [name, value] : graph.feeds) fed_[name] = value;
  }

  std::vector<Output>& run(const std::string& name) {
    const auto done = outputs_.find(name);
    if (done != outputs_.end()) return done->second;
    const auto found = defs_.find(name);
    require(found != defs_.end(), "there is no node ", name);
    return outputs_[name] = execute(*found->second);
  }

  Output tensor(const std::string& reference) {
    const auto colon = reference.rfind(':');
    const bool has_index = colon != std::string::npos;
    const auto index = has_index ? std::stoul(reference.substr(colon + 1)) : 0;
    const auto& outputs = run(reference.substr(0, colon));
    require(index < outputs.size(), reference, " is not there");
    return outputs[index];
  }

 private:
  std::vector<Output> execute(const tensorflow::NodeDef& def) {
    Graph& graph = *eager_graph();
    const auto fed = fed_.find(def.name() + ":0");
    if (fed != fed_.end()) return {Scope(graph).constant(fed->second)};
    NodeSpec spec{.op = def.op(),
                  .name = {},
                  .inputs = {},
                  .control_inputs = {},
                  .attrs = {},
                  .device = def.device(),
                  .origin = {}};
    for (const std::string& input : def.input())
      if (input.starts_with("^"))
        run(input.substr(1));
      else
        spec.inputs.push_back(tensor(input));
    for (const auto& [key, attr] : def.attr())
      if (!key.starts_with("_")) spec.attrs.emplace(key, from_proto(attr));
    Node& node = graph.add(std::move(spec));
    std::vector<Output> outputs;
    for (int i = 0; i < node.output_count(); ++i) outputs.push_back(node.output(i));
    return outputs;
  }

  std::map<std::string, const tensorflow::NodeDef*> defs_;
  std::map<std::string, Tensor> fed_;
  std::map<std::string, std::vector<Output>> outputs_;
};

void define_functions(const tensorflow::GraphDef& def) {
  if (def.library().function_size() == 0) return;
  GraphEdit edit(*eager_graph());
  import_library(edit, def.library(), def.versions().producer());
  edit.commit();
}

}  // namespace

void run_rows_eagerly() { eagerly = true; }
bool rows_run_eagerly() { return eagerly; }

std::optional<std::vector<Tensor>> run_eagerly(const CaseGraph& given, std::int64_t timeout_ms) {
  if (belongs_to_graphs(given.def)) return std::nullopt;
  CaseGraph graph = given;
  const RowNames names(graph.def);
  const AsDefault eager(eager_graph());
  EagerContext::instance().set_timeout(timeout_ms);
  eager_graph()->forget_kernels();
  define_functions(graph.def);
  Interpreter interpreter(graph);
  for (const std::string& target : graph.targets) interpreter.run(target);
  std::vector<Tensor> values;
  for (const std::string& fetch : graph.fetches)
    values.push_back(interpreter.tensor(fetch).value());
  forget_recent_nodes();
  return values;
}

}  // namespace rill

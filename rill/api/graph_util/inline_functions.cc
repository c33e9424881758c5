#include "rill/api/graph_util/inline_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

#include "rill/api/core/default_graph.h"
#include "rill/api/graph_util/input_names.h"
#include "rill/base/error.h"
#include "rill/graph/attr_proto.h"
#include "rill/graph/function_body.h"
#include "rill/graph/graph_def.h"
#include "rill/ops/register.h"

namespace rill::graph_util {
namespace {

using tensorflow::GraphDef;
using tensorflow::NodeDef;

constexpr int kMaxNodes = 200'000;

std::string tensor_name(std::string_view input) {
  return str_cat(node_of(input), ":", output_of(input));
}

std::string short_name(const Output& tensor) {  // as GraphDefs have it: no ":0"
  return tensor.index == 0 ? tensor.node->name() : tensor.name();
}

void add_functions(const tensorflow::AttrValue& value, std::vector<std::string>& names) {
  if (value.has_func()) names.push_back(value.func().name());
  for (const auto& function : value.list().func()) names.push_back(function.name());
}

// Takes away functions that nothing of the graph mentions, themselves or through others.
void drop_unused_functions(GraphDef& graph) {
  std::map<std::string, const tensorflow::FunctionDef*> known;
  for (const auto& function : graph.library().function())
    known[function.signature().name()] = &function;
  std::vector<std::string> waiting;
  const auto note = [&](const auto& nodes) {
    for (const NodeDef& node : nodes) {
      waiting.push_back(node.op());
      for (const auto& [name, value] : node.attr()) add_functions(value, waiting);
    }
  };
  note(graph.node());
  std::set<std::string> used;
  while (!waiting.empty()) {
    const auto found = known.find(waiting.back());
    waiting.pop_back();
    if (found != known.end() && used.insert(found->first).second) note(found->second->node_def());
  }
  auto& functions = *graph.mutable_library()->mutable_function();
  functions.erase(std::remove_if(functions.begin(), functions.end(),
                                 [&](const auto& function) {
                                   return !used.contains(function.signature().name());
                                 }),
                  functions.end());
  auto& gradients = *graph.mutable_library()->mutable_gradient();
  gradients.erase(std::remove_if(gradients.begin(), gradients.end(),
                                 [&](const auto& gradient) {
                                   return !used.contains(gradient.function_name()) ||
                                          !used.contains(gradient.gradient_func());
                                 }),
                  gradients.end());
}

using Tensors = std::unordered_map<std::string, std::string>;  // what tensors of calls are now

std::string followed(std::string input, const Tensors& results) {
  std::size_t steps = 0;
  for (auto it = results.find(tensor_name(input)); it != results.end();
       it = results.find(tensor_name(input))) {
    require(steps++ < results.size(), "The graph has a cycle at ", input);
    input = it->second;
  }
  return input;
}

class Inliner {
 public:
  explicit Inliner(const GraphDef& graph) : functions_(make_graph()) {
    GraphDef library;
    *library.mutable_library() = graph.library();
    *library.mutable_versions() = graph.versions();
    import_graph_def(*functions_, library);
  }

  // True while there was something to replace.
  bool replace_calls(GraphDef& graph) {
    GraphDef result;
    Tensors results;
    bool found = false;
    for (NodeDef& node : *graph.mutable_node()) {
      const auto call = called(node);
      if (!call) {
        result.add_node()->Swap(&node);
        continue;
      }
      found = true;
      place(node, *call, result, results);
      if (result.node_size() > kMaxNodes)
        raise(Code::kResourceExhausted, "The bodies of functions have more than ", kMaxNodes,
              " nodes, at the call ", node.name());
    }
    for (NodeDef& node : *result.mutable_node())
      for (std::string& input : *node.mutable_input())
        if (!is_control(input)) input = followed(input, results);
    *graph.mutable_node() = std::move(*result.mutable_node());
    return found;
  }

 private:
  std::optional<FuncName> called(const NodeDef& node) const {
    const Op* op = standard_ops().find(node.op());
    FuncName call;
    if (op != nullptr && op->has(kCall) && node.attr().contains("f")) {
      call = from_proto(node.attr().at("f").func());
    } else {
      call.name = node.op();
      if (functions_->functions()->find(call.name) == nullptr) return std::nullopt;
      for (const auto& [name, value] : node.attr())
        if (!name.starts_with('_')) call.attrs[name] = from_proto(value);
    }
    return call;
  }

  void place(const NodeDef& call, const FuncName& name, GraphDef& result, Tensors& results) {
    const FunctionBody body =
        instantiate(*functions_->functions()->at(name.name), name.attrs, standard_ops(),
                    functions_->functions(), {.prefix = call.name(), .device = call.device()});
    std::vector<std::string> data, controls;
    for (const std::string& input : call.input())
      (is_control(input) ? controls : data).push_back(input);
    require(data.size() == body.args.size(), "The call ", call.name(), " has ", data.size(),
            " inputs, the function ", name.name, " takes ", body.args.size());
    std::map<std::string, std::string> arguments;
    for (std::size_t i = 0; i < data.size(); ++i) arguments[body.args[i]->name()] = data[i];
    const auto moved = [&](const std::string& input) {
      const auto found = arguments.find(std::string(node_of(input)));
      if (found == arguments.end()) return input;
      return is_control(input) ? str_cat("^", node_of(found->second)) : found->second;
    };

    std::set<std::string> left_out;
    for (const auto* nodes : {&body.args, &body.returns, &body.dropped})
      for (const Node* node : *nodes) left_out.insert(node->name());
    for (const Node* node : body.graph->nodes()) {
      if (left_out.contains(node->name())) continue;
      NodeDef* def = result.add_node();
      export_node_def(*node, def);
      const bool begins = std::ranges::none_of(def->input(), [&](const std::string& input) {
        return !arguments.contains(std::string(node_of(input)));
      });
      for (std::string& input : *def->mutable_input()) input = moved(input);
      if (begins)
        for (const std::string& control : controls) def->add_input(control);
    }
    add_results(call, body, moved, result, results);
  }

  // Under the name of the call, for who waits for it and for who asks for it from outside.
  void add_results(const NodeDef& call, const FunctionBody& body, const auto& moved,
                   GraphDef& result, Tensors& results) {
    NodeDef* all = result.add_node();
    all->set_name(call.name());
    all->set_op(body.returns.empty() ? "NoOp" : "IdentityN");
    const auto values = body.return_values();
    const auto types = body.return_types();
    for (std::size_t i = 0; i < values.size(); ++i) {
      all->add_input(moved(short_name(values[i])));
      results[str_cat(call.name(), ":", i)] = all->input(static_cast<int>(i));
      (*all->mutable_attr())["T"].mutable_list()->add_type(
          static_cast<tensorflow::DataType>(types[i]));
    }
    for (const Node* node : body.control_returns) all->add_input("^" + node->name());
  }

  std::shared_ptr<Graph> functions_;
};

}  // namespace

GraphDef inline_functions(const GraphDef& graph) {
  constexpr int kDeepest = 64;
  Inliner inliner(graph);
  GraphDef result = graph;
  for (int depth = 0; inliner.replace_calls(result); ++depth)
    if (depth == kDeepest)
      raise(Code::kResourceExhausted, "Functions call each other more than ", kDeepest, " deep");
  drop_unused_functions(result);
  return result;
}

bool passes_variables_to_functions(const GraphDef& graph) {
  std::set<std::string> variables, functions;
  for (const NodeDef& node : graph.node())
    if (node.op() == "VarHandleOp") variables.insert(node.name());
  for (const auto& function : graph.library().function())
    functions.insert(function.signature().name());
  return std::ranges::any_of(graph.node(), [&](const NodeDef& node) {
    const Op* op = standard_ops().find(node.op());
    return ((op != nullptr && op->has(kCall)) || functions.contains(node.op())) &&
           std::ranges::any_of(node.input(), [&](const std::string& input) {
             return !is_control(input) && variables.contains(std::string(node_of(input)));
           });
  });
}

}  // namespace rill::graph_util

#include "rill/api/core/variable_making.h"

#include <algorithm>
#include <unordered_map>

#include "rill/api/core/default_graph.h"
#include "rill/api/core/outermost_graph.h"
#include "rill/base/error.h"
#include "rill/graph/body_owner.h"
#include "rill/graph/function_define.h"

namespace rill {
namespace {

// Makes nodes of a body anew in the graph around all functions, inputs first, each once: an eager
// one executes them.
class Outside {
 public:
  Output compute(const Output& x) {
    std::vector<std::pair<Node*, int>> path{{x.node, 0}};
    while (!path.empty()) {
      auto& [node, next] = path.back();
      if (executed_.contains(node)) {
        path.pop_back();
      } else if (next < node->input_count()) {
        const Output input = node->input(next++);
        if (!is_outside(input)) path.emplace_back(input.node, 0);
      } else {
        Node* const done = node;
        path.pop_back();
        execute(*done);
      }
    }
    return made_of(x);
  }

 private:
  bool is_outside(const Output& x) const { return &x.node->graph() == graph_.get(); }

  Output made_of(const Output& x) const {
    if (is_outside(x)) return x;
    const std::vector<Output>& made = executed_.at(x.node);
    return made.at(static_cast<std::size_t>(x.index));
  }

  void execute(Node& node) {
    if (node.op().name == "Placeholder") {
      executed_[&node] = {compute_captured(node)};
      return;
    }
    NodeSpec spec{.op = node.op().name, .attrs = node.attrs(), .device = node.device()};
    for (const Output& input : node.inputs()) spec.inputs.push_back(made_of(input));
    if (!graph_->is_eager()) spec.name = graph_->unique_name(node.name());
    Node& made = graph_->add(std::move(spec));
    std::vector<Output> outputs;
    for (int i = 0; i < made.output_count(); ++i) outputs.push_back(made.output(i));
    executed_[&node] = std::move(outputs);
  }

  static Output compute_captured(Node& node) {
    const auto& given = node.graph().attached<VariableMaking>().given;
    if (const auto known = given.find(&node); known != given.end()) return known->second;
    FunctionBuilder* const builder = node.graph().attached<BodyOwner>().builder;
    if (builder != nullptr) {
      const std::vector<Output> arguments = builder->arguments();
      const std::vector<Output>& captured = builder->captured();
      const std::size_t first = arguments.size() - captured.size();
      for (std::size_t i = 0; i < captured.size(); ++i)
        if (arguments[first + i].node.get() == &node) return computed_outside(captured[i]);
    }
    raise(Code::kInvalidArgument,
          "Tensor-typed variable initializers must either be wrapped in an init_scope or callable "
          "(e.g., `tf.Variable(lambda : tf.truncated_normal([10, 40]))`) when building functions. "
          "The initializer depends on ",
          node.name(), ", an argument of the function.");
  }

  const std::shared_ptr<Graph> graph_ = outermost_graph();
  std::unordered_map<const Node*, std::vector<Output>> executed_;
};

}  // namespace

Output computed_outside(const Output& x) {
  return &x.node->graph() == outermost_graph().get() ? x : Outside().compute(x);
}

}  // namespace rill

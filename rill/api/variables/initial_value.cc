#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "rill/api/variables/variable_creation.h"

namespace rill {
namespace {

bool is_variable(const Node& node) { return node.op().has(kVariable); }

// These read a variable in a way that must not be replaced, or know whether it has a value.
bool is_kept(const Node& node) {
  const std::string& op = node.op().name;
  return op == "IsVariableInitialized" || op == "VarIsInitializedOp" || op == "ReadVariableOp" ||
         op == "If";
}

// Walks with a stack of its own: initial values may be deep.
bool has_cycle(Node& last) {
  enum class Seen { kOpen, kDone };
  std::unordered_map<Node*, Seen> seen;
  std::vector<std::pair<Node*, int>> path{{&last, 0}};
  seen[&last] = Seen::kOpen;
  while (!path.empty()) {
    auto& [node, next] = path.back();
    const int inputs = node->input_count();
    const int controls = static_cast<int>(node->control_inputs().size());
    if (next == inputs + controls) {
      seen[node] = Seen::kDone;
      path.pop_back();
      continue;
    }
    Node* source = next < inputs ? node->input(next).node.get()
                                 : node->control_inputs()[static_cast<std::size_t>(next - inputs)];
    ++next;
    const auto [found, is_new] = seen.try_emplace(source, Seen::kOpen);
    if (is_new) {
      path.emplace_back(source, 0);
    } else if (found->second == Seen::kOpen) {
      return true;
    }
  }
  return false;
}

class SafeValue {
 public:
  explicit SafeValue(std::string_view name) : name_(name) {}

  // Inputs first, in order, each node once.
  Node& replacement(Node& last) {
    std::vector<std::pair<Node*, int>> path{{&last, 0}};
    while (!path.empty()) {
      auto& [node, next] = path.back();
      const bool is_leaf = is_kept(*node) || is_variable(*node);
      if (!is_leaf && next < node->input_count()) {
        const Output input = node->input(next++);
        if (!is_handle(input) && !replaced_.contains(input.node)) path.emplace_back(input.node, 0);
        continue;
      }
      Node* const done = node;
      path.pop_back();
      if (!replaced_.contains(done)) replaced_[done] = &replace(*done);
    }
    return *replaced_.at(&last);
  }

 private:
  // What an op does with a resource itself, no value can stand for.
  static bool is_handle(Output input) { return base_type(input.dtype()) == DType::resource; }

  Node& replace(Node& node) {
    if (is_kept(node)) return node;
    if (is_variable(node)) {
      const Variable variable = find_variable(node.output(0));
      return variable ? *variable.initialized_value().node : node;
    }
    std::vector<Output> inputs;
    for (const Output& input : node.inputs())
      inputs.push_back(is_handle(input) ? input : Output{replaced_.at(input.node), input.index});
    if (inputs == node.inputs()) return node;
    const bool is_switch = node.op().name == "RefSwitch";
    return copy(node, is_switch ? "Switch" : node.op().name, std::move(inputs));
  }

  Node& copy(Node& node, const std::string& op, std::vector<Output> inputs) {
    std::string name = str_cat(node.name(), "_", name_);
    std::ranges::replace(name, ':', '_');
    return current_scope().named("").add(node.graph().op(op), arguments(node, inputs), node.attrs(),
                                         name);
  }

  // `inputs` as the arguments of the op of `node`.
  static std::vector<InputArg> arguments(const Node& node, const std::vector<Output>& inputs) {
    std::vector<InputArg> all;
    std::size_t next = 0;
    for (const Arg& arg : node.op().inputs) {
      std::size_t count = 1;
      if (!arg.number_attr.empty())
        count = static_cast<std::size_t>(node.attr<std::int64_t>(arg.number_attr));
      else if (!arg.type_list_attr.empty())
        count = node.attr<std::vector<DType>>(arg.type_list_attr).size();
      const bool is_list = !arg.number_attr.empty() || !arg.type_list_attr.empty();
      std::vector<Input> items;
      for (std::size_t i = 0; i < count; ++i) items.emplace_back(inputs.at(next++));
      if (is_list)
        all.emplace_back(std::move(items));
      else
        all.emplace_back(std::move(items.front()));
    }
    return all;
  }

  std::string_view name_;
  std::unordered_map<Node*, Node*> replaced_;
};

}  // namespace

Output safe_initial_value(std::string_view name, Output initial_value) {
  if (has_cycle(*initial_value.node)) return initial_value;
  return {&SafeValue(name).replacement(*initial_value.node), initial_value.index};
}

}  // namespace rill

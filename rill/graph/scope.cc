#include "rill/graph/scope.h"

#include <algorithm>
#include <array>
#include <set>

#include "rill/base/error.h"
#include "rill/base/error_classes.h"
#include "rill/base/error_place.h"
#include "rill/graph/device_name.h"
#include "rill/graph/flow_context.h"
#include "rill/graph/op_binder.h"
#include "rill/graph/quick_executor.h"
#include "rill/graph/refusal.h"

namespace rill {
namespace {

// What programs catch has the class of its code.
Node& add_to(Graph& graph, NodeSpec spec) {
  try {
    return graph.add(std::move(spec));
  } catch (const Refusal& refusal) {
    throw_as_class(refusal);
  }
}

void check_scope_name(std::string_view name, bool at_root) {
  require(at_root ? is_valid_node_name(name) : is_valid_scope_name(name), "'", name,
          "' is not a valid scope name");
}

}  // namespace

std::vector<std::string> colocation_groups(const Node& node) {
  const auto it = node.attrs().find("_class");
  const auto* given =
      it == node.attrs().end() ? nullptr : it->second.get_if<std::vector<std::string>>();
  std::vector<std::string> groups;
  if (given != nullptr)
    std::ranges::copy_if(*given, std::back_inserter(groups),
                         [](const std::string& group) { return group.starts_with("loc:@"); });
  if (groups.empty()) groups.push_back("loc:@" + node.name());
  return groups;
}

Scope Scope::named(std::string_view name) const {
  Scope inner = *this;
  if (graph_->is_eager()) {  // there is nothing that would need a name of its own
    inner.name_ = name.ends_with("/")             ? std::string(name.substr(0, name.size() - 1))
                  : name.empty() || name_.empty() ? std::string(name)
                                                  : str_cat(name_, "/", name);
    return inner;
  }
  if (!name.empty()) check_scope_name(name, name_.empty());
  if (name.empty()) {
    inner.name_.clear();
  } else if (name.ends_with("/")) {
    inner.name_ = name.substr(0, name.size() - 1);
  } else {
    inner.name_ = unique_name(name);
  }
  return inner;
}

Scope Scope::with_control(std::span<Node* const> nodes) const {
  Scope inner = *this;
  inner.control_.push_back({{nodes.begin(), nodes.end()}, std::make_shared<NodeSet>()});
  return inner;
}

Scope Scope::without_control() const {
  Scope inner = *this;
  inner.control_.clear();
  inner.flow_ = nullptr;
  return inner;
}

Scope Scope::inside(FlowContext* context) const {
  Scope inner = *this;
  inner.flow_ = context;
  return inner;
}

Scope Scope::on_device(std::string device) const {
  Scope inner = *this;
  const DeviceName given = DeviceName::parse(device);
  if (devices_.empty() || devices_.back().choose) {
    inner.devices_.push_back({to_text(given), nullptr});
  } else {
    std::string& outer = inner.devices_.back().name;
    outer = to_text(given.over(DeviceName::parse(outer)));
  }
  return inner;
}

Scope Scope::on_device(DeviceFunction choose) const {
  require(bool(choose), "a device function is empty");
  Scope inner = *this;
  inner.devices_.push_back({"", std::move(choose)});
  return inner;
}

Scope Scope::without_device() const {
  Scope inner = *this;
  inner.devices_.clear();
  return inner;
}

Scope Scope::colocated_with(Node& node) const {
  Scope inner = *this;
  if (node.is_executed()) return inner;  // it has been somewhere, and is no node of the graph
  inner.devices_.clear();
  inner.colocation_.push_back(&node);
  return inner;
}

Scope Scope::without_colocation() const {
  Scope inner = *this;
  inner.colocation_.clear();
  return inner;
}

Scope Scope::from(OriginRef origin) const {
  Scope inner = *this;
  inner.origin_ = std::move(origin);
  return inner;
}

std::string Scope::unique_name(std::string_view name) const {
  std::string full = name_.empty() ? std::string(name) : str_cat(name_, "/", name);
  return graph_->is_eager() ? full : graph_->unique_name(full);
}

Node& Scope::add(const Op& op, std::vector<InputArg> inputs, AttrMap attrs, std::string_view name) {
  const ErrorPlace place(line());
  if (graph_->is_eager()) return execute(op, inputs, std::move(attrs));
  Scope inner = named(name.empty() ? std::string_view(op.name) : name);
  NodeSpec spec = OpBinder(op, inner, std::move(attrs)).bind(inputs);
  spec.name = inner.name_;
  if (std::ranges::none_of(op.inputs, &Arg::is_ref)) return inner.finish(std::move(spec));
  return inner.beside_refs(op, inputs, spec.inputs).finish(std::move(spec));
}

namespace {

bool take(TensorCall& call, const Input& input) {
  if (!input.is_output() || call.count == TensorCall::kMost) return false;
  Output& tensor = call.tensors[call.count] = input.output();
  if (tensor.node == nullptr || !tensor.node->is_executed()) return false;
  call.pattern[call.pattern_size++] =
      static_cast<std::uint8_t>(tensor.node->output_type(tensor.index));
  ++call.count;
  return true;
}

// False where it is no such call.
bool take_all(TensorCall& call, const std::vector<InputArg>& inputs) {
  constexpr std::uint8_t kList = 0xff;
  for (const InputArg& input : inputs) {
    if (call.pattern_size + 1 >= call.pattern.size()) return false;
    if (input.is_list()) call.pattern[call.pattern_size++] = kList;
    for (const Input& item : input.items())
      if (!take(call, item) || call.pattern_size + 1 >= call.pattern.size()) return false;
    if (input.is_list()) call.pattern[call.pattern_size++] = kList;
  }
  return true;
}

QuickExecutor* quick(OpExecutor* executor) {
  static thread_local OpExecutor* asked = nullptr;
  static thread_local QuickExecutor* found = nullptr;
  if (asked != executor) found = dynamic_cast<QuickExecutor*>(asked = executor);
  return found;
}

}  // namespace

Node& Scope::execute(const Op& op, const std::vector<InputArg>& inputs, AttrMap attrs) {
  QuickExecutor* const executor = devices_.empty() ? quick(graph_->executor_) : nullptr;
  TensorCall call{.op = &op};
  const bool is_plain = executor != nullptr && take_all(call, inputs);
  if (is_plain)
    if (Node* node = executor->execute_again(*graph_, call, attrs)) return *node;
  const AttrMap given = is_plain ? attrs : AttrMap();
  NodeSpec spec = OpBinder(op, *this, std::move(attrs)).bind(inputs);
  if (!devices_.empty() && !devices_.back().choose) spec.device = devices_.back().name;
  spec.origin = origin_;
  Node& node = add_to(*graph_, std::move(spec));
  if (is_plain) executor->remember(call, given);
  return node;
}

// What changes a variable runs where the variable is.
Scope Scope::beside_refs(const Op& op, const std::vector<InputArg>& args,
                         std::span<const Output> inputs) const {
  Scope result = *this;
  std::size_t next = 0;
  for (std::size_t i = 0; i < args.size(); ++i)
    for (std::size_t n = args[i].items().size(); n > 0; --n, ++next)
      if (op.inputs[i].is_ref) result = result.colocated_with(*inputs[next].node);
  return result;
}

Output Scope::constant(Tensor value, std::string_view name) {
  if (graph_->is_eager()) {
    if (devices_.empty() || devices_.back().choose || devices_.back().name.empty())
      return graph_->executor_->constant(*graph_, std::move(value)).output(0);
    const DType type = value.dtype();
    return graph_
        ->add({.op = "Const",
               .attrs = {{"dtype", type}, {"value", std::move(value)}},
               .device = devices_.back().name})
        .output(0);
  }
  NodeSpec spec{.op = "Const"};
  if (name.ends_with("/")) {
    spec.name = name.substr(0, name.size() - 1);
  } else {
    spec.name = unique_name(name);
  }
  spec.attrs.emplace("dtype", value.dtype());
  spec.attrs.emplace("value", std::move(value));
  return finish(std::move(spec)).output(0);
}

// Values from outside the branch or loop are brought in after the node is made, in the node's own
// name scope: TensorFlow's order of nodes.
Node& Scope::finish(NodeSpec spec) {
  spec.control_inputs = control_for(spec.inputs);
  const bool names_only =
      std::ranges::none_of(devices_, [](const DeviceBlock& block) { return bool(block.choose); });
  if (names_only && !devices_.empty()) spec.device = devices_.back().name;
  std::vector<Node*> outside;
  check_sources(spec, flow_);
  if (flow_ != nullptr) outside = flow_->drop_outside(spec.control_inputs);
  spec.origin = origin_;
  colocate(spec);
  const std::string colocated = names_only ? std::string() : spec.device;
  Node& node = add_to(*graph_, std::move(spec));
  if (flow_ != nullptr) flow_->take_in(*this, node, outside);
  count_as_inside(node);
  if (!names_only) choose_device(node, colocated);
  if (on_created) on_created(node);
  return node;
}

// Functions see the whole node, so they are asked when it is in the graph.
void Scope::choose_device(Node& node, const std::string& colocated) const {
  graph_->set_device(node, "");
  put_on_devices(node);
  if (!colocated.empty()) graph_->set_device(node, colocated);
}

void Scope::put_on_devices(Node& node) const {
  for (auto block = devices_.rbegin(); block != devices_.rend(); ++block) {
    graph_->set_device(
        node, block->choose
                  ? block->choose(node)
                  : to_text(DeviceName::parse(node.device()).over(DeviceName::parse(block->name))));
  }
}

void Scope::count_as_inside(const Node& node) const {
  for (const ControlBlock& block : control_) block.made_inside->insert(&node);
}

void Scope::colocate(NodeSpec& spec) const {
  if (colocation_.empty()) return;
  std::set<std::string> groups;
  for (const Node* target : colocation_) {
    groups.merge([&] {
      const auto of_target = colocation_groups(*target);
      return std::set(of_target.begin(), of_target.end());
    }());
    if (!target->device().empty()) spec.device = target->device();
  }
  spec.attrs.insert_or_assign("_class", std::vector<std::string>(groups.begin(), groups.end()));
}

std::vector<Node*> Scope::control_for(std::span<const Output> inputs) const {
  std::vector<Node*> control;
  if (control_.empty()) return control;
  std::unordered_set<const Node*> sources;
  for (const Output& input : inputs) sources.insert(input.node);
  for (const ControlBlock& block : control_) {
    const bool waits_already = std::ranges::any_of(
        sources, [&](const Node* source) { return block.made_inside->contains(source); });
    if (waits_already) continue;
    for (Node* node : block.nodes)
      if (!sources.contains(node)) control.push_back(node);
  }
  return control;
}

namespace {

OriginRef new_origin_at(const std::source_location& at) {
  Frame frame{at.file_name(), at.function_name(), static_cast<int>(at.line())};
  return std::make_shared<const Origin>(Origin{{std::move(frame)}, at});
}

bool same_place(const std::source_location& a, const std::source_location& b) {
  return a.file_name() == b.file_name() && a.line() == b.line() && a.column() == b.column() &&
         a.function_name() == b.function_name();
}

}  // namespace

// Programs come through the same lines again and again.
OriginRef origin_at(std::source_location at) {
  static thread_local std::array<OriginRef, 64> known;
  const auto hash = reinterpret_cast<std::uintptr_t>(at.file_name()) / 8 + at.line() * 31;
  OriginRef& origin = known[(hash + at.column()) % known.size()];
  if (origin == nullptr || !same_place(*origin->place, at)) origin = new_origin_at(at);
  return origin;
}

}  // namespace rill

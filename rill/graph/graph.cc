#include "rill/graph/graph.h"

#include <algorithm>
#include <unordered_set>

#include "rill/base/error.h"
#include "rill/graph/evaluated_value.h"
#include "rill/graph/function.h"
#include "rill/graph/node_resolve.h"

namespace rill {
namespace {

void check_available(const Op& op, int producer) {
  if (op.deprecated == 0 || producer < op.deprecated) return;
  raise(Code::kUnimplemented, "Op ", op.name, " is not available in GraphDef version ", producer,
        ". It has been removed in version ", op.deprecated, ". ", op.deprecated_why, ".");
}

void forget_one(std::vector<Node*>& nodes, const Node* node) {
  const auto it = std::ranges::find(nodes, node);
  if (it != nodes.end()) nodes.erase(it);
}

}  // namespace

Graph::Graph(const Registry& registry, std::shared_ptr<FunctionLibrary> library)
    : registry_(registry),
      functions_(library ? std::move(library) : std::make_shared<FunctionLibrary>()) {}

Graph::~Graph() = default;

Node& Graph::add(NodeSpec spec) {
  if (executor_ != nullptr) return executor_->execute(*this, std::move(spec));
  if (capture)
    for (Output& input : spec.inputs)
      if (input.node && input.node->graph_ != this) input = capture(input);
  const std::lock_guard lock(mutex_);
  return insert(std::move(spec), {.producer = versions.producer});
}

const Op& Graph::op(std::string_view name) const {
  if (const Op* op = registry_.find(name)) return *op;
  const auto function = functions_->find(name);
  return function == nullptr ? registry_.at(name) : function->signature;
}

Node& Graph::insert(NodeSpec spec, InsertRules rules) {
  if (finalized_) raise(Code::kFailedPrecondition, "Graph is finalized and cannot be modified.");
  const Op& op = this->op(spec.op);
  require(is_valid_node_name(spec.name) || (rules.internal_names && spec.name.starts_with("_")),
          "'", spec.name, "' is not a valid node name");
  require(find(spec.name) == nullptr, "Duplicate node name in graph: '", spec.name, "'");
  check_available(op, rules.producer);
  check_edges(spec, rules.inputs_later);

  std::unique_ptr<Node> node(new Node);
  ResolvedNode resolved = resolve_node(op, spec);
  node->id_ = node_count();
  node->graph_ = this;
  node->graph_life_ = life_.number();
  node->name_ = std::move(spec.name);
  node->device_ = std::move(spec.device);
  node->op_ = &op;
  node->attrs_ = std::make_shared<AttrMap>(std::move(resolved.attrs));
  node->origin_ = std::move(spec.origin);
  node->inputs_ = std::move(spec.inputs);
  node->input_types_ = std::move(resolved.input_types);
  node->output_types_ = std::move(resolved.output_types);
  std::unordered_set<const Node*> waited_for;
  for (Node* before : spec.control_inputs)
    if (waited_for.insert(before).second) node->control_inputs_.push_back(before);
  infer(*node);
  return link(std::move(node));
}

void Graph::check_edges(const NodeSpec& spec, bool inputs_later) const {
  for (std::size_t i = 0; i < spec.inputs.size(); ++i) {
    const Output input = spec.inputs[i];
    if (!input.node && inputs_later) continue;
    require(bool(input.node), "Input ", i, " of node ", spec.name, " (op: ", spec.op,
            ") is missing");
    check_source(input, spec.name);
  }
  for (const Node* before : spec.control_inputs)
    require(before != nullptr && before->graph_ == this, "a control input of node ", spec.name,
            " is not a node of this graph");
}

void Graph::check_source(Output source, const std::string& reader) const {
  if (source.node->is_executed())
    raise(Code::kFailedPrecondition,
          "Attempting to capture an EagerTensor without building a function.");
  require(source.node->graph_ == this, "the input ", source, " of node ", reader,
          " must be from the same graph as the node");
  require(source.index >= 0 && source.index < source.node->output_count(), "Node '", reader,
          "': Connecting to invalid output ", source.index, " of source node ", source.node->name(),
          " which has ", source.node->output_count(), " outputs.");
}

Node& Graph::link(std::unique_ptr<Node> owned) {
  Node& node = *owned;
  nodes_.push_back(std::move(owned));
  node_count_.store(static_cast<int>(nodes_.size()), std::memory_order_release);
  for (const Output& input : node.inputs_)
    if (input.node) input.node->consumers_.push_back(&node);
  for (Node* before : node.control_inputs_) before->consumers_.push_back(&node);
  const std::lock_guard lock(index_mutex_);
  by_name_.emplace(node.name_, &node);
  std::string key = lower(node.name_);
  if (!used_names_.contains(key)) note_name(std::move(key), 1);
  return node;
}

void Graph::note_name(std::string key, int uses) {
  auto& entry = used_names_[key];
  if (name_journal_ != nullptr) name_journal_->emplace_back(std::move(key), entry);
  entry = uses;
}

void Graph::set_input(Node& node, int index, Output value) {
  const std::lock_guard lock(mutex_);
  rewire(node, index, value);
}

void Graph::rewire(Node& node, int index, Output value) {
  require(node.graph_ == this && index >= 0 && index < node.input_count(), "node ", node.name(),
          " has no input ", index);
  require(bool(value.node), "Input ", index, " of node ", node.name(), " is missing");
  check_source(value, node.name());
  const DType wanted = node.input_type(index);
  require(can_feed(value.dtype(), wanted), "Input ", index, " of node ", node.name(),
          " was passed ", value.dtype(), " from ", value, " incompatible with expected ", wanted,
          ".");
  Output& input = node.inputs_[static_cast<std::size_t>(index)];
  const Output old = std::exchange(input, value);
  // A loop's Merge keeps the shape it was made with: the nodes of the body were built on it.
  if (!node.op().has(kControlFlow)) {
    try {
      infer(node);
    } catch (...) {
      input = old;
      throw;
    }
  }
  forget_evaluated(node);
  if (old.node) forget_one(old.node->consumers_, &node);
  value.node->consumers_.push_back(&node);
}

void Graph::add_control_input(Node& node, Node& before) {
  const std::lock_guard lock(mutex_);
  require(node.graph_ == this && before.graph_ == this, "a control edge from ", before.name(),
          " to ", node.name(), " must stay in one graph");
  if (std::ranges::find(node.control_inputs_, &before) != node.control_inputs_.end()) return;
  node.control_inputs_.push_back(&before);
  before.consumers_.push_back(&node);
}

void Graph::set_attr(Node& node, std::string_view name, AttrValue value) {
  const std::lock_guard lock(mutex_);
  if (name.starts_with("_")) {
    node.attrs_->insert_or_assign(std::string(name), std::move(value));
    return;
  }
  const AttrSpec* attr = node.op().find_attr(name);
  require(attr != nullptr, "NodeDef mentions attr '", name, "' not in ", node.op());
  attr->adapt(value);
  attr->check(value, node.op().name);
  NodeSpec spec{.op = node.op().name, .name = node.name_, .inputs = node.inputs_};
  spec.attrs = *node.attrs_;
  spec.attrs.insert_or_assign(std::string(name), std::move(value));
  ResolvedNode resolved = resolve_node(node.op(), spec);
  require(resolved.output_types == node.output_types_, "attr '", name, "' of node ", node.name_,
          " cannot change because the types of its outputs depend on it");
  std::swap(*node.attrs_, resolved.attrs);
  try {
    infer(node);
  } catch (...) {
    std::swap(*node.attrs_, resolved.attrs);
    throw;
  }
  node.input_types_ = std::move(resolved.input_types);
  forget_evaluated(node);
}

void Graph::set_device(Node& node, std::string device) {
  const std::lock_guard lock(mutex_);
  node.device_ = std::move(device);
}

void Graph::keep_flow(std::shared_ptr<FlowContext> context) {
  const std::lock_guard lock(mutex_);
  flows_.push_back(std::move(context));
}

void* Graph::attachment(std::type_index type, std::shared_ptr<void> (*make)()) {
  const std::lock_guard lock(attachments_mutex_);
  std::shared_ptr<void>& found = attachments_[type];
  if (!found) found = make();
  return found.get();
}

std::vector<FlowContext*> Graph::flows() const {
  const std::shared_lock lock(mutex_);
  std::vector<FlowContext*> contexts;
  for (const auto& context : flows_) contexts.push_back(context.get());
  return contexts;
}

void Graph::set_flow(Node& node, FlowContext* context) {
  const std::lock_guard lock(mutex_);
  node.flow_ = context;
}

void Graph::forbid_fetch(Node& node) {
  const std::lock_guard lock(mutex_);
  node.fetchable_ = false;
}

void Graph::forbid_feed(Node& node) {
  const std::lock_guard lock(mutex_);
  node.feedable_ = false;
}

Node* Graph::find(std::string_view name) const {
  const std::lock_guard lock(index_mutex_);
  const auto it = by_name_.find(name);
  return it == by_name_.end() ? nullptr : it->second;
}

Node& Graph::at(std::string_view name) const {
  if (Node* node = find(name)) return *node;
  raise(Code::kNotFound, "The name '", name, "' refers to an Operation not in the graph.");
}

Output Graph::tensor(std::string_view name) const {
  const auto colon = name.rfind(':');
  long long index = 0;
  require(colon != name.npos && parse_int(name.substr(colon + 1), &index) && index >= 0,
          "The name '", name,
          "' is not a tensor's. Tensor names must be of the form "
          "\"<op_name>:<output_index>\".");
  const std::string_view op_name = name.substr(0, colon);
  Node* node = find(op_name);
  if (node == nullptr)
    raise(Code::kNotFound, "The name '", name, "' refers to a Tensor which does not exist. The ",
          "operation, '", op_name, "', does not exist in the graph.");
  if (index >= node->output_count())
    raise(Code::kNotFound, "The name '", name, "' refers to a Tensor which does not exist. The ",
          "operation, '", op_name, "', exists but only has ", node->output_count(), " outputs.");
  return {node, static_cast<int>(index)};
}

std::vector<Node*> Graph::nodes() const {
  std::vector<Node*> nodes;
  nodes.reserve(nodes_.size());
  for (const auto& node : nodes_) nodes.push_back(node.get());
  return nodes;
}

}  // namespace rill

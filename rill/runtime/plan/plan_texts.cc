// What statistics of steps call the nodes of a plan.
#include "rill/runtime/plan/plan.h"
#include "rill/runtime/step/step_stats.h"

namespace rill {
namespace {

// "y = Add(x, c:1, ^before)".
std::string timeline_label(const Node& node) {
  std::string label = str_cat(node.name(), " = ", node.op().name, "(");
  const char* between = "";
  for (const Output& input : node.inputs()) {
    label.append(between).append(input.node->name());
    if (input.index != 0) label.append(":").append(std::to_string(input.index));
    between = ", ";
  }
  for (const Node* before : node.control_inputs()) {
    label.append(between).append("^").append(before->name());
    between = ", ";
  }
  return label.append(")");
}

NodeTexts texts_of(const PlanNode& planned) {
  const Node& node = *planned.node;
  Device& device = *planned.kernel->node.device;
  return {.node = node.name(),
          .op = std::string(node.op().name),
          .device = device.name(),
          .label = timeline_label(node),
          .allocator = device.allocator(device.memory_kind()).name()};
}

}  // namespace

std::shared_ptr<const std::vector<NodeTexts>> Plan::texts() const {
  const std::lock_guard lock(mutex_);
  if (texts_ == nullptr) {
    auto made = std::make_shared<std::vector<NodeTexts>>();
    made->reserve(nodes.size());
    for (const PlanNode& node : nodes) made->push_back(texts_of(node));
    texts_ = std::move(made);
  }
  return texts_;
}

}  // namespace rill

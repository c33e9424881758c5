#include "rill/runtime/executor/memory_report.h"

#include <algorithm>

#include "rill/runtime/executor/node_runner.h"

namespace rill {
namespace {

constexpr std::size_t kListed = 10;

void add_step_tensors(const Plan& plan, const Workspace& workspace, LiveTensors& live) {
  for (const PlanNode& node : plan.nodes) {
    const auto out = values_of(node, workspace).outputs;
    for (std::size_t i = 0; i < out.size(); ++i) add_live_tensor(node, i, out[i]->tensor, live);
  }
}

void add_resources(const ResourceManager& resources, LiveTensors& live) {
  for (const auto& resource : resources.all())
    if (const std::int64_t bytes = resource->memory_bytes(); bytes > 0)
      live.emplace_back(bytes, resource->describe());
}

}  // namespace

void add_live_tensor(const PlanNode& node, std::size_t output, const Tensor& tensor,
                     LiveTensors& live) {
  if (!tensor.has_value()) return;
  std::string at;
  if (const auto& origin = node.node->origin(); origin != nullptr && !origin->frames.empty())
    at = str_cat(" (defined at ", origin->frames[0].file, ":", origin->frames[0].line, ")");
  const bool is_away = tensor.memory_kind() == MemoryKind::device;
  live.emplace_back(static_cast<std::int64_t>(tensor.byte_size()),
                    str_cat(node.node->name(), ":", output, " ", tensor.dtype(), tensor.shape(),
                            " made by ", node.node->op().name, at, is_away ? " on " : "",
                            is_away ? node.kernel->node.device->name() : std::string()));
}

std::string live_tensors_text(LiveTensors live) {
  std::ranges::sort(live, std::greater<>());
  std::string text = live.empty() ? "" : "\nLargest live tensors:";
  for (std::size_t i = 0; i < std::min(kListed, live.size()); ++i)
    text += str_cat("\n  ", live[i].first, " bytes: ", live[i].second);
  return text;
}

std::string memory_report(const Plan& plan, const Workspace& workspace,
                          const ResourceManager& resources) {
  LiveTensors live;
  add_step_tensors(plan, workspace, live);
  add_resources(resources, live);
  add_resources(workspace.step_resources, live);
  return live_tensors_text(std::move(live));
}

}  // namespace rill

#include "rill/runtime/executor/memory_report.h"

#include <algorithm>

#include "rill/runtime/executor/node_runner.h"

namespace rill {
namespace {

constexpr std::size_t kListed = 10;
using Live = std::vector<std::pair<std::int64_t, std::string>>;  // bytes and what they are

void add_step_tensors(const Plan& plan, const Workspace& workspace, Live& live) {
  for (const PlanNode& node : plan.nodes) {
    const auto out = values_of(node, workspace).outputs;
    for (std::size_t i = 0; i < out.size(); ++i)
      if (const Tensor& t = out[i]->tensor; t.has_value())
        live.emplace_back(static_cast<std::int64_t>(t.byte_size()),
                          str_cat(node.node->name(), ":", i, " ", t.dtype(), t.shape(), " made by ",
                                  node.node->op().name));
  }
}

void add_resources(const ResourceManager& resources, Live& live) {
  for (const auto& resource : resources.all())
    if (const std::int64_t bytes = resource->memory_bytes(); bytes > 0)
      live.emplace_back(bytes, resource->describe());
}

}  // namespace

std::string memory_report(const Plan& plan, const Workspace& workspace,
                          const ResourceManager& resources) {
  Live live;
  add_step_tensors(plan, workspace, live);
  add_resources(resources, live);
  add_resources(workspace.step_resources, live);
  std::ranges::sort(live, std::greater<>());
  std::string text = live.empty() ? "" : "\nLargest live tensors:";
  for (std::size_t i = 0; i < std::min(kListed, live.size()); ++i)
    text += str_cat("\n  ", live[i].first, " bytes: ", live[i].second);
  return text;
}

}  // namespace rill

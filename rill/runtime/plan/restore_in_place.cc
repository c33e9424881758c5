#include "rill/runtime/plan/restore_in_place.h"

#include "rill/kernel/kernel_registry.h"
#include "rill/kernel/rendezvous_key.h"
#include "rill/tensor/resource_handle.h"

namespace rill {
namespace {

// Who reads an output: how many, and the last of them.
struct Reading {
  int count = 0;
  int item = -1, input = -1;
};

// Per output of an item.
std::vector<Reading> readings_of(const Subgraph& graph, int item) {
  const Node& node = *graph.items[static_cast<std::size_t>(item)].node;
  std::vector<Reading> readings(static_cast<std::size_t>(node.output_count()));
  for (std::size_t i = 0; i < graph.items.size(); ++i)
    for (std::size_t k = 0; k < graph.items[i].inputs.size(); ++k) {
      const Subgraph::Edge& input = graph.items[i].inputs[k];
      if (input.item != item) continue;
      Reading& reading = readings[static_cast<std::size_t>(input.output)];
      reading = {reading.count + 1, static_cast<int>(i), static_cast<int>(k)};
    }
  for (const Subgraph::Edge& fetch : graph.fetches)
    if (fetch.item == item) ++readings[static_cast<std::size_t>(fetch.output)].count;
  return readings;
}

// The memory of a device to which a _Send brings what it is given; nullptr: none.
Allocator* wanted_memory(const Subgraph::Item& sender, const KernelCache& kernels) {
  if (!sender.is_plain()) return nullptr;
  const auto found = sender.node->attrs().find(kWantedOn);
  if (found == sender.node->attrs().end()) return nullptr;
  for (Device* const device : kernels.devices())
    if (device->name() == found->second.get<std::string>())
      return &device->allocator(MemoryKind::device);
  return nullptr;
}

std::shared_ptr<VariableResource> variable_of(const Value& made) {
  if (made.ref != nullptr) return made.ref;
  if (made.tensor.dtype() != DType::resource) return nullptr;
  return std::dynamic_pointer_cast<VariableResource>(
      made.tensor.scalar_value<ResourceHandle>().resource);
}

// Runs the node of a variable, which does nothing but find it.
std::shared_ptr<VariableResource> find_variable(const KernelInstance& kernel, StepContext& step) {
  Value made;
  Value* const outputs[] = {&made};
  KernelCall call(kernel.node, kernel.state.get(), {}, outputs, step);
  kernel.entry->run(call);
  return variable_of(made);
}

}  // namespace

std::vector<RestoreTarget> find_restore_targets(const Subgraph& graph, int item,
                                                KernelCache& kernels) {
  std::vector<int> reader_counts(graph.items.size(), 0);
  for (const Subgraph::Item& reader : graph.items)
    for (const Subgraph::Edge& input : reader.inputs)
      ++reader_counts[static_cast<std::size_t>(input.item)];
  for (const Subgraph::Edge& fetch : graph.fetches)
    ++reader_counts[static_cast<std::size_t>(fetch.item)];

  std::vector<RestoreTarget> restore_targets;
  const std::vector<Reading> readings = readings_of(graph, item);
  for (std::size_t i = 0; i < readings.size(); ++i) {
    if (readings[i].count != 1) continue;
    const auto reader = static_cast<std::size_t>(readings[i].item);
    if (readings[i].item >= 0)
      if (Allocator* const memory = wanted_memory(graph.items[reader], kernels)) {
        restore_targets.push_back({static_cast<int>(i), nullptr, memory});
        continue;
      }
    if (readings[i].input != 1) continue;
    const Subgraph::Item& assign = graph.items[static_cast<std::size_t>(readings[i].item)];
    if (!assign.is_plain() || !assign.node->op().has(kAssigns) || !assign.controls.empty())
      continue;
    const auto at = static_cast<std::size_t>(assign.inputs[0].item);
    const Subgraph::Item& variable = graph.items[at];
    if (!variable.is_plain() || !variable.inputs.empty() || !variable.controls.empty() ||
        reader_counts[at] != 1 ||
        variable.device != graph.items[static_cast<std::size_t>(item)].device)
      continue;
    auto kernel = kernels.get(*variable.node, variable.device);
    if (kernel->waits || !kernel->entry->allocates) continue;
    restore_targets.push_back({.output = static_cast<int>(i), .variable = std::move(kernel)});
  }
  return restore_targets;
}

void restore_in_place(std::span<const RestoreTarget> restore_targets,
                      std::span<Value* const> outputs, StepContext& step) {
  for (Value* const output : outputs) output->tensor.clear();
  for (const RestoreTarget& target : restore_targets) {
    if (target.memory != nullptr) {
      outputs[static_cast<std::size_t>(target.output)]->tensor =
          Tensor(DType::u8, {1}, *target.memory);
      continue;
    }
    const auto variable = find_variable(*target.variable, step);
    if (variable == nullptr) continue;
    variable->access([&](Tensor& value) {
      if (value.has_value() && value.is_exclusive())
        outputs[static_cast<std::size_t>(target.output)]->tensor = value;
    });
  }
}

}  // namespace rill

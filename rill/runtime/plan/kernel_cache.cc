#include "rill/runtime/plan/kernel_cache.h"

#include <algorithm>

#include "rill/graph/function.h"
#include "rill/kernel/host_arguments.h"
#include "rill/runtime/plan/may_block.h"

namespace rill {
namespace {

const KernelEntry& call_kernel(KernelNode& node, const KernelRegistry& registry) {
  node.attrs = {{"f", FuncName{node.op->name, node.attrs}}};
  const auto entries = registry.entries("PartitionedCall", node.device->type());
  if (entries.empty())
    raise(Code::kNotFound, "function ", node.op->name, " cannot be called on ",
          node.device->type());
  return *entries.front();
}

bool waits(const KernelInstance& kernel, const FunctionLibrary& library,
           const KernelRegistry& registry) {
  if (kernel.entry->run == nullptr) return true;
  if (kernel.entry->run_async == nullptr) return false;
  if (kernel.node.device->memory_kind() != MemoryKind::host) return true;  // a function's kernels
  return std::ranges::any_of(kernel.node.attrs, [&](const auto& attr) {
    if (const auto* function = attr.second.template get_if<FuncName>())
      return may_block(*function, library, registry);
    if (const auto* functions = attr.second.template get_if<std::vector<FuncName>>())
      return std::ranges::any_of(*functions, [&](const FuncName& function) {
        return may_block(function, library, registry);
      });
    return false;
  });
}

}  // namespace

std::shared_ptr<KernelInstance> make_kernel(const Node& node, const KernelRegistry& registry,
                                            Device& device) {
  auto kernel = std::make_shared<KernelInstance>();
  kernel->node = {.name = node.name(),
                  .op = &node.op(),
                  .attrs = node.attrs(),
                  .input_types = {},
                  .output_types = {},
                  .device = &device,
                  .input_memory = {},
                  .output_memory = {}};
  for (int i = 0; i < node.input_count(); ++i)
    kernel->node.input_types.push_back(node.input_type(i));
  for (int i = 0; i < node.output_count(); ++i)
    kernel->node.output_types.push_back(node.output_type(i));
  finish_kernel(*kernel, *node.graph().functions(), registry);
  return kernel;
}

void finish_kernel(KernelInstance& kernel, const FunctionLibrary& library,
                   const KernelRegistry& registry) {
  const bool is_call = library.find(kernel.node.op->name) != nullptr;
  kernel.entry = is_call ? &call_kernel(kernel.node, registry) : &registry.choose(kernel.node);
  set_argument_memory(kernel.node, *kernel.entry);
  kernel.waits = waits(kernel, library, registry);
  if (kernel.entry->make_state != nullptr) kernel.state = kernel.entry->make_state(kernel.node);
}

namespace {

// Not of functions, whose declaration ends with their graph, nor of what only stands at its edges.
bool is_sharable(const Node& node) {
  return node.op().has(kStateful) && !node.op().has(kSend | kRecv) &&
         node.graph().functions()->find(node.op().name) == nullptr;
}

}  // namespace

std::shared_ptr<KernelInstance> SharedKernels::find_or_add(
    const Node& node, const std::function<std::shared_ptr<KernelInstance>()>& make) {
  const std::lock_guard lock(mutex_);
  auto& kernel = by_name_[node.name()];
  if (kernel == nullptr || kernel->node.op != &node.op() || kernel->node.attrs != node.attrs())
    kernel = make();
  return kernel;
}

std::vector<std::string> KernelCache::device_names() const {
  std::vector<std::string> names;
  for (const Device* device : devices_) names.push_back(device->name());
  return names;
}

std::shared_ptr<KernelInstance> KernelCache::get(const Node& node, int which) {
  std::lock_guard lock(mutex_);
  auto& kernel = by_node_[&node];
  if (kernel != nullptr && kernel->node.device == &device(which)) return kernel;
  const auto make = [&] { return make_kernel(node, registry_, device(which)); };
  kernel = shared_ != nullptr && is_sharable(node) ? shared_->find_or_add(node, make) : make();
  return kernel;
}

}  // namespace rill

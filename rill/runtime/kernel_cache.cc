#include "rill/runtime/kernel_cache.h"

namespace rill {

std::shared_ptr<KernelInstance> make_kernel(const Node& node, const KernelRegistry& registry,
                                            Device& device) {
  auto kernel = std::make_shared<KernelInstance>();
  kernel->node = {.name = node.name(),
                  .op = &node.op(),
                  .attrs = node.attrs(),
                  .input_types = {},
                  .output_types = {},
                  .device = &device};
  for (int i = 0; i < node.input_count(); ++i)
    kernel->node.input_types.push_back(node.input_type(i));
  for (int i = 0; i < node.output_count(); ++i)
    kernel->node.output_types.push_back(node.output_type(i));
  kernel->entry = &registry.choose(kernel->node);
  if (kernel->entry->make_state != nullptr) kernel->state = kernel->entry->make_state(kernel->node);
  return kernel;
}

std::vector<std::string> KernelCache::device_names() const {
  std::vector<std::string> names;
  for (const Device* device : devices_) names.push_back(device->name());
  return names;
}

std::shared_ptr<KernelInstance> KernelCache::get(const Node& node, int which) {
  std::lock_guard lock(mutex_);
  auto& kernel = by_node_id_[node.id()];
  if (kernel == nullptr || kernel->node.device != &device(which))
    kernel = make_kernel(node, registry_, device(which));
  return kernel;
}

}  // namespace rill

#include "rill/api/training/resources.h"

#include "rill/api/array/picking.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"

namespace rill::train {

using Resources = std::vector<std::shared_ptr<Resource>>;

void register_resource(Output handle, Node& create_op, Output is_initialized_op, bool is_shared) {
  add_to_collection(is_shared ? GraphKeys::RESOURCES : GraphKeys::LOCAL_RESOURCES,
                    std::shared_ptr<Collectable>(
                        std::make_shared<Resource>(handle, create_op, is_initialized_op)));
}

Resources shared_resources() {
  return collections_of(*default_graph()).collected<Resource>(GraphKeys::RESOURCES);
}

Resources local_resources() {
  return collections_of(*default_graph()).collected<Resource>(GraphKeys::LOCAL_RESOURCES);
}

Node& initialize_resources(const Resources& resources, const std::string& name,
                           std::source_location at) {
  std::vector<Node*> creating;
  for (const auto& resource : resources) creating.push_back(&resource->create);
  return creating.empty() ? no_op({.name = name}, at) : group(creating, name, at);
}

Output report_uninitialized_resources(const Resources& resources, const std::string& name,
                                      std::source_location at) {
  const Block in(name, name, at);
  const DeviceScope on_cpu("/cpu:0");
  Tensor names(DType::string, {static_cast<std::int64_t>(resources.size())});
  std::vector<Input> is_there;
  for (const auto& resource : resources) {
    names.data<std::string>()[is_there.size()] = resource->handle.name();
    is_there.push_back(resource->is_initialized);
  }
  if (resources.empty()) return current_scope().constant(std::move(names));
  const Output missing = raw::LogicalNot(raw::Pack(is_there, {.name = "stack"}));
  return boolean_mask(current_scope().constant(std::move(names)), missing);
}

}  // namespace rill::train

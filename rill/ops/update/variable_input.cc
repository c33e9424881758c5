#include "rill/ops/update/variable_input.h"

namespace rill {

std::shared_ptr<VariableResource> find_variable_input(const KernelCall& call, int i) {
  const auto& handle = call.input_tensor(i).scalar_value<ResourceHandle>();
  std::shared_ptr<Resource> resource = handle.resource;
  if (resource == nullptr)
    resource =
        call.step().resources->find(handle.container, VariableResource::kTypeName, handle.name);
  if (resource == nullptr) return nullptr;
  auto variable = std::dynamic_pointer_cast<VariableResource>(std::move(resource));
  require(variable != nullptr, "Trying to access resource ", handle.name, " located in container ",
          handle.container, " as a variable, which it is not");
  return variable;
}

std::shared_ptr<VariableResource> variable_input(const KernelCall& call, int i) {
  auto variable = find_variable_input(call, i);
  if (variable == nullptr || !variable->initialized())
    raise(Code::kNotFound, "Resource ", variable_path(call, i), " does not exist.");
  return variable;
}

std::string variable_path(const KernelCall& call, int i) {
  const auto& handle = call.input_tensor(i).scalar_value<ResourceHandle>();
  const std::string& container =
      handle.container.empty() ? call.step().resources->default_container() : handle.container;
  return str_cat(container, "/", handle.name, "/N10tensorflow3VarE");
}

}  // namespace rill

#include "rill/ops/state/shared_variable.h"

namespace rill {
namespace {

const std::string& shared_name(const KernelNode& node) {
  const auto& name = node.attr<std::string>("shared_name");
  return name.empty() ? node.name : name;
}

}  // namespace

SharedVariable::SharedVariable(const KernelNode& node)
    : container_(node.attr<std::string>("container")),
      name_(shared_name(node)),
      dtype_(node.attr<DType>("dtype")),
      shape_(node.attr<PartialShape>("shape")) {}

std::shared_ptr<VariableResource> SharedVariable::get(const KernelCall& call) {
  ResourceManager& resources = *call.step().resources;
  std::call_once(once_, [&] {
    variable_ = look_up(resources);
    resources_ = &resources;
  });
  return resources_ == &resources ? variable_ : look_up(resources);
}

std::shared_ptr<VariableResource> SharedVariable::look_up(ResourceManager& resources) const {
  auto variable = resources.find_or_make<VariableResource>(container_, name_, [this] {
    return std::make_shared<VariableResource>(name_, dtype_, shape_);
  });
  require(variable != nullptr, "the resource ", name_, " is not a variable");
  return variable;
}

std::unique_ptr<KernelState> make_shared_variable(const KernelNode& node) {
  return std::make_unique<SharedVariable>(node);
}

}  // namespace rill

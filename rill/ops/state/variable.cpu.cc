#include "rill/kernel/kernel_registry.h"
#include "rill/ops/state/shared_variable.h"

namespace rill {

extern const OpDecl kVariableOp, kVariableV2, kTemporaryVariable, kDestroyTemporaryVariable,
    kIsVariableInitialized;

namespace {

void variable(KernelCall& call) {
  auto variable = call.state<SharedVariable>().get(call);
  const DType dtype = call.node().attr<DType>("dtype");
  require(variable->dtype() == dtype, "Trying to share variable ", variable->name(), " of dtype ",
          variable->dtype(), " as dtype ", dtype);
  call.set_ref_output(0, std::move(variable));
}

// Temporary variables are kept in a container of their step.
std::string step_container(const KernelCall& call) {
  return str_cat("__per_step_", call.step().step_id);
}

void temporary_variable(KernelCall& call) {
  const KernelNode& node = call.node();
  const auto& given = node.attr<std::string>("var_name");
  const std::string& name = given.empty() ? node.name : given;
  const auto dtype = node.attr<DType>("dtype");
  auto made = std::make_shared<VariableResource>(name, dtype, node.attr<PartialShape>("shape"));
  made->assign(Tensor::zeros(dtype, made->declared_shape().full()));
  auto found = call.step().resources->find_or_make<VariableResource>(step_container(call), name,
                                                                     [&] { return made; });
  if (found != made)
    raise(Code::kAlreadyExists, "Resource ", step_container(call), "/", name, " already exists.");
  call.set_ref_output(0, std::move(made));
}

void destroy_temporary_variable(KernelCall& call) {
  const auto& name = call.node().attr<std::string>("var_name");
  Tensor value = call.ref_input(0)->read();
  if (!call.step().resources->remove(step_container(call), VariableResource::kTypeName, name))
    raise(Code::kNotFound, "Resource ", step_container(call), "/", name, " does not exist.");
  call.set_output(0, std::move(value));
}

void is_variable_initialized(KernelCall& call) {
  call.output<bool>(0)[0] = call.ref_input(0)->initialized();
}

constexpr KernelEntry kEntries[] = {
    {.op = &kVariableOp,
     .run = variable,
     .make_state = make_shared_variable,
     .allocates = true,
     .expensive = false},
    {.op = &kVariableV2,
     .run = variable,
     .make_state = make_shared_variable,
     .allocates = true,
     .expensive = false},
    {.op = &kTemporaryVariable, .run = temporary_variable, .allocates = true, .expensive = false},
    {.op = &kDestroyTemporaryVariable,
     .run = destroy_temporary_variable,
     .allocates = true,
     .expensive = false},
    {.op = &kIsVariableInitialized, .run = is_variable_initialized, .expensive = false},
};

}  // namespace

extern const KernelTable kVariableCpu{kEntries};

}  // namespace rill

#include "rill/ops/data_flow/step_handle.h"

namespace rill {
namespace {

std::string container_of(const KernelCall& call) {
  return str_cat("__per_step_", call.step().step_id);
}

// The two strings on input 0.
Tensor strings_input(const KernelCall& call) {
  const Tensor strings =
      is_ref(call.node().input_type(0)) ? call.ref_input(0)->read() : call.input_tensor(0);
  require(strings.has_value() && strings.dtype() == DType::string, "input 0 of ",
          call.node().op->name, " is not a handle");
  require(strings.element_count() == 2,
          "Tensor array handle must be 2-element vector, but had shape: ", strings.shape());
  return strings;
}

}  // namespace

void set_step_handle(const KernelCall& call, const std::string& group, const std::string& name,
                     const char* type_name, std::shared_ptr<Resource> resource) {
  const DType type = call.node().output_type(0);
  if (type == DType::resource) {
    call.set_output(0, Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                                     .container = container_of(call),
                                                     .name = group + name,
                                                     .type_name = type_name,
                                                     .resource = std::move(resource)}));
    return;
  }
  call.step().step_resources->find_or_add(container_of(call), type_name, group + name,
                                          [&] { return resource; });
  Tensor strings = Tensor::vector<std::string>({group, name});
  if (!is_ref(type)) return call.set_output(0, std::move(strings));
  auto handle =
      std::make_shared<VariableResource>(call.node().name, DType::string, PartialShape{2});
  handle->assign(std::move(strings));
  call.set_ref_output(0, std::move(handle));
}

std::shared_ptr<Resource> step_resource_input(const KernelCall& call, const char* type_name) {
  if (call.node().input_type(0) == DType::resource) return call.resource_input(0);
  const Tensor strings = strings_input(call);
  const std::string name = strings.data<std::string>()[0] + strings.data<std::string>()[1];
  auto resource = call.step().step_resources->find(container_of(call), type_name, name);
  if (resource == nullptr)
    raise(Code::kNotFound, "Could not find resource: ", container_of(call), "/", name);
  return resource;
}

std::string step_handle_group(const KernelCall& call) {
  return call.node().input_type(0) == DType::resource ? std::string()
                                                      : strings_input(call).data<std::string>()[0];
}

}  // namespace rill

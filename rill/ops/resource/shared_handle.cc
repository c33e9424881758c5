#include "rill/ops/resource/shared_handle.h"

#include <atomic>

namespace rill {
namespace {

std::string unique_name(const KernelNode& node) {
  static std::atomic<std::int64_t> count = 0;
  const auto& shared = node.attr<std::string>("shared_name");
  if (!shared.empty()) return shared;
  const auto by_node = node.attrs.find("use_node_name_sharing");
  if (by_node != node.attrs.end() && by_node->second.get<bool>()) return node.name;
  return str_cat("_", count++, "_", node.name);
}

}  // namespace

SharedHandle::SharedHandle(const KernelNode& node)
    : container_(node.attr<std::string>("container")), name_(unique_name(node)) {}

void SharedHandle::set_output(const KernelCall& call, const char* type_name,
                              const std::function<std::shared_ptr<Resource>()>& make,
                              const std::function<void(const Resource&)>& check) {
  ResourceManager& resources = *call.step().resources;
  const std::string& container = container_.empty() ? resources.default_container() : container_;
  const std::lock_guard lock(mutex_);
  if (resources_ != &resources) {
    auto found = resources.find_or_add(container_, type_name, name_, make);
    check(*found);
    resource_ = std::move(found);
    strings_ = std::make_shared<VariableResource>(call.node().name, DType::string, PartialShape{2});
    strings_->assign(Tensor::vector<std::string>({container, name_}));
    resources_ = &resources;
  }
  if (is_ref(call.node().output_type(0))) return call.set_ref_output(0, strings_);
  call.set_output(0, Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                                   .container = container,
                                                   .name = name_,
                                                   .type_name = type_name,
                                                   .resource = resource_}));
}

std::shared_ptr<Resource> shared_input(const KernelCall& call, const char* type_name, int i) {
  if (!is_ref(call.node().input_type(i))) return call.resource_input(i);
  const Tensor strings = call.ref_input(i)->read();
  require(strings.has_value() && strings.dtype() == DType::string && strings.element_count() == 2,
          "Handle must have two elements, but had shape: ", strings.shape());
  const auto names = strings.flat<std::string>();
  auto resource = call.step().resources->find(names[0], type_name, names[1]);
  if (resource == nullptr)
    raise(Code::kNotFound, "Resource ", names[0], "/", names[1], "/", type_name,
          " does not exist.");
  return resource;
}

}  // namespace rill

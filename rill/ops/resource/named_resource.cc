#include "rill/ops/resource/named_resource.h"

namespace rill {
namespace {

// A name of the node's own is none that a program would share by.
std::string name_of(const KernelNode& node) {
  const auto& shared = node.attr<std::string>("shared_name");
  if (!shared.empty()) return shared;
  const auto by_node = node.attrs.find("use_node_name_sharing");
  const bool shares = by_node != node.attrs.end() && by_node->second.get<bool>();
  return shares ? node.name : str_cat("_0_", node.name);
}

}  // namespace

NamedResource::NamedResource(const KernelNode& node, const char* type_name)
    : container_(node.attr<std::string>("container")),
      name_(name_of(node)),
      type_name_(type_name) {}

void NamedResource::hand_out(const KernelCall& call,
                             const std::function<std::shared_ptr<Resource>()>& make,
                             const std::function<void(Resource&)>& check) {
  ResourceManager& resources = *call.step().resources;
  auto found = resources.find_or_add(container_, type_name_, name_, make);
  check(*found);
  const std::string& container = container_.empty() ? resources.default_container() : container_;
  const std::lock_guard lock(mutex_);
  const bool is_new = found != found_ || found_in_ != &resources;
  found_ = std::move(found);
  found_in_ = &resources;
  if (is_ref(call.node().output_type(0))) {
    if (is_new || strings_ == nullptr) {
      strings_ = std::make_shared<Variable>(call.node().name, DType::string, PartialShape{2});
      strings_->assign(Tensor::vector<std::string>({container, name_}));
    }
    call.set_ref_output(0, strings_);
    return;
  }
  if (is_new || !handle_.has_value())
    handle_ = Tensor::scalar(ResourceHandle{.device = call.device().name(),
                                            .container = container,
                                            .name = name_,
                                            .type_name = type_name_,
                                            .resource = found_});
  call.set_output(0, handle_);
}

std::shared_ptr<Resource> named_resource_input(const KernelCall& call, int i,
                                               const char* type_name) {
  if (base_type(call.node().input_type(i)) == DType::resource) {
    const Tensor& handles = call.input_tensor(i);
    require(handles.element_count() == 1, "input ", i, " of ", call.node().op->name,
            " must be one handle, but has shape ", handles.shape());
    const ResourceHandle& handle = *handles.data<ResourceHandle>();
    if (handle.resource != nullptr) return handle.resource;
    auto found = call.step().resources->find(handle.container, type_name, handle.name);
    if (found == nullptr)
      raise(Code::kNotFound, "Resource ", handle.container, "/", handle.name, "/", type_name,
            " does not exist.");
    return found;
  }
  const Tensor strings =
      is_ref(call.node().input_type(i)) ? call.ref_input(i)->read() : call.input_tensor(i);
  require(strings.has_value() && strings.dtype() == DType::string && strings.element_count() == 2,
          "input ", i, " of ", call.node().op->name, " must be a handle of two strings");
  const std::string *container = strings.data<std::string>(), *name = container + 1;
  auto found = call.step().resources->find(*container, type_name, *name);
  if (found == nullptr)
    raise(Code::kNotFound, "Resource ", *container, "/", *name, "/", type_name, " does not exist.");
  return found;
}

}  // namespace rill

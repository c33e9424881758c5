#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "rill/kernel/kernel_registry.h"

namespace rill {

// What a node that makes a queue, a table or a reader keeps: the name under which the session knows
// the thing, and the thing once it was found or made. A node without shared_name has one of its
// own.
class SharedHandle : public KernelState {
 public:
  explicit SharedHandle(const KernelNode& node);
  static std::unique_ptr<KernelState> make(const KernelNode& node) {
    return std::make_unique<SharedHandle>(node);
  }

  const std::string& container() const { return container_; }
  const std::string& name() const { return name_; }

  // Finds what is shared or adds what `make` returns, lets `check` look at it (which may throw),
  // and makes output 0 a handle of it: a resource, or a reference to container and name.
  void set_output(const KernelCall& call, const char* type_name,
                  const std::function<std::shared_ptr<Resource>()>& make,
                  const std::function<void(const Resource&)>& check);

 private:
  const std::string container_, name_;
  std::mutex mutex_;
  ResourceManager* resources_ = nullptr;
  std::shared_ptr<Resource> resource_;
  std::shared_ptr<VariableResource> strings_;
};

// The kernel of an op that makes such a thing: `run` sets output 0 through the node's SharedHandle.
constexpr KernelEntry shared_handle_kernel(const OpDecl& op, KernelFn run) {
  return {.op = &op,
          .run = run,
          .make_state = SharedHandle::make,
          .allocates = true,
          .expensive = false};
}

// What the handle on input i names, in either form. Throws InvalidArgument when it is no handle,
// NotFound when the session has no such thing.
std::shared_ptr<Resource> shared_input(const KernelCall& call, const char* type_name, int i = 0);

// The same, which must be an R.
template <class R>
std::shared_ptr<R> shared_input_as(const KernelCall& call, int i = 0) {
  auto found = shared_input(call, R::kTypeName, i);
  auto wanted = std::dynamic_pointer_cast<R>(found);
  if (wanted == nullptr)
    raise(Code::kInvalidArgument,
          "Trying to access a handle's resource using the wrong type. The handle points to ",
          found->describe(), " but you are trying to access the resource as type '", R::kTypeName,
          "'");
  return wanted;
}

}  // namespace rill

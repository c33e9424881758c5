#pragma once

#include <memory>
#include <mutex>

#include "rill/ops/resource/shared_handle.h"

// Resources whose handle is there before they are: a handle op names them, another op creates them.
namespace rill {

template <class R>
void initialized_handle(KernelCall& call) {
  auto& handle = call.state<SharedHandle>();
  handle.set_output(
      call, R::kTypeName, [&] { return std::make_shared<R>(handle.name()); },
      [](const Resource&) {});
}

template <class R>
void is_initialized(KernelCall& call) {
  const auto resource = shared_input_as<R>(call);
  const std::lock_guard lock(resource->mutex);
  call.set_output(0, Tensor::scalar(resource->is_initialized));
}

// The resource on input 0 and its lock, for as long as this lives. Throws NotFound before it was
// created.
template <class R>
class Locked {
 public:
  explicit Locked(const KernelCall& call)
      : resource_(shared_input_as<R>(call)), lock_(resource_->mutex) {
    if (!resource_->is_initialized)
      raise(Code::kNotFound, "Resource localhost/", resource_->name(), "/", R::kTypeName,
            " does not exist.");
  }
  R* operator->() const { return resource_.get(); }

 private:
  std::shared_ptr<R> resource_;
  std::unique_lock<std::mutex> lock_;
};

// An entry for ops that set their outputs themselves.
constexpr KernelEntry allocating(const OpDecl& op, KernelFn run) {
  return {.op = &op, .run = run, .allocates = true};
}

}  // namespace rill

#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "rill/kernel/kernel_call.h"

namespace rill {

// What a node makes that outlives steps: a table, a queue. Its attributes `container` and
// `shared_name` say under which name others share it; without these it is the node's own. The
// handle on output 0 is a resource, or in older forms of ops a reference to two strings, container
// and name.
class NamedResource : public KernelState {
 public:
  NamedResource(const KernelNode& node, const char* type_name);

  // Finds the thing, or makes it, and hands it out on output 0. `check` throws when what is found
  // does not fit the node.
  void hand_out(const KernelCall& call, const std::function<std::shared_ptr<Resource>()>& make,
                const std::function<void(Resource&)>& check);
  const std::string& name() const { return name_; }

 private:
  const std::string container_, name_;
  const char* const type_name_;
  std::mutex mutex_;
  std::shared_ptr<Resource> found_;
  ResourceManager* found_in_ = nullptr;
  Tensor handle_;
  std::shared_ptr<Variable> strings_;
};

// What the handle on input i names, in either form. Throws InvalidArgument when it is no handle and
// NotFound when there is no such thing.
std::shared_ptr<Resource> named_resource_input(const KernelCall& call, int i,
                                               const char* type_name);

}  // namespace rill

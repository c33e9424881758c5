#pragma once

#include <memory>
#include <mutex>

#include "rill/kernel/kernel_call.h"

namespace rill {

// The variable that a VariableV2 or VarHandleOp node names: found once and then remembered, so that
// a step needs no lookup.
class SharedVariable : public KernelState {
 public:
  explicit SharedVariable(const KernelNode& node);

  const std::string& container() const { return container_; }
  const std::string& name() const { return name_; }
  std::shared_ptr<VariableResource> get(const KernelCall& call);

 private:
  std::shared_ptr<VariableResource> look_up(ResourceManager& resources) const;

  const std::string container_, name_;
  const DType dtype_;
  const PartialShape shape_;
  std::once_flag once_;
  ResourceManager* resources_ = nullptr;
  std::shared_ptr<VariableResource> variable_;
};

std::unique_ptr<KernelState> make_shared_variable(const KernelNode& node);

}  // namespace rill

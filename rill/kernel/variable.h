#pragma once

#include <functional>
#include <mutex>
#include <string>

#include "rill/base/function_ref.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The state behind both VariableV2 and VarHandleOp. Readers take a snapshot that no later write
// touches; a writer changes the storage in place only while nobody else can see it.
class VariableResource final : public Resource {
 public:
  static constexpr const char* kTypeName = "Var";
  // `declared` is the shape that the variable's node states, which values need not have unless an
  // op says that it checks.
  VariableResource(std::string name, DType dtype, PartialShape declared = {})
      : name_(std::move(name)), dtype_(dtype), declared_(std::move(declared)) {}

  const std::string& name() const { return name_; }
  DType dtype() const { return dtype_; }
  const PartialShape& declared_shape() const { return declared_; }
  bool initialized() const;
  Tensor read() const;        // holds no value when uninitialised
  void assign(Tensor value);  // shares the storage; borrowed storage must be cloned by the caller
  // Runs `change` under the lock on storage that nobody else sees (copied first if need be);
  // `change` may also replace the tensor. Throws FailedPrecondition when uninitialised.
  void update(FunctionRef<void(Tensor&)> change);
  // The same without the check and the copy: the tensor as it is, perhaps without value or shared.
  void access(FunctionRef<void(Tensor&)> change);

  std::string describe() const override;
  std::int64_t memory_bytes() const override;

 private:
  const std::string name_;
  const DType dtype_;
  const PartialShape declared_;
  mutable std::mutex mutex_;
  Tensor value_;
};

}  // namespace rill

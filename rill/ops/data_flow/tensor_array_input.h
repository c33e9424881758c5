#pragma once

#include "rill/ops/data_flow/step_handle.h"
#include "rill/ops/data_flow/tensor_array.h"

namespace rill {

// The array that input 0 is a handle of. Throws InvalidArgument when it is a handle of something
// else.
inline std::shared_ptr<TensorArrayResource> tensor_array_input(const KernelCall& call) {
  auto array = std::dynamic_pointer_cast<TensorArrayResource>(
      step_resource_input(call, TensorArrayResource::kTypeName));
  require(array != nullptr, "input 0 of ", call.node().op->name, " is not a TensorArray");
  return array;
}

inline void check_written_type(const TensorArrayResource& array, const Tensor& value) {
  require(array.dtype() == value.dtype(), "TensorArray dtype is ", array.dtype(),
          " but Op is trying to write dtype ", value.dtype(), ".");
}

inline void check_read_type(const TensorArrayResource& array, const KernelCall& call) {
  const DType wanted = call.node().attr<DType>("dtype");
  require(array.dtype() == wanted, "TensorArray dtype is ", array.dtype(),
          " but Op requested dtype ", wanted, ".");
}

}  // namespace rill

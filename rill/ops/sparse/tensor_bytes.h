#pragma once

#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// A tensor as the bytes of a TensorProto, all of it in tensor_content.
std::string to_bytes(const Tensor& tensor);
// Throws InvalidArgument when the bytes are none; `what` says where they were found.
Tensor from_bytes(const std::string& bytes, const std::string& what);

}  // namespace rill

#pragma once

#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// A tensor as a serialized TensorProto, to the byte as TensorFlow writes it. Throws InvalidArgument
// beyond what a message can be.
std::string tensor_bytes(const Tensor& tensor);

// The tensor in a serialized TensorProto. Throws InvalidArgument when it is none or of another
// type.
Tensor tensor_from_bytes(const std::string& bytes, DType type);

// A serialized Example from one in JSON. Throws InvalidArgument when it is none.
std::string example_from_json(const std::string& json);

}  // namespace rill

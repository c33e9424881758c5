#pragma once

#include <string>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill::serve {

std::string_view kserve_type(DType dtype);       // "FP32"; throws Unimplemented
DType parse_kserve_type(std::string_view name);  // throws InvalidArgument

// Elements as they lie in memory; texts each behind their length in four bytes.
std::string tensor_bytes(const Tensor& tensor);
// Throws InvalidArgument when there are not as many as the shape says.
Tensor tensor_of_bytes(std::string_view bytes, DType dtype, const Shape& shape);

// Numbers of type int32 as integers of a narrower type. Throws InvalidArgument for one that does
// not fit.
Tensor narrowed(const Tensor& numbers, DType dtype);

}  // namespace rill::serve

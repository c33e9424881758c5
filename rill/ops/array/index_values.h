#pragma once

#include "rill/tensor/tensor.h"

namespace rill {

// Element i of an int32 or int64 tensor.
inline std::int64_t int_at(const Tensor& t, std::int64_t i) {
  return t.dtype() == DType::i32 ? t.data<std::int32_t>()[i] : t.data<std::int64_t>()[i];
}

// The elements of an int32 or int64 tensor that lists one number per dimension.
Dims read_dims(const Tensor& t);

}  // namespace rill

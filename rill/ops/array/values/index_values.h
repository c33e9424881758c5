#pragma once

#include "rill/tensor/tensor.h"

namespace rill {

// Element i of an int32 or int64 tensor.
inline std::int64_t int_at(const Tensor& t, std::int64_t i) {
  return t.dtype() == DType::i32 ? t.data<std::int32_t>()[i] : t.data<std::int64_t>()[i];
}

// Writes it; whoever chose int32 has made sure that the number fits.
inline void set_int_at(const Tensor& t, std::int64_t i, std::int64_t number) {
  if (t.dtype() == DType::i64)
    t.data<std::int64_t>()[i] = number;
  else
    t.data<std::int32_t>()[i] = static_cast<std::int32_t>(number);
}

// The elements of an int32 or int64 tensor that lists one number per dimension.
Dims read_dims(const Tensor& t);

}  // namespace rill

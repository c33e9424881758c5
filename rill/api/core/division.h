#pragma once

#include "rill/tensor/dtype.h"

namespace rill {

// The type in which integers are divided by `/`, as in Python 3: small integers as float32, others
// as float64. DType::invalid where values divide in their own.
constexpr DType division_type(DType dtype) {
  switch (dtype) {
    case DType::u8:
    case DType::i8:
    case DType::u16:
    case DType::i16:
      return DType::f32;
    case DType::i32:
    case DType::i64:
    case DType::u32:
    case DType::u64:
      return DType::f64;
    default:
      return DType::invalid;
  }
}

}  // namespace rill

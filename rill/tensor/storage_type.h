#pragma once

#include "rill/tensor/dtype.h"

namespace rill {

// The integers that quantised elements are stored as; every other type is its own.
constexpr DType storage_type(DType dtype) {
  switch (dtype) {
    case DType::qi8:
      return DType::i8;
    case DType::qu8:
      return DType::u8;
    case DType::qi16:
      return DType::i16;
    case DType::qu16:
      return DType::u16;
    case DType::qi32:
      return DType::i32;
    default:
      return dtype;
  }
}

}  // namespace rill

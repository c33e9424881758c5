#pragma once

#include "rill/base/error.h"
#include "rill/tensor/storage_type.h"

namespace rill {

// What the elements of a quantised type hold: whole numbers from `lowest` to `highest`, stored as
// `storage`.
struct QuantizedType {
  DType storage;
  bool is_signed;
  double lowest, highest;

  double step_count() const { return highest - lowest + 1; }
};

inline QuantizedType quantized_type(DType type) {
  const DType storage = storage_type(base_type(type));
  switch (base_type(type)) {
    case DType::qi8:
      return {storage, true, -128, 127};
    case DType::qu8:
      return {storage, false, 0, 255};
    case DType::qi16:
      return {storage, true, -32768, 32767};
    case DType::qu16:
      return {storage, false, 0, 65535};
    case DType::qi32:
      return {storage, true, -2147483648.0, 2147483647.0};
    default:
      raise(Code::kInvalidArgument, "the type ", type, " is not quantised");
  }
}

}  // namespace rill

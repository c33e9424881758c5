#pragma once

#include "rill/base/error.h"
#include "rill/tensor/dtype.h"

namespace rill {

// The types of pixels that TensorFlow's image ops read.
inline constexpr TypeSet kPixelTypes = kFloatTypes | kSignedIntTypes | DType::u8 | DType::u16;

// Calls f.operator()<T>() with the C++ type of a pixel type.
template <class F>
void visit_pixel(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32:
      return f.template operator()<float>();
    case DType::f64:
      return f.template operator()<double>();
    case DType::f16:
      return f.template operator()<half>();
    case DType::bf16:
      return f.template operator()<bfloat16>();
    case DType::u8:
      return f.template operator()<std::uint8_t>();
    case DType::i8:
      return f.template operator()<std::int8_t>();
    case DType::u16:
      return f.template operator()<std::uint16_t>();
    case DType::i16:
      return f.template operator()<std::int16_t>();
    case DType::i32:
      return f.template operator()<std::int32_t>();
    case DType::i64:
      return f.template operator()<std::int64_t>();
    default:
      raise(Code::kUnimplemented, "pixels of type ", dtype);
  }
}

// A pixel as the float that image ops compute with.
template <class T>
float to_float(T value) {
  return static_cast<float>(value);
}

}  // namespace rill

#pragma once

#include "rill/tensor/dtype.h"
#include "rill/tensor/shape.h"

namespace rill {

// TensorFlow's names of the element types, for `namespace tf = rill`. bfloat16 and the quantised
// types are element classes of that name in C++; write DType::bf16, DType::qi8, ... for them.
inline constexpr DType float16 = DType::f16;
inline constexpr DType float32 = DType::f32;
inline constexpr DType float64 = DType::f64;
inline constexpr DType int8 = DType::i8;
inline constexpr DType int16 = DType::i16;
inline constexpr DType int32 = DType::i32;
inline constexpr DType int64 = DType::i64;
inline constexpr DType uint8 = DType::u8;
inline constexpr DType uint16 = DType::u16;
inline constexpr DType uint32 = DType::u32;
inline constexpr DType uint64 = DType::u64;
inline constexpr DType complex64 = DType::c64;
inline constexpr DType complex128 = DType::c128;
inline constexpr DType bool_ = DType::boolean;
inline constexpr DType string = DType::string;
inline constexpr DType resource = DType::resource;
inline constexpr DType variant = DType::variant;

inline constexpr std::int64_t None = kUnknownDim;  // an unknown dimension

}  // namespace rill

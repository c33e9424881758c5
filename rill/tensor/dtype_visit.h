#pragma once

#include "rill/base/error.h"
#include "rill/tensor/dtype.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {

// Calls f.operator()<T>() with the C++ type of the elements of `dtype`; throws InvalidArgument when
// it has none (invalid and reference types). f is compiled for all 23 types, so keep it small.
//
//   visit_dtype(t.dtype(), [&]<class T>() { std::ranges::fill(t.flat<T>(), T()); });
template <class F>
decltype(auto) visit_dtype(DType dtype, F&& f) {
  switch (dtype) {
    case DType::f32:
      return f.template operator()<float>();
    case DType::f64:
      return f.template operator()<double>();
    case DType::i32:
      return f.template operator()<std::int32_t>();
    case DType::u8:
      return f.template operator()<std::uint8_t>();
    case DType::i16:
      return f.template operator()<std::int16_t>();
    case DType::i8:
      return f.template operator()<std::int8_t>();
    case DType::string:
      return f.template operator()<std::string>();
    case DType::c64:
      return f.template operator()<std::complex<float>>();
    case DType::i64:
      return f.template operator()<std::int64_t>();
    case DType::boolean:
      return f.template operator()<bool>();
    case DType::qi8:
      return f.template operator()<qint8>();
    case DType::qu8:
      return f.template operator()<quint8>();
    case DType::qi32:
      return f.template operator()<qint32>();
    case DType::bf16:
      return f.template operator()<bfloat16>();
    case DType::qi16:
      return f.template operator()<qint16>();
    case DType::qu16:
      return f.template operator()<quint16>();
    case DType::u16:
      return f.template operator()<std::uint16_t>();
    case DType::c128:
      return f.template operator()<std::complex<double>>();
    case DType::f16:
      return f.template operator()<half>();
    case DType::resource:
      return f.template operator()<ResourceHandle>();
    case DType::variant:
      return f.template operator()<Variant>();
    case DType::u32:
      return f.template operator()<std::uint32_t>();
    case DType::u64:
      return f.template operator()<std::uint64_t>();
    case DType::invalid:
      break;
  }
  raise(Code::kInvalidArgument, "no elements have dtype ", dtype);
}

}  // namespace rill

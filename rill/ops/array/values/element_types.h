#pragma once

#include "rill/base/error.h"
#include "rill/tensor/dtype.h"
#include "rill/tensor/resource_handle.h"
#include "rill/tensor/variant.h"

namespace rill {

struct Bytes16 {
  std::uint64_t low, high;
};

// Calls f with a null pointer to the type that moves elements of `dtype`: an unsigned integer of
// that size, or the object itself.
template <class F>
void with_element_type(DType dtype, F f) {
  switch (base_type(dtype)) {
    case DType::string:
      return f(static_cast<std::string*>(nullptr));
    case DType::resource:
      return f(static_cast<ResourceHandle*>(nullptr));
    case DType::variant:
      return f(static_cast<Variant*>(nullptr));
    default:
      break;
  }
  switch (element_size(dtype)) {
    case 1:
      return f(static_cast<std::uint8_t*>(nullptr));
    case 2:
      return f(static_cast<std::uint16_t*>(nullptr));
    case 4:
      return f(static_cast<std::uint32_t*>(nullptr));
    case 8:
      return f(static_cast<std::uint64_t*>(nullptr));
    case 16:
      return f(static_cast<Bytes16*>(nullptr));
    default:
      raise(Code::kInternal, "elements of type ", dtype, " cannot be moved");
  }
}

}  // namespace rill

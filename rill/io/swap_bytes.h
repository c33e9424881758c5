#pragma once

#include <algorithm>
#include <span>

#include "rill/tensor/dtype.h"

namespace rill {

// Turns the bytes of every number around; a complex one is two numbers. `bytes` holds whole
// elements.
inline void swap_bytes(DType dtype, std::span<char> bytes) {
  const bool is_complex = kComplexTypes.contains(dtype);
  const std::size_t width = element_size(dtype) / (is_complex ? 2 : 1);
  if (width < 2) return;
  for (std::size_t at = 0; at + width <= bytes.size(); at += width)
    std::reverse(bytes.begin() + at, bytes.begin() + at + width);
}

}  // namespace rill

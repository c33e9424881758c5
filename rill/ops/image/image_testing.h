#pragma once

// For cases alone.
#include "tests/optest/op_case.h"

namespace rill {

// A size as ops take it.
inline Tensor size_of(std::int32_t height, std::int32_t width) {
  return tensor<std::int32_t>({2}, {height, width});
}

}  // namespace rill

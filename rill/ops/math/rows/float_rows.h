#pragma once

#include <cstddef>

#include "rill/tensor/dtype.h"

namespace rill {

// Rows of half or bfloat16 to and from float. Narrowing rounds to nearest even.
using WidenRow = void (*)(float* out, const void* x, std::size_t n);
using NarrowRow = void (*)(void* out, const float* x, std::size_t n);

WidenRow widen_row(DType from);  // f16 or bf16, else nullptr
NarrowRow narrow_row(DType to);

}  // namespace rill

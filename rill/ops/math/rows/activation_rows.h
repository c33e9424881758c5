#pragma once

#include "rill/ops/math/rows/elementwise.h"

namespace rill {

// The rows of activations, for kernels that end with one.
UnaryRows find_tanh_rows(DType type);
UnaryRows find_sigmoid_rows(DType type);
UnaryRows find_elu_rows(DType type);
UnaryRows find_erf_rows(DType type);
UnaryRows find_gelu_tanh_rows(DType type);  // x/2 (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
UnaryRows find_gelu_erf_rows(DType type);   // x/2 (1 + erf(x / sqrt(2)))
// dy times the slope of these at x, of dy and x; float only.
BinaryRows find_gelu_tanh_grad_rows(DType type);
BinaryRows find_gelu_erf_grad_rows(DType type);

}  // namespace rill

#pragma once

#include "rill/api/math/operators.h"
#include "rill/api/ragged/elementwise.h"

// TensorFlow's functions of single elements on ragged tensors, and the operators. A number takes
// the type of the tensor beside it; plain tensors are broadcast.
//
//   RaggedTensor y = 2 * sqrt(x);  // in the rows of x
namespace rill {

// Declared here, defined in ragged_math.cc.
// clang-format off
#define RILL_RAGGED_UNARY(F)                                                              \
  F(abs) F(acos) F(acosh) F(asin) F(asinh) F(atan) F(atanh) F(ceil) F(cos) F(cosh) F(erf) \
  F(erfc) F(exp) F(expm1) F(floor) F(identity) F(is_finite) F(is_inf) F(is_nan) F(log)    \
  F(log1p) F(logical_not) F(negative) F(reciprocal) F(rint) F(round) F(rsqrt) F(sigmoid)  \
  F(sign) F(sin) F(sinh) F(sqrt) F(square) F(tan) F(tanh)
#define RILL_RAGGED_BINARY(F)                                                             \
  F(add) F(atan2) F(div) F(divide) F(equal) F(floordiv) F(floormod) F(greater)            \
  F(greater_equal) F(less) F(less_equal) F(logical_and) F(logical_or) F(maximum)          \
  F(minimum) F(multiply) F(not_equal) F(pow) F(squared_difference) F(subtract) F(truediv)
#define RILL_RAGGED_OPERATORS(F)                                \
  F(+) F(-) F(*) F(/) F(%) F(&) F(|) F(^) F(<) F(<=) F(>) F(>=)
// clang-format on

#define RILL_RAGGED_DECLARE_UNARY(function) RaggedTensor function(const RaggedTensor& x);
#define RILL_RAGGED_DECLARE_PAIRS(function, other)                     \
  RaggedTensor function(const RaggedTensor& x, const RaggedTensor& y); \
  RaggedTensor function(const RaggedTensor& x, const other& y);        \
  RaggedTensor function(const other& x, const RaggedTensor& y);
#define RILL_RAGGED_DECLARE_BINARY(function) RILL_RAGGED_DECLARE_PAIRS(function, Input)
#define RILL_RAGGED_DECLARE_OPERATOR(symbol) RILL_RAGGED_DECLARE_PAIRS(operator symbol, Operand)

RILL_RAGGED_UNARY(RILL_RAGGED_DECLARE_UNARY)
RILL_RAGGED_BINARY(RILL_RAGGED_DECLARE_BINARY)
RILL_RAGGED_OPERATORS(RILL_RAGGED_DECLARE_OPERATOR)

#undef RILL_RAGGED_DECLARE_OPERATOR
#undef RILL_RAGGED_DECLARE_BINARY
#undef RILL_RAGGED_DECLARE_PAIRS
#undef RILL_RAGGED_DECLARE_UNARY

RaggedTensor operator-(const RaggedTensor& x);
RaggedTensor operator~(const RaggedTensor& x);
RaggedTensor cast(const RaggedTensor& x, DType dtype);

}  // namespace rill

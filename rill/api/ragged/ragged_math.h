#pragma once

#include "rill/api/gen/plain_ops.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/ragged/elementwise.h"

// TensorFlow's functions of single elements on ragged tensors, and the operators. A number takes
// the type of the tensor beside it; plain tensors are broadcast.
//
//   RaggedTensor y = 2 * sqrt(x);  // in the rows of x
namespace rill {
namespace ragged {

template <class Op>
RaggedTensor map_pairs(Op&& op, const RaggedOrDense& x, const RaggedOrDense& y) {
  const FlatArguments both = broadcast({x, y});
  return both.in_rows(op(both.flat[0], both.flat[1]));
}

inline Output beside(const Input& value, const RaggedTensor& x) {
  return as_tensor(value, "Const", x.dtype());
}

}  // namespace ragged

#define RILL_RAGGED_UNARY(function)                                                       \
  inline RaggedTensor function(const RaggedTensor& x) {                                   \
    return ragged::map_flat_values([](const Output& flat) { return function(flat); }, x); \
  }
#define RILL_RAGGED_PAIRS(function, other, value, apply)                       \
  inline RaggedTensor function(const RaggedTensor& x, const RaggedTensor& y) { \
    return ragged::map_pairs(apply, x, y);                                     \
  }                                                                            \
  inline RaggedTensor function(const RaggedTensor& x, const other& y) {        \
    return ragged::map_pairs(apply, x, ragged::beside(y value, x));            \
  }                                                                            \
  inline RaggedTensor function(const other& x, const RaggedTensor& y) {        \
    return ragged::map_pairs(apply, ragged::beside(x value, y), y);            \
  }
#define RILL_RAGGED_BINARY(function)   \
  RILL_RAGGED_PAIRS(function, Input, , \
                    [](const Output& a, const Output& b) { return function(a, b); })
#define RILL_RAGGED_OPERATOR(symbol)                  \
  RILL_RAGGED_PAIRS(operator symbol, Operand, .input, \
                    [](const Output& a, const Output& b) { return a symbol b; })

RILL_RAGGED_UNARY(abs)
RILL_RAGGED_UNARY(acos)
RILL_RAGGED_UNARY(acosh)
RILL_RAGGED_UNARY(asin)
RILL_RAGGED_UNARY(asinh)
RILL_RAGGED_UNARY(atan)
RILL_RAGGED_UNARY(atanh)
RILL_RAGGED_UNARY(ceil)
RILL_RAGGED_UNARY(cos)
RILL_RAGGED_UNARY(cosh)
RILL_RAGGED_UNARY(erf)
RILL_RAGGED_UNARY(erfc)
RILL_RAGGED_UNARY(exp)
RILL_RAGGED_UNARY(expm1)
RILL_RAGGED_UNARY(floor)
RILL_RAGGED_UNARY(identity)
RILL_RAGGED_UNARY(is_finite)
RILL_RAGGED_UNARY(is_inf)
RILL_RAGGED_UNARY(is_nan)
RILL_RAGGED_UNARY(log)
RILL_RAGGED_UNARY(log1p)
RILL_RAGGED_UNARY(logical_not)
RILL_RAGGED_UNARY(negative)
RILL_RAGGED_UNARY(reciprocal)
RILL_RAGGED_UNARY(rint)
RILL_RAGGED_UNARY(round)
RILL_RAGGED_UNARY(rsqrt)
RILL_RAGGED_UNARY(sigmoid)
RILL_RAGGED_UNARY(sign)
RILL_RAGGED_UNARY(sin)
RILL_RAGGED_UNARY(sinh)
RILL_RAGGED_UNARY(sqrt)
RILL_RAGGED_UNARY(square)
RILL_RAGGED_UNARY(tan)
RILL_RAGGED_UNARY(tanh)

RILL_RAGGED_BINARY(add)
RILL_RAGGED_BINARY(atan2)
RILL_RAGGED_BINARY(div)
RILL_RAGGED_BINARY(divide)
RILL_RAGGED_BINARY(equal)
RILL_RAGGED_BINARY(floordiv)
RILL_RAGGED_BINARY(floormod)
RILL_RAGGED_BINARY(greater)
RILL_RAGGED_BINARY(greater_equal)
RILL_RAGGED_BINARY(less)
RILL_RAGGED_BINARY(less_equal)
RILL_RAGGED_BINARY(logical_and)
RILL_RAGGED_BINARY(logical_or)
RILL_RAGGED_BINARY(maximum)
RILL_RAGGED_BINARY(minimum)
RILL_RAGGED_BINARY(multiply)
RILL_RAGGED_BINARY(not_equal)
RILL_RAGGED_BINARY(pow)
RILL_RAGGED_BINARY(squared_difference)
RILL_RAGGED_BINARY(subtract)
RILL_RAGGED_BINARY(truediv)

RILL_RAGGED_OPERATOR(+)
RILL_RAGGED_OPERATOR(-)
RILL_RAGGED_OPERATOR(*)
RILL_RAGGED_OPERATOR(/)
RILL_RAGGED_OPERATOR(%)
RILL_RAGGED_OPERATOR(&)
RILL_RAGGED_OPERATOR(|)
RILL_RAGGED_OPERATOR(^)
RILL_RAGGED_OPERATOR(<)
RILL_RAGGED_OPERATOR(<=)
RILL_RAGGED_OPERATOR(>)
RILL_RAGGED_OPERATOR(>=)

#undef RILL_RAGGED_OPERATOR
#undef RILL_RAGGED_BINARY
#undef RILL_RAGGED_PAIRS
#undef RILL_RAGGED_UNARY

inline RaggedTensor operator-(const RaggedTensor& x) { return negative(x); }
inline RaggedTensor operator~(const RaggedTensor& x) { return logical_not(x); }
inline RaggedTensor cast(const RaggedTensor& x, DType dtype) {
  return ragged::map_flat_values([&](const Output& flat) { return cast(flat, dtype); }, x);
}

}  // namespace rill

#include "rill/api/ragged/ragged_math.h"

#include "rill/api/gen/plain_ops.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"

namespace rill {
namespace {

template <class Op>
RaggedTensor map_pairs(Op&& op, const ragged::RaggedOrDense& x, const ragged::RaggedOrDense& y) {
  const ragged::FlatArguments both = ragged::broadcast({x, y});
  return both.in_rows(op(both.flat[0], both.flat[1]));
}

Output beside(const Input& value, const RaggedTensor& x) {
  return as_tensor(value, "Const", x.dtype());
}

}  // namespace

#define RILL_DEFINE_UNARY(function)                                                       \
  RaggedTensor function(const RaggedTensor& x) {                                          \
    return ragged::map_flat_values([](const Output& flat) { return function(flat); }, x); \
  }
#define RILL_DEFINE_PAIRS(function, other, value, apply)                \
  RaggedTensor function(const RaggedTensor& x, const RaggedTensor& y) { \
    return map_pairs(apply, x, y);                                      \
  }                                                                     \
  RaggedTensor function(const RaggedTensor& x, const other& y) {        \
    return map_pairs(apply, x, beside(y value, x));                     \
  }                                                                     \
  RaggedTensor function(const other& x, const RaggedTensor& y) {        \
    return map_pairs(apply, beside(x value, y), y);                     \
  }
#define RILL_DEFINE_BINARY(function)   \
  RILL_DEFINE_PAIRS(function, Input, , \
                    [](const Output& a, const Output& b) { return function(a, b); })
#define RILL_DEFINE_OPERATOR(symbol)                  \
  RILL_DEFINE_PAIRS(operator symbol, Operand, .input, \
                    [](const Output& a, const Output& b) { return a symbol b; })

RILL_RAGGED_UNARY(RILL_DEFINE_UNARY)
RILL_RAGGED_BINARY(RILL_DEFINE_BINARY)
RILL_RAGGED_OPERATORS(RILL_DEFINE_OPERATOR)

RaggedTensor operator-(const RaggedTensor& x) { return negative(x); }
RaggedTensor operator~(const RaggedTensor& x) { return logical_not(x); }
RaggedTensor cast(const RaggedTensor& x, DType dtype) {
  return ragged::map_flat_values([&](const Output& flat) { return cast(flat, dtype); }, x);
}

}  // namespace rill

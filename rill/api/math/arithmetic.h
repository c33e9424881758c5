#pragma once

#include <source_location>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"
#include "rill/graph/grad_ctx.h"

namespace rill {

// Functions of numbers that choose between ops or are made of several. Those that are one op are in
// rill/api/gen/plain_math.h.

// x + y; strings are joined.
Output add(const Input& x, const Input& y, const MathOptions& options = {},
           std::source_location at = std::source_location::current());
// The sum of tensors of one shape. A single tensor is returned as it is, unless a name is given.
// Throws InvalidArgument when there are none.
Output add_n(const Inputs& inputs, const MathOptions& options = {},
             std::source_location at = std::source_location::current());

struct AccumulateNOptions {
  PartialShape shape{};                 // that all inputs have
  DType tensor_dtype = DType::invalid;  // and their type
  std::string name{};
};
// The same; the shape may be given where no input knows it.
Output accumulate_n(const Inputs& inputs, const AccumulateNOptions& options = {},
                    std::source_location at = std::source_location::current());

// x / y as in Python 2: integers are divided downwards, floats as they are.
Output div(const Input& x, const Input& y, const MathOptions& options = {},
           std::source_location at = std::source_location::current());
// x / y as in Python 3: integers become floats first, float32 for types of up to 16 bits and
// float64 for longer ones. Throws TypeError on different types.
Output truediv(const Input& x, const Input& y, const MathOptions& options = {},
               std::source_location at = std::source_location::current());
// x / y, the operator.
Output divide(const Input& x, const Input& y, const MathOptions& options = {},
              std::source_location at = std::source_location::current());

// scalar * x; throws InvalidArgument unless `scalar` is known to have rank 0.
Output scalar_mul(const Input& scalar, const Input& x, const MathOptions& options = {},
                  std::source_location at = std::source_location::current());
// The same of some rows of a tensor.
IndexedSlices scalar_mul(const Input& scalar, const IndexedSlices& x,
                         const MathOptions& options = {},
                         std::source_location at = std::source_location::current());
// The size of numbers; of complex ones sqrt(re**2 + im**2), a float.
Output abs(const Input& x, const MathOptions& options = {},
           std::source_location at = std::source_location::current());
// To the nearest whole number, halves to the even one (0.5 to 0, 1.5 to 2); integers stay the
// tensor they are.
Output round(const Input& x, const MathOptions& options = {},
             std::source_location at = std::source_location::current());
// min(max(t, clip_value_min), clip_value_max). Bounds may broadcast; throws InvalidArgument where
// that would make `t` larger.
Output clip_by_value(const Input& t, const Input& clip_value_min, const Input& clip_value_max,
                     const MathOptions& options = {},
                     std::source_location at = std::source_location::current());
IndexedSlices clip_by_value(const IndexedSlices& t, const Input& clip_value_min,
                            const Input& clip_value_max, const MathOptions& options = {},
                            std::source_location at = std::source_location::current());

// Whether one of two is true, but not both. Its nodes stand in the scope around it.
Output logical_xor(const Input& x, const Input& y, const MathOptions& options = {"LogicalXor"},
                   std::source_location at = std::source_location::current());
// log(1 / (1 + exp(-x))), computed as -softplus(-x), which does not overflow.
Output log_sigmoid(const Input& x, const MathOptions& options = {},
                   std::source_location at = std::source_location::current());
// The logarithm of the beta function over the last axis: sum(lgamma(x)) - lgamma(sum(x)).
Output lbeta(const Input& x, const MathOptions& options = {},
             std::source_location at = std::source_location::current());

namespace math {
using rill::abs;
using rill::accumulate_n;
using rill::add;
using rill::add_n;
using rill::divide;
using rill::lbeta;
using rill::log_sigmoid;
using rill::logical_xor;
using rill::round;
using rill::scalar_mul;
using rill::truediv;

// 1 / x, and 0 where x is 0.
Output reciprocal_no_nan(const Input& x, const MathOptions& options = {},
                         std::source_location at = std::source_location::current());
// x / y, and 0 where x is 0, even if y is.
Output xdivy(const Input& x, const Input& y, const MathOptions& options = {},
             std::source_location at = std::source_location::current());
// Modified Bessel functions; those with an e are scaled by exp(-abs(x)).
Output bessel_i0(const Input& x, const MathOptions& options = {},
                 std::source_location at = std::source_location::current());
Output bessel_i0e(const Input& x, const MathOptions& options = {},
                  std::source_location at = std::source_location::current());
Output bessel_i1(const Input& x, const MathOptions& options = {},
                 std::source_location at = std::source_location::current());
Output bessel_i1e(const Input& x, const MathOptions& options = {},
                  std::source_location at = std::source_location::current());
// The polynomial with these coefficients, the highest power first, at x, by Horner's rule. Without
// coefficients it is zero.
Output polyval(const Inputs& coeffs, const Input& x, const MathOptions& options = {},
               std::source_location at = std::source_location::current());
}  // namespace math

}  // namespace rill

#pragma once

#include <string>
#include <vector>

#include "rill/api/linalg/operators.h"

namespace rill::linalg {

// What linear operators are made of. All build in current_scope().

// The batches of matrices, broadcast to one shape; unchanged where there are fewer than two. Throws
// InvalidArgument for what is known not to be a matrix.
std::vector<Output> with_common_batch(const std::vector<Output>& matrices);
// x with matrix x = rhs, where their batches broadcast.
Output solve_with_broadcast(Output matrix, Output rhs, bool adjoint);
// The dimensions moved round by one, forwards or back.
Output rotated(Output x, int shift);

// Checks of the step: it fails with `message` where an element is zero, or has an imaginary part.
Node& assert_no_zeros(Output x, const std::string& message);
Node& assert_zero_imag(Output x, const std::string& message);

// complex64 gives float32, complex128 float64; others are their own.
DType real_type(DType dtype);
bool is_complex(DType dtype);
Output to_complex(Output x);
// Epsilon: the step from 1 to the next number.
double precision_of(DType dtype);

// Sizes of dimensions before `end`, or from `start` on; negative ones count from the last.
Output dims_before(Output x, int end);
Output dims_from(Output x, int start);
PartialShape batch_of(const PartialShape& shape);  // all but the last two dimensions
PartialShape joined(const PartialShape& a, const PartialShape& b);

// Hints about products. A product is claimed to be something only where both factors are known to
// be; what is not known of one is not known of the product.
Hint both_square(const LinearOperator& a, const LinearOperator& b);
Hint both_non_singular(const LinearOperator& a, const LinearOperator& b);
Hint both_self_adjoint(const LinearOperator& a, const LinearOperator& b);
Hint both_positive_definite(const LinearOperator& a, const LinearOperator& b);
// Those of a product of operators that commute.
OperatorOptions commuting_hints(const LinearOperator& a, const LinearOperator& b);

}  // namespace rill::linalg

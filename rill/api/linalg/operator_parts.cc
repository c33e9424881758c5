#include "rill/api/linalg/operator_parts.h"

#include <limits>
#include <span>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/type_checks.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/sequences.h"

namespace rill::linalg {
namespace {

using math_parts::type_of;

Output matrix_dims(Output x) { return slice(rill::shape(x), {SliceRange{.start = -2}}); }

// An order of dimensions, as NumPy's numbers.
Input order(const std::vector<std::int64_t>& perm) {
  return Input(Tensor::of<std::int64_t>({static_cast<std::int64_t>(perm.size())},
                                        std::span<const std::int64_t>(perm)));
}

// `b` has more dimensions than `a`: they become columns, so that one solution serves all.
struct Squashed {
  Output a, b;
  bool is_squashed = false;
  Output main_shape{}, extra_shape{};
  std::vector<std::int64_t> back{};

  Output restored(Output y) const {
    if (!is_squashed) return y;
    const Output rows = slice(rill::shape(y), {SliceRange{.stop = -1}});
    const Output column = slice(main_shape, {Input(-1)});
    const Output dims = concat({rows, parts::list_of({column}), extra_shape}, 0);
    const Output reshaped = raw::Reshape(y, dims);
    return transpose(reshaped, {.perm = order(back)});
  }
};

Squashed squashed(Output a, Output b, bool adjoint) {
  const int a_rank = a.shape().rank(), b_rank = b.shape().rank();
  if (!a.shape().has_rank() || !b.shape().has_rank() || a_rank >= b_rank) return {a, b};
  const int extra = b_rank - a_rank;
  dims_before(b, extra);
  dims_from(b, extra);
  const std::int64_t domain = a.shape().dim(a_rank - (adjoint ? 2 : 1));
  const std::int64_t columns = b.shape().dim(b_rank - 1);
  std::int64_t count = 1;
  for (int i = 0; i < extra; ++i)
    count = b.shape().dim(i) == kUnknownDim || count < 0 ? -1 : count * b.shape().dim(i);
  if (domain != kUnknownDim && columns != kUnknownDim && count >= 0 &&
      (count < 2 || domain <= columns))
    return {a, b};
  if (adjoint) a = matrix_transpose(a, {.conjugate = true});
  Squashed all{.a = a, .b = b, .is_squashed = true};
  all.extra_shape = dims_before(b, extra);
  all.main_shape = dims_from(b, extra);
  std::vector<std::int64_t> perm(static_cast<std::size_t>(b_rank));
  all.back.resize(perm.size());
  for (int i = 0; i < b_rank; ++i) {
    perm[static_cast<std::size_t>(i)] = (i + extra) % b_rank;
    all.back[static_cast<std::size_t>((i + extra) % b_rank)] = i;
  }
  const Output moved = transpose(b, {.perm = order(perm)});
  const Output rows = slice(all.main_shape, {SliceRange{.stop = -1}});
  all.b = raw::Reshape(moved, concat({rows, parts::ints({-1})}, 0));
  return all;
}

}  // namespace

Output dims_before(Output x, int end) { return slice(rill::shape(x), {SliceRange{.stop = end}}); }
Output dims_from(Output x, int start) {
  return slice(rill::shape(x), {SliceRange{.start = start}});
}

PartialShape batch_of(const PartialShape& shape) {
  if (!shape.has_rank()) return {};
  require(shape.rank() >= 2, "a matrix has at least two dimensions, not ", shape.rank());
  return PartialShape(shape.dims().first(static_cast<std::size_t>(shape.rank() - 2)));
}

PartialShape joined(const PartialShape& a, const PartialShape& b) {
  if (!a.has_rank() || !b.has_rank()) return {};
  PartialShape all = a;
  for (const std::int64_t dim : b.dims()) all.add_dim(dim);
  return all;
}

std::vector<Output> with_common_batch(const std::vector<Output>& matrices) {
  const Block in("", "broadcast_matrix_batch_dims", {});
  for (const Output& matrix : matrices)
    require(!matrix.shape().has_rank() || matrix.shape().rank() >= 2,
            "Expected [batch] matrix to have at least two dimensions.");
  if (matrices.size() < 2) return matrices;
  PartialShape batch = batch_of(matrices[0].shape());
  for (const Output& matrix : matrices) batch = broadcast(batch, batch_of(matrix.shape()));
  std::vector<Output> all = matrices;
  if (batch.is_full()) {
    for (Output& matrix : all) {
      if (batch_of(matrix.shape()) == batch) continue;
      const Output sizes = matrix_dims(matrix);
      matrix = raw::BroadcastTo(matrix, concat({ShapeInput(batch.full()), sizes}, 0));
    }
    return all;
  }
  Output dims = dims_before(matrices[0], -2);
  for (std::size_t i = 1; i < all.size(); ++i)
    dims = raw::BroadcastArgs(dims, dims_before(matrices[i], -2));
  for (Output& matrix : all) {
    const Output sizes = matrix_dims(matrix);
    matrix = raw::BroadcastTo(matrix, concat({dims, sizes}, 0));
  }
  return all;
}

Output solve_with_broadcast(Output matrix, Output rhs, bool adjoint) {
  const Block in("", "MatrixSolveWithBroadcast", {});
  const Squashed both = squashed(matrix, rhs, adjoint);
  const std::vector<Output> all = with_common_batch({both.a, both.b});
  const bool still_adjoint = adjoint && !both.is_squashed;
  return both.restored(raw::MatrixSolve(all[0], all[1], {.adjoint = still_adjoint}));
}

Output rotated(Output x, int shift) {
  const Block in("", "rotate_transpose", {});
  const Output by = as_tensor(Input(Tensor::scalar<std::int32_t>(shift)), "shift");
  debugging::assert_integer(by);
  if (x.shape().has_rank()) {
    const int rank = x.shape().rank();
    if (rank < 2) return x;
    std::vector<std::int64_t> perm(static_cast<std::size_t>(rank));
    for (int i = 0; i < rank; ++i) perm[static_cast<std::size_t>((i + shift + rank) % rank)] = i;
    return transpose(x, {.perm = order(perm)});
  }
  const Output rank = rill::rank(x);
  const Output is_negative = raw::Less(by, 0);
  const Output negated = raw::Neg(by);
  const Output back = raw::FloorMod(negated, rank, {.name = "mod"});
  const Output forward = parts::minus(rank, Output(raw::FloorMod(by, rank, {.name = "mod"})));
  const Output first = raw::SelectV2(is_negative, back, forward);
  const Output head = range(0, first);
  const Output tail = range(first, rank);
  return transpose(x, {.perm = Input(concat({tail, head}, 0))});
}

Node& assert_no_zeros(Output x, const std::string& message) {
  const Block in("", "assert_no_entries_with_modulus_zero", {});
  const Output size = abs(x);
  const Output zero = as_tensor(math_parts::number(real_type(type_of(x)), 0));
  return debugging::assert_less(zero, size, {.message = message});
}

Node& assert_zero_imag(Output x, const std::string& message) {
  const Block in("", "assert_zero_imag_part", {});
  if (kFloatTypes.contains(type_of(x))) return no_op();
  const Output zero = as_tensor(math_parts::number(real_type(type_of(x)), 0));
  return debugging::assert_equal(zero, imag(x), {.message = message});
}

bool is_complex(DType dtype) { return kComplexTypes.contains(dtype); }

DType real_type(DType dtype) {
  if (dtype == DType::c64) return DType::f32;
  return dtype == DType::c128 ? DType::f64 : base_type(dtype);
}

Output to_complex(Output x) {
  const DType dtype = type_of(x);
  if (is_complex(dtype)) return x;
  return cast(x, dtype == DType::f64 ? DType::c128 : DType::c64);
}

double precision_of(DType dtype) {
  switch (real_type(dtype)) {
    case DType::f16:
      return 0.0009765625;
    case DType::f64:
      return std::numeric_limits<double>::epsilon();
    default:
      return std::numeric_limits<float>::epsilon();
  }
}

Hint both_square(const LinearOperator& a, const LinearOperator& b) {
  const Hint first = a.is_square(), second = b.is_square();
  if (first == true && second == true) return true;
  if (first == false && second == false) {
    const std::int64_t rows = a.range_dimension(), columns = b.domain_dimension();
    if (rows == kUnknownDim || columns == kUnknownDim) return {};
    return rows == columns;
  }
  if (first && second) return false;
  return {};
}

Hint both_non_singular(const LinearOperator& a, const LinearOperator& b) {
  if (a.is_non_singular() == false || b.is_non_singular() == false) return false;
  if (a.is_non_singular() && b.is_non_singular()) return true;
  return {};
}

Hint both_self_adjoint(const LinearOperator& a, const LinearOperator& b) {
  if (!a.is_self_adjoint() || !b.is_self_adjoint()) return {};
  if (*a.is_self_adjoint() != *b.is_self_adjoint()) return false;
  return *a.is_self_adjoint() ? Hint(true) : Hint();
}

Hint both_positive_definite(const LinearOperator& a, const LinearOperator& b) {
  const bool all = a.is_positive_definite() == true && a.is_self_adjoint() == true &&
                   b.is_positive_definite() == true && b.is_self_adjoint() == true;
  return all ? Hint(true) : Hint();
}

OperatorOptions commuting_hints(const LinearOperator& a, const LinearOperator& b) {
  return {both_non_singular(a, b), both_self_adjoint(a, b), both_positive_definite(a, b), true};
}

}  // namespace rill::linalg

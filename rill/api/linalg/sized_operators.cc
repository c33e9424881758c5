// Operators that are little more than a number of rows: identities and zeros.
#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/debugging/rank_assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"

namespace rill::linalg {
namespace {

struct Sizes {
  Output tensor;
  PartialShape known;  // of rank 1 for a size
};

void check_known(const Tensor& value, const char* argument, int rank) {
  require(value.shape().rank() == rank, "Argument ", argument, " must be a ", rank,
          "-D Tensor.  Found: ", value_text(value));
  for (std::int64_t i = 0; i < value.element_count(); ++i) {
    const std::int64_t size =
        value.dtype() == DType::i64 ? value.data<std::int64_t>()[i] : value.data<std::int32_t>()[i];
    require(size >= 0, "Argument ", argument, " must be non-negative.  Found: ", value_text(value));
  }
}

// A size, or a vector of sizes.
Sizes sizes_of(const Input& given, const char* name, const char* argument, int rank, bool checks) {
  Output x = as_tensor(given, name);
  require_type(base_type(x.dtype()) == DType::i32 || base_type(x.dtype()) == DType::i64,
               "Argument ", argument, " must be integer type.  Found: ", tensor_text(x));
  const std::optional<Tensor> value = static_value(x);
  if (checks) {
    Node& right_rank = debugging::assert_rank(
        x, rank, {.message = str_cat("Argument ", argument, " must be a ", rank, "-D Tensor.")});
    Node& not_negative = debugging::assert_non_negative(
        x, {.message = str_cat("Argument ", argument, " must be non-negative.")});
    x = with_dependencies({&right_rank, &not_negative}, x);
  }
  if (!value) return {x, rank == 0 ? PartialShape::of_rank(1) : PartialShape()};
  check_known(*value, argument, rank);
  return {x, shape_of_value(*value)};
}

}  // namespace

void SizedOperator::take_rows(const Input& rows) {
  const Sizes sizes = sizes_of(rows, "num_rows", "num_rows", 0, checks_shapes_);
  rows_ = sizes.tensor;
  known_rows_ = known_columns_ = sizes.known;
}
void SizedOperator::take_columns(const Input& columns) {
  const Sizes sizes = sizes_of(columns, "num_columns", "num_columns", 0, checks_shapes_);
  columns_ = sizes.tensor;
  known_columns_ = sizes.known;
}
void SizedOperator::take_batch(const Input& batch_shape) {
  const Sizes sizes = sizes_of(batch_shape, "batch_shape_arg", "batch_shape", 1, checks_shapes_);
  batch_ = sizes.tensor;
  known_batch_ = sizes.known;
}

PartialShape SizedOperator::do_shape() const {
  const PartialShape matrix = joined(known_rows_, known_columns_);
  return batch_.node ? joined(known_batch_, matrix) : matrix;
}

Output SizedOperator::do_shape_tensor() {
  const Output matrix = stack({rows_, columns_.node ? columns_ : rows_});
  return batch_.node ? concat({batch_, matrix}, 0) : matrix;
}

Output SizedOperator::with_checked_shape(Output x) {
  if (!checks_shapes_) return x;
  const Output rows = slice(rill::shape(x), {Input(-2)});
  Node& check = debugging::assert_equal(
      rows, domain_dimension_tensor(),
      {.message = "Dimensions are not compatible.  shape[-2] of argument to be the same as this "
                  "operator"});
  return with_dependencies({&check}, x);
}

Output SizedOperator::with_batch(Output x) {
  if (!batch_.node) return x;
  const PartialShape special = joined(batch_shape(), PartialShape{1, 1});
  if (special.is_full()) {
    if (broadcast(x.shape(), special) == x.shape()) return x;
    return x + zeros(special.full(), {.dtype = dtype()});
  }
  const Output dims = concat({batch_shape_tensor(), parts::ints({1, 1})}, 0);
  return x + zeros(Input(dims), {.dtype = dtype()});
}

Output SizedOperator::constant_batch(double value) {
  const PartialShape known = batch_shape();
  const ShapeInput dims = known.is_full() ? ShapeInput(known.full()) : Input(batch_shape_tensor());
  return value == 0 ? zeros(dims, {.dtype = dtype()}) : ones(dims, {.dtype = dtype()});
}

std::int64_t SizedOperator::min_dim() const {
  const std::int64_t columns = domain_dimension(), rows = range_dimension();
  return columns == kUnknownDim || rows == kUnknownDim ? kUnknownDim : std::min(columns, rows);
}
Output SizedOperator::min_dim_tensor() {
  return reduce_min(slice(shape_tensor(), {SliceRange{.start = -2}}));
}

Output SizedOperator::constant_diagonal(double value) {
  const auto filled = [&](const ShapeInput& dims) {
    return value == 0 ? zeros(dims, {.dtype = dtype()}) : ones(dims, {.dtype = dtype()});
  };
  if (shape().is_full()) {
    PartialShape dims = batch_shape();
    dims.add_dim(min_dim());
    return filled(dims.full());
  }
  const Output batch = batch_shape_tensor();
  const Output size = min_dim_tensor();
  return filled(Input(concat({batch, parts::list_of({size})}, 0)));
}

// --- Identity ------------------------------------------------------------------------------------

LinearOperatorIdentity::LinearOperatorIdentity(const Input& num_rows,
                                               const SizedOperatorOptions& options, At at) {
  checks_shapes_ = options.assert_proper_shapes;
  const Block in(options.name, "LinearOperatorIdentity", at);
  require(options.is_self_adjoint.value_or(true), "An identity operator is always self adjoint.");
  require(options.is_non_singular.value_or(true), "An identity operator is always non-singular.");
  require(options.is_positive_definite.value_or(true),
          "An identity operator is always positive-definite.");
  require(options.is_square.value_or(true), "An identity operator is always square.");
  set_up(options.dtype, {true, true, true, true},
         options.name.empty() ? "LinearOperatorIdentity" : options.name);
  take_rows(num_rows);
  if (options.batch_shape) take_batch(*options.batch_shape);
}

Output LinearOperatorIdentity::do_matmul(Output x, const Adjoints& a) {
  if (a.adjoint_arg) x = linalg::adjoint(x);
  return with_batch(with_checked_shape(x));
}
Output LinearOperatorIdentity::do_solve(Output rhs, const Adjoints& a) {
  return answer(OperatorQuestion::kMatmul, rhs, {.adjoint_arg = a.adjoint_arg});
}
Output LinearOperatorIdentity::do_determinant() {
  return ones(Input(batch_shape_tensor()), {.dtype = dtype()});
}
Output LinearOperatorIdentity::do_log_abs_determinant() {
  return zeros(Input(batch_shape_tensor()), {.dtype = dtype()});
}
Output LinearOperatorIdentity::do_diag_part() { return constant_diagonal(1); }
Output LinearOperatorIdentity::do_trace() {
  const Output each = constant_batch(1);
  if (min_dim() != kUnknownDim) return static_cast<int>(min_dim()) * each;
  return cast(min_dim_tensor(), dtype()) * each;
}
Output LinearOperatorIdentity::add_input(const Input& x, const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "add_to_tensor", at);
  const Output matrix = as_tensor(x, "mat");
  return set_diag(matrix, 1 + linalg::diag_part(matrix));
}
Node& LinearOperatorIdentity::do_assert_non_singular() {
  return no_op({.name = "assert_non_singular"});
}
Node& LinearOperatorIdentity::do_assert_positive_definite() {
  return no_op({.name = "assert_positive_definite"});
}
Node& LinearOperatorIdentity::do_assert_self_adjoint() {
  return no_op({.name = "assert_self_adjoint"});
}
OperatorRef LinearOperatorIdentity::do_cholesky() {
  SizedOperatorOptions same;
  const PartialShape batch = batch_shape();
  same.batch_shape = batch.is_full() ? Input(ShapeInput(batch.full())) : Input(batch_);
  same.dtype = dtype();
  return std::make_shared<LinearOperatorIdentity>(rows_, same);
}

// --- ScaledIdentity ------------------------------------------------------------------------------

LinearOperatorScaledIdentity::LinearOperatorScaledIdentity(const Input& num_rows,
                                                           const Input& multiplier,
                                                           const ScaledIdentityOptions& options,
                                                           At at) {
  checks_shapes_ = options.assert_proper_shapes;
  const Block in(options.name, "LinearOperatorScaledIdentity", at);
  add_tensor("multiplier", as_tensor(multiplier, "multiplier"));
  const DType type = base_type(this->multiplier().dtype());
  OperatorHints hints = options;
  if (!is_complex(type)) {
    require(hints.is_self_adjoint != false, "A real diagonal operator is always self adjoint.");
    hints.is_self_adjoint = true;
  }
  require(hints.is_square.value_or(true), "A ScaledIdentity operator is always square.");
  hints.is_square = true;
  set_up(type, hints, options.name.empty() ? "LinearOperatorScaledIdentity" : options.name);
  take_rows(num_rows);
  rows_as_dtype_ = cast(rows_, type);
  rows_as_real_ = cast(rows_, real_type(type));
}

PartialShape LinearOperatorScaledIdentity::do_shape() const {
  return joined(multiplier().shape(), SizedOperator::do_shape());
}
Output LinearOperatorScaledIdentity::do_shape_tensor() {
  const Output matrix = stack({rows_, rows_});
  const Output batch = rill::shape(multiplier());
  return concat({batch, matrix}, 0);
}

Output LinearOperatorScaledIdentity::multiplier_matrix(bool conjugate) {
  const Output matrix = expand_dims(expand_dims(multiplier(), -1), -1);
  return conjugate ? conj(matrix) : matrix;
}
Output LinearOperatorScaledIdentity::do_matmul(Output x, const Adjoints& a) {
  if (a.adjoint_arg) x = linalg::adjoint(x);
  const Output checked = with_checked_shape(x);
  return checked * multiplier_matrix(a.adjoint);
}
Output LinearOperatorScaledIdentity::do_solve(Output rhs, const Adjoints& a) {
  if (a.adjoint_arg) rhs = linalg::adjoint(rhs);
  const Output checked = with_checked_shape(rhs);
  return checked / multiplier_matrix(a.adjoint);
}
Output LinearOperatorScaledIdentity::do_determinant() {
  return operators::pow(multiplier(), rows_as_dtype_, {});
}
Output LinearOperatorScaledIdentity::do_log_abs_determinant() {
  return rows_as_real_ * raw::Log(rill::abs(multiplier()));
}
Output LinearOperatorScaledIdentity::do_diag_part() {
  const Output line = constant_diagonal(1);
  return line * slice(multiplier(), {Ellipsis{}, NewAxis{}});
}
Output LinearOperatorScaledIdentity::do_trace() {
  const Output each = constant_batch(1);
  if (min_dim() != kUnknownDim) return multiplier() * static_cast<int>(min_dim()) * each;
  return multiplier() * cast(min_dim_tensor(), dtype()) * each;
}
Output LinearOperatorScaledIdentity::add_input(const Input& x, const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "add_to_tensor", at);
  const Output line = expand_dims(multiplier(), -1);
  const Output matrix = as_tensor(x, "mat");
  const Output old = linalg::diag_part(matrix);
  return set_diag(matrix, line + old);
}

Node& LinearOperatorScaledIdentity::do_assert_non_singular() {
  return debugging::assert_positive(rill::abs(multiplier()),
                                    {.message = "LinearOperator was singular"});
}
Node& LinearOperatorScaledIdentity::do_assert_positive_definite() {
  return debugging::assert_positive(real(multiplier()),
                                    {.message = "LinearOperator was not positive definite."});
}
Node& LinearOperatorScaledIdentity::do_assert_self_adjoint() {
  const Output part = imag(multiplier());
  return debugging::assert_equal(zeros_like(part), part,
                                 {.message = "LinearOperator was not self-adjoint"});
}

OperatorRef LinearOperatorScaledIdentity::with_multiplier(Output multiplier,
                                                          const OperatorHints& hints) {
  ScaledIdentityOptions options;
  take_hints(options, hints);
  options.is_square = true;
  return std::make_shared<LinearOperatorScaledIdentity>(rows_, multiplier, options);
}
OperatorRef LinearOperatorScaledIdentity::do_adjoint() {
  return with_multiplier(is_complex(dtype()) ? conj(multiplier()) : multiplier(), hints());
}
OperatorRef LinearOperatorScaledIdentity::do_inverse() {
  OperatorHints same = hints();
  same.is_self_adjoint = true;
  return with_multiplier(1.0 / multiplier(), same);
}
OperatorRef LinearOperatorScaledIdentity::do_cholesky() {
  return with_multiplier(raw::Sqrt(multiplier()), {true, true, true, true});
}

namespace {

// The product of two, or the solution, where it is as simple as its parts.
OperatorRef simple_product(const OperatorRef& left, const OperatorRef& right, bool solves) {
  const auto* ours = dynamic_cast<LinearOperatorScaledIdentity*>(left.get());
  if (ours == nullptr) return {};
  const OperatorOptions hints = commuting_hints(*left, *right);
  const auto scaled = [&](Output x) {
    return solves ? x / ours->multiplier() : x * ours->multiplier();
  };
  if (const auto* other = dynamic_cast<LinearOperatorScaledIdentity*>(right.get())) {
    const Output rows = left->domain_dimension_tensor();
    ScaledIdentityOptions options;
    take_hints(options, hints);
    const Output product = solves ? other->multiplier() / ours->multiplier()
                                  : ours->multiplier() * other->multiplier();
    return std::make_shared<LinearOperatorScaledIdentity>(rows, product, options);
  }
  if (const auto* other = dynamic_cast<LinearOperatorDiag*>(right.get()))
    return std::make_shared<LinearOperatorDiag>(scaled(other->diag()), hints);
  return {};
}

}  // namespace

OperatorRef LinearOperatorScaledIdentity::do_matmul_operator(const OperatorRef& left,
                                                             const OperatorRef& right) {
  const OperatorRef product = simple_product(left, right, false);
  return product ? product : LinearOperator::do_matmul_operator(left, right);
}
OperatorRef LinearOperatorScaledIdentity::do_solve_operator(const OperatorRef& left,
                                                            const OperatorRef& right) {
  const OperatorRef solution = simple_product(left, right, true);
  return solution ? solution : LinearOperator::do_solve_operator(left, right);
}

// --- Zeros ---------------------------------------------------------------------------------------

LinearOperatorZeros::LinearOperatorZeros(const Input& num_rows, const ZerosOperatorOptions& options,
                                         At at) {
  checks_shapes_ = options.assert_proper_shapes;
  const Block in(options.name, "LinearOperatorZeros", at);
  const bool is_square = options.is_square.value_or(true);
  require(options.is_self_adjoint.value_or(true) || !is_square,
          "A zero operator is always self adjoint.");
  require(!options.is_non_singular.value_or(false), "A zero operator is always singular.");
  require(!options.is_positive_definite.value_or(false),
          "A zero operator is always not positive-definite.");
  set_up(options.dtype, {false, options.is_self_adjoint.value_or(is_square), false, is_square},
         options.name.empty() ? "LinearOperatorZeros" : options.name);
  take_rows(num_rows);
  take_columns(options.num_columns.value_or(num_rows));
  const bool are_known = known_rows_.is_full() && known_columns_.is_full();
  require(!is_square || !are_known || known_rows_ == known_columns_,
          "LinearOperatorZeros initialized as is_square=True, but got num_rows(",
          known_rows_.dim(0), ") != num_columns(", known_columns_.dim(0), ")");
  if (options.batch_shape) take_batch(*options.batch_shape);
}

Output LinearOperatorZeros::do_matmul(Output x, const Adjoints& a) {
  if (checks_shapes_) {
    if (a.adjoint_arg) x = linalg::adjoint(x);
    x = with_checked_shape(x);
  }
  const DType type = base_type(x.dtype());
  const auto dim = [&](Output dims, int i) { return slice(dims, {Input(i)}); };
  if (is_square() == true) {
    if (!a.adjoint_arg) return with_batch(zeros(Input(rill::shape(x)), {.dtype = type}));
    const Output batch = slice(rill::shape(x), {SliceRange{.stop = -2}});
    const Output columns = dim(rill::shape(x), -1);
    const Output rows = dim(rill::shape(x), -2);
    const Output dims = concat({batch, parts::list_of({columns, rows})}, 0);
    return with_batch(zeros(Input(dims), {.dtype = type}));
  }
  const Output x_dims = rill::shape(x);
  const Output rows = a.adjoint ? columns_ : rows_;
  const Output columns = dim(x_dims, a.adjoint_arg ? -2 : -1);
  const Output batch = slice(x_dims, {SliceRange{.stop = -2}});
  const Output dims = concat({batch, parts::list_of({rows, columns})}, 0);
  return with_batch(zeros(Input(dims), {.dtype = type}));
}

Output LinearOperatorZeros::do_determinant() { return constant_batch(0); }
Output LinearOperatorZeros::do_trace() { return constant_batch(0); }
Output LinearOperatorZeros::do_diag_part() { return constant_diagonal(0); }
Output LinearOperatorZeros::add_input(const Input& x, const OperatorCall&, At at) {
  const MadeAt here(at);
  return with_batch(as_tensor(x, "mat"));
}

Node& LinearOperatorZeros::do_assert_non_singular() {
  throw debugging::FailedAssertion(Code::kInvalidArgument,
                                   "Zero operators are always non-invertible.");
}
Node& LinearOperatorZeros::do_assert_positive_definite() {
  throw debugging::FailedAssertion(Code::kInvalidArgument,
                                   "Zero operators are always non-positive definite.");
}
Node& LinearOperatorZeros::do_assert_self_adjoint() {
  return no_op({.name = "assert_self_adjoint"});
}

OperatorRef LinearOperatorZeros::do_matmul_operator(const OperatorRef& left,
                                                    const OperatorRef& right) {
  require(left->is_square() == true && right->is_square() == true,
          "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not "
          "supported at this time.");
  return left;
}

}  // namespace rill::linalg

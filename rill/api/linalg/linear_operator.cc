#include "rill/api/linalg/linear_operator.h"

#include <array>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/linalg/operators.h"
#include "rill/api/math/math.h"
#include "rill/api/math/math_parts.h"

namespace rill::linalg {
namespace {

using Question = OperatorQuestion;

constexpr std::array kNames = std::to_array<const char*>(
    {"shape_tensor", "matmul", "matvec", "solve", "solvevec", "determinant", "log_abs_determinant",
     "to_dense", "diag_part", "trace", "add_to_tensor", "assert_non_singular",
     "assert_positive_definite", "assert_self_adjoint"});

Output int32_scalar(std::int64_t value) {
  return as_tensor(Tensor::scalar<std::int32_t>(static_cast<std::int32_t>(value)));
}

std::int64_t dim_from_end(const PartialShape& shape, int from_end) {
  if (!shape.has_rank()) return kUnknownDim;
  return shape.rank() >= from_end ? shape.dim(shape.rank() - from_end) : kUnknownDim;
}

}  // namespace

const char* name_of(Question question) { return kNames[static_cast<std::size_t>(question)]; }

std::optional<Question> operator_question_of(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i)
    if (name == kNames[i]) return static_cast<Question>(i);
  return {};
}

LinearOperator::LinearOperator(DType dtype, const OperatorOptions& options) {
  set_up(dtype, options, options.name.empty() ? "LinearOperator" : options.name);
}

void LinearOperator::set_up(DType dtype, const OperatorHints& hints, std::string name) {
  dtype_ = dtype;
  hints_ = hints;
  name_ = std::move(name);
  if (hints_.is_positive_definite == true) {
    require(hints_.is_non_singular != false, "A positive definite matrix is always non-singular.");
    hints_.is_non_singular = true;
  }
  if (hints_.is_non_singular == true) {
    require(hints_.is_square != false, "A non-singular matrix is always square.");
    hints_.is_square = true;
  }
  if (hints_.is_self_adjoint == true) {
    require(hints_.is_square != false, "A self-adjoint matrix is always square.");
    hints_.is_square = true;
  }
}

std::optional<bool> LinearOperator::is_square() const {
  const std::int64_t columns = domain_dimension(), rows = range_dimension();
  const bool are_known = columns != kUnknownDim && rows != kUnknownDim;
  require(hints_.is_square != false || !are_known || columns != rows,
          "User set is_square hint to False, but the operator was square.");
  if (hints_.is_square) return hints_.is_square;
  return are_known ? std::optional(columns == rows) : std::nullopt;
}

OperatorHints LinearOperator::hints() const {
  OperatorHints all = hints_;
  all.is_square = is_square();
  return all;
}

bool LinearOperator::has_tensor(std::string_view name) const {
  for (const auto& [known, tensor] : tensors_)
    if (known == name) return true;
  return false;
}

Output LinearOperator::tensor(std::string_view name) const {
  for (const auto& [known, tensor] : tensors_)
    if (known == name) return tensor;
  raise(Code::kInvalidArgument, type_name(), " has no tensor ", name);
}

// --- shapes --------------------------------------------------------------------------------------

PartialShape LinearOperator::shape() const {
  if (foreign != nullptr)
    if (const auto shape = foreign->shape()) return *shape;
  return do_shape();
}
PartialShape LinearOperator::batch_shape() const { return batch_of(shape()); }
std::int64_t LinearOperator::domain_dimension() const { return dim_from_end(shape(), 1); }
std::int64_t LinearOperator::range_dimension() const { return dim_from_end(shape(), 2); }

Output LinearOperator::shape_tensor(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "shape_tensor", at);
  const PartialShape known = shape();
  if (known.is_full()) return as_tensor(rill::shape_tensor(known.full()));
  return answer(Question::kShapeTensor);
}

Output LinearOperator::batch_dims(std::optional<Output> dims) {
  const PartialShape known = batch_shape();
  if (known.is_full()) return as_tensor(rill::shape_tensor(known.full()), "batch_shape");
  return slice(dims ? *dims : shape_tensor(), {SliceRange{.stop = -2}});
}
Output LinearOperator::domain_dim(std::optional<Output> dims) {
  if (domain_dimension() != kUnknownDim) return int32_scalar(domain_dimension());
  return slice(dims ? *dims : shape_tensor(), {Input(-1)});
}
Output LinearOperator::range_dim(std::optional<Output> dims) {
  if (range_dimension() != kUnknownDim) return int32_scalar(range_dimension());
  return slice(dims ? *dims : shape_tensor(), {Input(-2)});
}

Output LinearOperator::batch_shape_tensor(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "batch_shape_tensor", at);
  return batch_dims();
}
Output LinearOperator::domain_dimension_tensor(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "domain_dimension_tensor", at);
  return domain_dim();
}
Output LinearOperator::range_dimension_tensor(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "range_dimension_tensor", at);
  return range_dim();
}
Output LinearOperator::tensor_rank_tensor(const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "tensor_rank_tensor", at);
  const PartialShape known = shape();
  return known.has_rank() ? int32_scalar(known.rank()) : size(shape_tensor());
}

// --- questions -----------------------------------------------------------------------------------

Output LinearOperator::own_answer(Question question, Output x, const Adjoints& adjoints) {
  switch (question) {
    case Question::kShapeTensor:
      return do_shape_tensor();
    case Question::kMatmul:
      return do_matmul(x, adjoints);
    case Question::kMatvec:
      return do_matvec(x, adjoints);
    case Question::kSolve:
      return do_solve(x, adjoints);
    case Question::kSolvevec:
      return do_solvevec(x, adjoints);
    case Question::kDeterminant:
      return do_determinant();
    case Question::kLogAbsDeterminant:
      return do_log_abs_determinant();
    case Question::kToDense:
      return do_to_dense();
    case Question::kDiagPart:
      return do_diag_part();
    case Question::kTrace:
      return do_trace();
    case Question::kAddToTensor:
      return do_add_to_tensor(x);
    default:
      break;
  }
  raise(Code::kInternal, "a check is not a tensor");
}

Node& LinearOperator::own_check(Question question) {
  if (question == Question::kAssertNonSingular) return do_assert_non_singular();
  if (question == Question::kAssertPositiveDefinite) return do_assert_positive_definite();
  return do_assert_self_adjoint();
}

Output LinearOperator::answer(Question question, Output argument, const Adjoints& adjoints) {
  if (foreign != nullptr)
    if (const auto found = foreign->answer(question, argument, adjoints)) return *found;
  return own_answer(question, argument, adjoints);
}

Node& LinearOperator::check(Question question) {
  if (foreign != nullptr)
    if (const auto found = foreign->answer(question, {}, {})) return *found->node;
  return own_check(question);
}

Output LinearOperator::asked(Question question, const char* scope, const OperatorCall& call,
                             At at) {
  const Inside in(*this, call.name, scope, at);
  return answer(question);
}

Node& LinearOperator::checked(Question question, const OperatorCall& call, At at) {
  const Inside in(*this, call.name, name_of(question), at);
  return check(question);
}

void LinearOperator::require_square() const {
  if (is_square() == false)
    raise(Code::kUnimplemented,
          "Determinant not implemented for an operator that is expected to not be square.");
}

void LinearOperator::require_solvable() const {
  if (is_non_singular() == false)
    raise(Code::kUnimplemented,
          "Exact solve not implemented for an operator that is expected to be singular.");
  if (is_square() == false)
    raise(Code::kUnimplemented,
          "Exact solve not implemented for an operator that is expected to not be square.");
}

Output LinearOperator::determinant(const OperatorCall& call, At at) {
  require_square();
  return asked(Question::kDeterminant, "det", call, at);
}
Output LinearOperator::log_abs_determinant(const OperatorCall& call, At at) {
  require_square();
  return asked(Question::kLogAbsDeterminant, "log_abs_det", call, at);
}
Output LinearOperator::to_dense(const OperatorCall& call, At at) {
  return asked(Question::kToDense, "to_dense", call, at);
}
Output LinearOperator::diag_part(const OperatorCall& call, At at) {
  return asked(Question::kDiagPart, "diag_part", call, at);
}
Output LinearOperator::trace(const OperatorCall& call, At at) {
  return asked(Question::kTrace, "trace", call, at);
}
Output LinearOperator::add_input(const Input& x, const OperatorCall& call, At at) {
  const Inside in(*this, call.name, "add_to_tensor", at);
  return answer(Question::kAddToTensor, checked_argument(x, "x"));
}
Node& LinearOperator::assert_non_singular(const OperatorCall& call, At at) {
  return checked(Question::kAssertNonSingular, call, at);
}
Node& LinearOperator::assert_positive_definite(const OperatorCall& call, At at) {
  return checked(Question::kAssertPositiveDefinite, call, at);
}
Node& LinearOperator::assert_self_adjoint(const OperatorCall& call, At at) {
  return checked(Question::kAssertSelfAdjoint, call, at);
}

// --- products and solutions ----------------------------------------------------------------------

Output LinearOperator::checked_argument(const Input& x, const char* name) {
  const Output argument = as_tensor(x, name);
  require_type(base_type(argument.dtype()) == dtype(), "Expected argument to have dtype ",
               dtype_text(dtype()), ".  Found: ", dtype_text(argument.dtype()), " in tensor ",
               tensor_text(argument));
  return argument;
}

void LinearOperator::require_compatible(std::int64_t a, std::int64_t b) {
  require(a == kUnknownDim || b == kUnknownDim || a == b, "Dimensions ", a, " and ", b,
          " are not compatible");
}

Output LinearOperator::multiplied(Question question, const Input& x, const OperatorMatmul& call,
                                  At at) {
  const bool is_solve = question == Question::kSolve || question == Question::kSolvevec;
  const bool is_vector = question == Question::kMatvec || question == Question::kSolvevec;
  const char* const scope = is_solve ? "solve" : name_of(question);
  const Inside in(*this, call.name, scope, at);
  const Output argument = checked_argument(x, is_solve ? "rhs" : "x");
  const bool by_rows = call.adjoint != is_solve;  // which of our dimensions meets the argument's
  const bool last = is_vector || call.adjoint_arg;
  require_compatible(by_rows ? range_dimension() : domain_dimension(),
                     dim_from_end(argument.shape(), last ? 1 : 2));
  return answer(question, argument, call);
}

Output LinearOperator::matmul(const Input& x, const OperatorMatmul& call, At at) {
  return multiplied(Question::kMatmul, x, call, at);
}
Output LinearOperator::matvec(const Input& x, const OperatorMatmul& call, At at) {
  return multiplied(Question::kMatvec, x, call, at);
}
Output LinearOperator::solve(const Input& rhs, const OperatorMatmul& call, At at) {
  require_solvable();
  return multiplied(Question::kSolve, rhs, call, at);
}
Output LinearOperator::solvevec(const Input& rhs, const OperatorMatmul& call, At at) {
  return multiplied(Question::kSolvevec, rhs, call, at);
}

std::pair<OperatorRef, OperatorRef> LinearOperator::both(const OperatorRef& x,
                                                         const OperatorMatmul& call) {
  const OperatorRef left = call.adjoint ? adjoint() : self();
  const OperatorRef right = call.adjoint_arg ? x->adjoint() : x;
  const std::int64_t rows = right->range_dimension(), columns = left->domain_dimension();
  require(rows == columns || rows == kUnknownDim || columns == kUnknownDim,
          "Operators are incompatible. Expected `x` to have dimension ", columns, " but got ", rows,
          ".");
  return {left, right};
}

OperatorRef LinearOperator::matmul(const OperatorRef& x, const OperatorMatmul& call, At at) {
  const auto [left, right] = both(x, call);
  const Inside in(*this, call.name, "matmul", at);
  return do_matmul_operator(left, right);
}

OperatorRef LinearOperator::solve(const OperatorRef& rhs, const OperatorMatmul& call, At at) {
  require_solvable();
  const auto [left, right] = both(rhs, call);
  const Inside in(*this, call.name, "solve", at);
  return do_solve_operator(left, right);
}

// --- other operators -----------------------------------------------------------------------------

OperatorRef LinearOperator::adjoint(const OperatorCall& call, At at) {
  if (is_self_adjoint() == true) return self();
  const Inside in(*this, call.name, "adjoint", at);
  return do_adjoint();
}

OperatorRef LinearOperator::inverse(const OperatorCall& call, At at) {
  require(is_square() != false,
          "Cannot take the Inverse: This operator represents a non square matrix.");
  require(is_non_singular() != false,
          "Cannot take the Inverse: This operator represents a singular matrix.");
  const Inside in(*this, call.name, "inverse", at);
  return do_inverse();
}

OperatorRef LinearOperator::cholesky(const OperatorCall& call, At at) {
  require(can_use_cholesky(),
          "Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.");
  const Inside in(*this, call.name, "cholesky", at);
  return do_cholesky();
}

OperatorRef LinearOperator::do_adjoint() {
  return std::make_shared<LinearOperatorAdjoint>(self(), options_of(hints()));
}
OperatorRef LinearOperator::do_inverse() {
  return std::make_shared<LinearOperatorInversion>(self(), options_of(hints()));
}
OperatorRef LinearOperator::do_cholesky() {
  const Output factor = raw::Cholesky(to_dense());
  return std::make_shared<LinearOperatorLowerTriangular>(
      factor, OperatorOptions{true, false, {}, true, ""});
}

namespace {

OperatorRef composed(const OperatorRef& left, const OperatorRef& right, const OperatorRef& first) {
  OperatorOptions hints;
  hints.is_square = both_square(*left, *right);
  if (hints.is_square == true)
    hints.is_non_singular = both_non_singular(*left, *right);
  else if (hints.is_square == false)
    hints.is_non_singular = hints.is_self_adjoint = hints.is_positive_definite = false;
  return std::make_shared<LinearOperatorComposition>(std::vector{first, right}, hints);
}

bool is_identity(const OperatorRef& op) {
  return dynamic_cast<LinearOperatorIdentity*>(op.get()) != nullptr;
}

}  // namespace

OperatorRef LinearOperator::do_matmul_operator(const OperatorRef& left, const OperatorRef& right) {
  if (is_identity(right)) return left;
  if (dynamic_cast<LinearOperatorZeros*>(right.get()) != nullptr) {
    require(right->is_square() == true && left->is_square() == true,
            "Matmul with non-square `LinearOperator`s or non-square `LinearOperatorZeros` not "
            "supported at this time.");
    return right;
  }
  return composed(left, right, left);
}

OperatorRef LinearOperator::do_solve_operator(const OperatorRef& left, const OperatorRef& right) {
  if (is_identity(right)) return left->inverse();
  return composed(left, right, std::make_shared<LinearOperatorInversion>(left));
}

// --- defaults ------------------------------------------------------------------------------------

PartialShape LinearOperator::do_shape() const {
  raise(Code::kUnimplemented, "_shape is not implemented.");
}
Output LinearOperator::do_shape_tensor() {
  raise(Code::kUnimplemented, "_shape_tensor is not implemented.");
}
Output LinearOperator::do_matmul(Output, const Adjoints&) {
  raise(Code::kUnimplemented, "_matmul is not implemented.");
}

Output LinearOperator::do_matvec(Output x, const Adjoints& adjoints) {
  const Output column = expand_dims(x, -1);
  return squeeze(matmul(column, {.adjoint = adjoints.adjoint}), {.axis = {-1}});
}
Output LinearOperator::do_solvevec(Output rhs, const Adjoints& adjoints) {
  const Output column = expand_dims(rhs, -1);
  return squeeze(solve(column, {.adjoint = adjoints.adjoint}), {.axis = {-1}});
}

Output LinearOperator::dense_solve(Output rhs, const Adjoints& adjoints) {
  if (is_square() == false)
    raise(Code::kUnimplemented, "Solve is not yet implemented for non-square operators.");
  if (adjoints.adjoint_arg) rhs = linalg::adjoint(rhs);
  if (can_use_cholesky()) return cholesky_solve(raw::Cholesky(to_dense()), rhs);
  return solve_with_broadcast(to_dense(), rhs, adjoints.adjoint);
}
Output LinearOperator::do_solve(Output rhs, const Adjoints& adjoints) {
  return dense_solve(rhs, adjoints);
}

Output LinearOperator::do_determinant() {
  if (can_use_cholesky()) return raw::Exp(log_abs_determinant());
  return raw::MatrixDeterminant(to_dense());
}

Output LinearOperator::do_log_abs_determinant() {
  if (!can_use_cholesky()) return raw::LogMatrixDeterminant(to_dense()).log_abs_determinant;
  const Output diagonal = linalg::diag_part(raw::Cholesky(to_dense()));
  return 2 * reduce_sum(raw::Log(diagonal), {.axis = parts::ints({-1})});
}

Output LinearOperator::do_to_dense() {
  const PartialShape batch = batch_shape();
  const Input batch_input =
      batch.is_full() ? Input(ShapeInput(batch.full())) : Input(batch_shape_tensor());
  const std::int64_t columns = domain_dimension();
  const Input rows =
      columns != kUnknownDim ? Input(static_cast<int>(columns)) : Input(domain_dimension_tensor());
  return matmul(eye(rows, {.batch_shape = batch_input, .dtype = dtype()}));
}

Output LinearOperator::do_diag_part() { return linalg::diag_part(to_dense()); }
Output LinearOperator::do_trace() { return reduce_sum(diag_part(), {.axis = Input(-1)}); }
Output LinearOperator::do_add_to_tensor(Output x) { return to_dense() + x; }

Node& LinearOperator::do_assert_non_singular() {
  if (can_use_cholesky()) return assert_positive_definite();
  const Output values = singular_values(to_dense());
  const Output largest = reduce_max(values, {.axis = Input(-1)});
  const Output condition = largest / reduce_min(values, {.axis = Input(-1)});
  Output most;
  {
    const NameScope in("max_nonsingular_condition_number");
    const Output rows = cast(range_dimension_tensor(), dtype());
    const Output columns = cast(domain_dimension_tensor(), dtype());
    const Output largest_size = reduce_max(parts::list_of({Input(100.0), rows, columns}));
    const Output steps = cast(largest_size, dtype());
    most = 1.0 / (steps * precision_of(dtype()));
  }
  return debugging::assert_less(condition, most,
                                {.message = "Singular matrix up to precision epsilon."});
}

Node& LinearOperator::do_assert_positive_definite() {
  if (is_self_adjoint() != true)
    raise(Code::kUnimplemented, "assert_positive_definite is not implemented.");
  const Output diagonal = linalg::diag_part(raw::Cholesky(to_dense()));
  return debugging::assert_positive(diagonal, {.message = "Matrix was not positive definite."});
}

Node& LinearOperator::do_assert_self_adjoint() {
  const Output dense = to_dense();
  return debugging::assert_equal(dense, linalg::adjoint(dense),
                                 {.message = "Matrix was not equal to its adjoint."});
}

}  // namespace rill::linalg

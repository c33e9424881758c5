// Operators made of others: adjoints, inverses, one after the other.
#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"

namespace rill::linalg {
namespace {

// The hint of an operator that has it if and only if another one has.
Hint same_hint(Hint other, Hint given, const char* name, const char* what) {
  require(!other || !given || *other == *given, "An operator is ", name, " if and only if its ",
          what, " is ", name, ".");
  return other == true || given == true ? Hint(true) : (other ? other : given);
}

OperatorHints same_hints(const LinearOperator& of, const OperatorHints& given, const char* what) {
  OperatorHints all;
  all.is_square = same_hint(of.is_square(), given.is_square, "square", what);
  all.is_non_singular =
      same_hint(of.is_non_singular(), given.is_non_singular, "non-singular", what);
  all.is_self_adjoint =
      same_hint(of.is_self_adjoint(), given.is_self_adjoint, "self-adjoint", what);
  all.is_positive_definite =
      same_hint(of.is_positive_definite(), given.is_positive_definite, "positive-definite", what);
  return all;
}

OperatorMatmul other_way(const Adjoints& a) { return {!a.adjoint, a.adjoint_arg, ""}; }

}  // namespace

// --- Adjoint -------------------------------------------------------------------------------------

LinearOperatorAdjoint::LinearOperatorAdjoint(OperatorRef of, const OperatorOptions& options,
                                             At at) {
  const OperatorHints hints = same_hints(*of, options, "adjoint");
  const std::string name = options.name.empty() ? of->name() + "_adjoint" : options.name;
  const Block in(name, "", at);
  set_up(of->dtype(), hints, name);
  add_operand(std::move(of));
}

PartialShape LinearOperatorAdjoint::do_shape() const {
  const PartialShape shape = inner()->shape();
  if (!shape.has_rank()) return {};
  const int last = shape.rank() - 1;
  return shape.with_dim(last, shape.dim(last - 1)).with_dim(last - 1, shape.dim(last));
}
Output LinearOperatorAdjoint::do_shape_tensor() {
  const Output dims = inner()->shape_tensor();
  const Output batch = slice(dims, {SliceRange{.stop = -2}});
  const Output columns = slice(dims, {Input(-1)});
  const Output rows = slice(dims, {Input(-2)});
  return concat({batch, parts::list_of({columns, rows})}, -1);
}

Output LinearOperatorAdjoint::do_matmul(Output x, const Adjoints& a) {
  return inner()->matmul(x, other_way(a));
}
Output LinearOperatorAdjoint::do_matvec(Output x, const Adjoints& a) {
  return inner()->matvec(x, other_way(a));
}
Output LinearOperatorAdjoint::do_solve(Output rhs, const Adjoints& a) {
  return inner()->solve(rhs, other_way(a));
}
Output LinearOperatorAdjoint::do_solvevec(Output rhs, const Adjoints& a) {
  return inner()->solvevec(rhs, other_way(a));
}
Output LinearOperatorAdjoint::do_determinant() {
  const Output value = inner()->determinant();
  return is_self_adjoint() == true ? value : conj(value);
}
Output LinearOperatorAdjoint::do_log_abs_determinant() { return inner()->log_abs_determinant(); }
Output LinearOperatorAdjoint::do_trace() {
  const Output value = inner()->trace();
  return is_self_adjoint() == true ? value : conj(value);
}
Output LinearOperatorAdjoint::do_to_dense() {
  const Output dense = inner()->to_dense();
  return is_self_adjoint() == true ? dense : linalg::adjoint(dense);
}

// --- Inversion -----------------------------------------------------------------------------------

LinearOperatorInversion::LinearOperatorInversion(OperatorRef of, const OperatorOptions& options,
                                                 At at) {
  require(of->is_non_singular() != false && options.is_non_singular != false,
          "operator and supplied hints must have `is_non_singular` equal to `True` or `None`.");
  require(of->is_square() != false && options.is_square != false,
          "operator and supplied hints must have `is_square` equal to `True` or `None`.");
  const OperatorHints hints = same_hints(*of, options, "inverse");
  const std::string name = options.name.empty() ? of->name() + "_inv" : options.name;
  const Block in(name, "", at);
  set_up(of->dtype(), hints, name);
  add_operand(std::move(of));
}

Output LinearOperatorInversion::do_matmul(Output x, const Adjoints& a) {
  return inner()->solve(x, applied(a));
}
Output LinearOperatorInversion::do_solve(Output rhs, const Adjoints& a) {
  return inner()->matmul(rhs, applied(a));
}
Output LinearOperatorInversion::do_determinant() { return 1.0 / inner()->determinant(); }
Output LinearOperatorInversion::do_log_abs_determinant() {
  return -1.0 * inner()->log_abs_determinant();
}
OperatorRef LinearOperatorInversion::do_solve_operator(const OperatorRef& left,
                                                       const OperatorRef& right) {
  const auto* ours = dynamic_cast<LinearOperatorInversion*>(left.get());
  if (ours == nullptr) return LinearOperator::do_solve_operator(left, right);
  return ours->inner()->matmul(right);
}

// --- many ----------------------------------------------------------------------------------------

void OperatorOfMany::take(std::vector<OperatorRef> operators) {
  require(!operators.empty(), "Expected a non-empty list of operators. Found: []");
  for (const OperatorRef& op : operators) {
    require_type(op->dtype() == operators[0]->dtype(),
                 "Expected all operators to have the same dtype.  Found ",
                 dtype_text(operators[0]->dtype()), " and ", dtype_text(op->dtype()));
  }
  for (OperatorRef& op : operators) add_operand(std::move(op));
}

std::string OperatorOfMany::joined_names(const std::string& given, const char* between) const {
  if (!given.empty()) return given;
  std::string name;
  for (const OperatorRef& op : operators()) name += (name.empty() ? "" : between) + op->name();
  return name;
}

void OperatorOfMany::imply(Hint& hint, Hint (LinearOperator::*of)() const,
                           const char* denied) const {
  for (const OperatorRef& op : operators())
    if (((*op).*of)() != true) return;
  require(hint != false, denied);
  hint = true;
}

PartialShape OperatorOfMany::common_batch() const {
  PartialShape batch = operators()[0]->batch_shape();
  for (const OperatorRef& op : operators()) batch = broadcast(batch, op->batch_shape());
  return batch;
}

bool OperatorOfMany::all_square() const {
  return std::ranges::all_of(operators(), [](const auto& op) { return op->is_square() == true; });
}

Node& OperatorOfMany::all_of(Node& (LinearOperator::*check)(const OperatorCall&, At)) {
  std::vector<Node*> checks;
  for (const OperatorRef& op : operators()) checks.push_back(&((*op).*check)({}, At()));
  return group(checks);
}

std::vector<OperatorRef> OperatorOfMany::each(
    OperatorRef (LinearOperator::*make)(const OperatorCall&, At)) const {
  std::vector<OperatorRef> made;
  for (const OperatorRef& op : operators()) made.push_back(((*op).*make)({}, At()));
  return made;
}

Output OperatorOfMany::do_determinant() {
  Output product = operators()[0]->determinant();
  for (std::size_t i = 1; i < operators().size(); ++i)
    product = product * operators()[i]->determinant();
  return product;
}
Output OperatorOfMany::do_log_abs_determinant() {
  Output sum = operators()[0]->log_abs_determinant();
  for (std::size_t i = 1; i < operators().size(); ++i)
    sum = sum + operators()[i]->log_abs_determinant();
  return sum;
}

// --- Composition ---------------------------------------------------------------------------------

namespace {

bool are_adjoint(const OperatorRef& x, const OperatorRef& y) {
  if (x.get() == y.get()) {
    if (x->is_self_adjoint()) return *x->is_self_adjoint();
  }
  return x->adjoint().get() == y.get() || y->adjoint().get() == x.get();
}

// Whether it is A ... B B* ... A*.
bool is_product_with_adjoint(const std::vector<OperatorRef>& operators) {
  const std::size_t count = operators.size();
  if (count % 2 != 0) return false;
  for (std::size_t i = 0; i < count / 2; ++i)
    if (!are_adjoint(operators[i], operators[count - 1 - i])) return false;
  return true;
}

}  // namespace

LinearOperatorComposition::LinearOperatorComposition(std::vector<OperatorRef> operators,
                                                     const OperatorOptions& options, At at) {
  const MadeAt here(at);
  take(std::move(operators));
  OperatorHints hints = options;
  imply(hints.is_non_singular, &LinearOperator::is_non_singular,
        "The composition of non-singular operators is always non-singular.");
  const bool is_one = this->operators().size() == 1;
  const bool is_own_adjoint = is_one && this->operators()[0]->is_self_adjoint() == true;
  if (is_own_adjoint || is_product_with_adjoint(this->operators())) {
    require(hints.is_self_adjoint != false,
            "The composition was determined to be self-adjoint but user provided incorrect "
            "`False` hint.");
    hints.is_self_adjoint = true;
  }
  if (is_product_with_adjoint(this->operators())) {
    require(hints.is_square != false,
            "The composition was determined have the form A @ A.H, hence it must be square. The "
            "user provided an incorrect `False` hint.");
    hints.is_square = true;
  }
  if (is_product_with_adjoint(this->operators()) && hints.is_non_singular == true) {
    require(hints.is_positive_definite != false,
            "The composition was determined to be non-singular and have the form A @ A.H, hence "
            "it must be positive-definite. The user provided an incorrect `False` hint.");
    hints.is_positive_definite = true;
  }
  const std::string name = joined_names(options.name, "_o_");
  const NameScope in(name);
  set_up(this->operators()[0]->dtype(), hints, name);
}

PartialShape LinearOperatorComposition::do_shape() const {
  std::int64_t columns = operators()[0]->domain_dimension();
  for (std::size_t i = 1; i < operators().size(); ++i) {
    require_compatible(columns, operators()[i]->range_dimension());
    columns = operators()[i]->domain_dimension();
  }
  return joined(common_batch(), PartialShape{operators()[0]->range_dimension(), columns});
}

namespace {

// The shape that the batches of all operators broadcast to, by adding zeros.
Output added_batches(const std::vector<OperatorRef>& operators) {
  Output sum = zeros(Input(operators[0]->batch_shape_tensor()));
  for (std::size_t i = 1; i < operators.size(); ++i)
    sum = sum + zeros(Input(operators[i]->batch_shape_tensor()));
  return rill::shape(sum);
}

}  // namespace

Output LinearOperatorComposition::do_shape_tensor() {
  const Output rows = operators().front()->range_dimension_tensor();
  const Output columns = operators().back()->domain_dimension_tensor();
  const Output matrix = stack({rows, columns});
  return concat({added_batches(operators()), matrix}, 0);
}

Output LinearOperatorComposition::do_matmul(Output x, const Adjoints& a) {
  std::vector<OperatorRef> order = operators();
  if (!a.adjoint) std::ranges::reverse(order);
  Output result = order[0]->matmul(x, applied(a));
  for (std::size_t i = 1; i < order.size(); ++i)
    result = order[i]->matmul(result, {.adjoint = a.adjoint});
  return result;
}
Output LinearOperatorComposition::do_solve(Output rhs, const Adjoints& a) {
  std::vector<OperatorRef> order = operators();
  if (a.adjoint) std::ranges::reverse(order);
  Output result = order[0]->solve(rhs, applied(a));
  for (std::size_t i = 1; i < order.size(); ++i)
    result = order[i]->solve(result, {.adjoint = a.adjoint});
  return result;
}

Node& LinearOperatorComposition::do_assert_non_singular() {
  if (all_square()) return all_of(&LinearOperator::assert_non_singular);
  return LinearOperator::do_assert_non_singular();
}

OperatorRef LinearOperatorComposition::do_cholesky() {
  auto* lower = dynamic_cast<LinearOperatorLowerTriangular*>(operators()[0].get());
  const bool is_factored =
      operators().size() == 2 && is_product_with_adjoint(operators()) && lower != nullptr;
  if (!is_factored) return LinearOperator::do_cholesky();
  if (lower->is_positive_definite() == true) return operators()[0];
  const Output signs = expand_dims(raw::Sign(lower->diag_part()), -2);
  return std::make_shared<LinearOperatorLowerTriangular>(
      lower->tril() / signs,
      OperatorOptions{lower->is_non_singular(), lower->is_self_adjoint(), {}, true, ""});
}

// --- BlockDiag -----------------------------------------------------------------------------------

LinearOperatorBlockDiag::LinearOperatorBlockDiag(std::vector<OperatorRef> operators,
                                                 const OperatorOptions& options, At at) {
  const MadeAt here(at);
  take(std::move(operators));
  OperatorHints hints = options;
  imply(hints.is_non_singular, &LinearOperator::is_non_singular,
        "The direct sum of non-singular operators is always non-singular.");
  imply(hints.is_self_adjoint, &LinearOperator::is_self_adjoint,
        "The direct sum of self-adjoint operators is always self-adjoint.");
  imply(hints.is_positive_definite, &LinearOperator::is_positive_definite,
        "The direct sum of positive definite operators is always positive definite.");
  const std::string name = joined_names(options.name, "_ds_");
  const NameScope in(name);
  set_up(this->operators()[0]->dtype(), hints, name);
}

PartialShape LinearOperatorBlockDiag::do_shape() const {
  std::int64_t rows = 0, columns = 0;
  const auto add = [](std::int64_t& sum, std::int64_t dim) {
    sum = sum == kUnknownDim || dim == kUnknownDim ? kUnknownDim : sum + dim;
  };
  for (const OperatorRef& op : operators()) {
    add(rows, op->range_dimension());
    add(columns, op->domain_dimension());
  }
  return joined(common_batch(), PartialShape{rows, columns});
}

Output LinearOperatorBlockDiag::do_shape_tensor() {
  const auto total = [&](Output (LinearOperator::*dim)(const OperatorCall&, At)) {
    std::vector<Output> dims;
    for (const OperatorRef& op : operators()) dims.push_back(((*op).*dim)({}, At()));
    Output sum = 0 + dims[0];
    for (std::size_t i = 1; i < dims.size(); ++i) sum = sum + dims[i];
    return sum;
  };
  const Output columns = total(&LinearOperator::domain_dimension_tensor);
  const Output rows = total(&LinearOperator::range_dimension_tensor);
  const Output matrix = stack({rows, columns});
  return concat({added_batches(operators()), matrix}, 0);
}

// The parts of `x` that belong to the blocks.
std::vector<Output> LinearOperatorBlockDiag::blocks(Output x, bool by_columns, bool along_last) {
  std::vector<std::int64_t> sizes;
  for (const OperatorRef& op : operators())
    sizes.push_back(by_columns ? op->domain_dimension() : op->range_dimension());
  const Input axis = along_last ? -1 : -2;
  if (std::ranges::find(sizes, kUnknownDim) == sizes.end())
    return split_sizes(x, parts::ints(sizes), {.axis = axis});
  std::vector<Input> tensors;
  for (const OperatorRef& op : operators())
    tensors.emplace_back(by_columns ? op->domain_dimension_tensor() : op->range_dimension_tensor());
  return split_sizes(x, parts::list_of(tensors),
                     {.axis = axis, .num = static_cast<std::int64_t>(tensors.size())});
}

Output LinearOperatorBlockDiag::by_blocks(Output x, const Adjoints& a, bool solves) {
  const std::vector<Output> parts = blocks(x, solves || !a.adjoint, a.adjoint_arg);
  std::vector<Output> results;
  for (std::size_t i = 0; i < parts.size(); ++i)
    results.push_back(solves ? operators()[i]->solve(parts[i], applied(a))
                             : operators()[i]->matmul(parts[i], applied(a)));
  results = with_common_batch(results);
  return concat({results.begin(), results.end()}, -2);
}
Output LinearOperatorBlockDiag::do_matmul(Output x, const Adjoints& a) {
  return by_blocks(x, a, false);
}
Output LinearOperatorBlockDiag::do_matvec(Output x, const Adjoints& a) {
  const Output column = slice(x, {Ellipsis{}, NewAxis{}});
  return squeeze(matmul(column, {.adjoint = a.adjoint}), {.axis = {-1}});
}
Output LinearOperatorBlockDiag::do_solve(Output rhs, const Adjoints& a) {
  return by_blocks(rhs, a, true);
}

Output LinearOperatorBlockDiag::do_diag_part() {
  if (!all_square())
    raise(Code::kUnimplemented,
          "`diag_part` not implemented for an operator whose blocks are not square.");
  std::vector<Output> lines;
  for (const OperatorRef& op : operators())
    lines.push_back(slice(op->diag_part(), {Ellipsis{}, NewAxis{}}));
  lines = with_common_batch(lines);
  return squeeze(concat({lines.begin(), lines.end()}, -2), {.axis = {-1}});
}

Output LinearOperatorBlockDiag::do_trace() {
  if (!all_square())
    raise(Code::kUnimplemented,
          "`trace` not implemented for an operator whose blocks are not square.");
  Output sum = operators()[0]->trace();
  for (std::size_t i = 1; i < operators().size(); ++i) sum = sum + operators()[i]->trace();
  return sum;
}

Output LinearOperatorBlockDiag::do_to_dense() {
  std::vector<Output> dense;
  for (const OperatorRef& op : operators()) dense.push_back(op->to_dense());
  std::vector<Input> rows;
  Input columns = 0;  // of the blocks before
  for (const Output& block : with_common_batch(dense)) {
    const Output dims = slice(rill::shape(block), {SliceRange{.stop = -1}});
    const auto empty = [&](const Input& width) {
      const Output shape = concat({dims, parts::list_of({width})}, -1);
      return zeros(Input(shape), {.dtype = base_type(block.dtype())});
    };
    const Output before = empty(columns);
    const Output width = slice(rill::shape(block), {Input(-1)});
    columns = columns.is_value() ? Input(0 + width) : Input(columns.output() + width);
    const Output after = empty(domain_dimension_tensor() - columns.output());
    rows.emplace_back(concat({before, block, after}, -1));
  }
  const Output matrix = concat(rows, -2);
  matrix.node->graph().refine_shape(matrix, shape());
  return matrix;
}

Node& LinearOperatorBlockDiag::do_assert_non_singular() {
  return all_of(&LinearOperator::assert_non_singular);
}
Node& LinearOperatorBlockDiag::do_assert_positive_definite() {
  return all_of(&LinearOperator::assert_positive_definite);
}
Node& LinearOperatorBlockDiag::do_assert_self_adjoint() {
  return all_of(&LinearOperator::assert_self_adjoint);
}

OperatorRef LinearOperatorBlockDiag::do_adjoint() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorBlockDiag>(each(&LinearOperator::adjoint), same);
}
OperatorRef LinearOperatorBlockDiag::do_inverse() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorBlockDiag>(each(&LinearOperator::inverse), same);
}
OperatorRef LinearOperatorBlockDiag::do_cholesky() {
  return std::make_shared<LinearOperatorBlockDiag>(each(&LinearOperator::cholesky),
                                                   OperatorOptions{true, {}, {}, true, ""});
}

namespace {

OperatorRef block_by_block(const OperatorRef& left, const OperatorRef& right, bool solves) {
  const auto* a = dynamic_cast<LinearOperatorBlockDiag*>(left.get());
  const auto* b = dynamic_cast<LinearOperatorBlockDiag*>(right.get());
  if (a == nullptr || b == nullptr) return {};
  require(a->operators().size() == b->operators().size(), "Can not efficiently ",
          solves ? "solve" : "multiply two",
          " `LinearOperatorBlockDiag`s together when number of blocks differ.");
  std::vector<OperatorRef> all;
  for (std::size_t i = 0; i < a->operators().size(); ++i)
    all.push_back(solves ? a->operators()[i]->solve(b->operators()[i])
                         : a->operators()[i]->matmul(b->operators()[i]));
  return std::make_shared<LinearOperatorBlockDiag>(
      all, OperatorOptions{both_non_singular(*left, *right), {}, {}, true, ""});
}

}  // namespace

OperatorRef LinearOperatorBlockDiag::do_matmul_operator(const OperatorRef& left,
                                                        const OperatorRef& right) {
  const OperatorRef product = block_by_block(left, right, false);
  return product ? product : LinearOperator::do_matmul_operator(left, right);
}
OperatorRef LinearOperatorBlockDiag::do_solve_operator(const OperatorRef& left,
                                                       const OperatorRef& right) {
  const OperatorRef solution = block_by_block(left, right, true);
  return solution ? solution : LinearOperator::do_solve_operator(left, right);
}

}  // namespace rill::linalg

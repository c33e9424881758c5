#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/debugging/assertions.h"
#include "rill/api/gen/array.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"

namespace rill::linalg {
namespace {

std::int64_t product_of(std::int64_t a, std::int64_t b) {
  return a == kUnknownDim || b == kUnknownDim ? kUnknownDim : a * b;
}

// A shape: numbers where they are known.
class Dims {
 public:
  static Dims of(Output x) {
    if (x.shape().is_full()) return Dims(x.shape());
    return Dims(rill::shape(x));
  }

  bool is_known() const { return known_.has_rank(); }
  Input at(int from_end) const {
    if (is_known()) return static_cast<int>(known_.dim(known_.rank() - from_end));
    return slice(tensor_, {Input(-from_end)});
  }
  // Without the last `count` dimensions, and two others in their place.
  Input with_last(int count, const Input& rows, const Input& columns) const {
    if (is_known()) {
      std::vector<std::int64_t> dims(known_.dims().begin(), known_.dims().end() - count);
      const auto row = parts::known_integer(rows), column = parts::known_integer(columns);
      if (row && column) {
        dims.push_back(*row);
        dims.push_back(*column);
        return parts::ints(dims);
      }
      return concat({parts::ints(dims), parts::list_of({rows, columns})}, 0);
    }
    const Output batch = slice(tensor_, {SliceRange{.stop = -count}});
    return concat({batch, parts::list_of({rows, columns})}, 0);
  }

 private:
  explicit Dims(PartialShape known) : known_(std::move(known)) {}
  explicit Dims(Output tensor) : tensor_(tensor) {}

  PartialShape known_;
  Output tensor_;
};

}  // namespace

LinearOperatorKronecker::LinearOperatorKronecker(std::vector<OperatorRef> operators,
                                                 const OperatorOptions& options, At at) {
  const MadeAt here(at);
  take(std::move(operators));
  OperatorHints hints = options;
  imply(hints.is_non_singular, &LinearOperator::is_non_singular,
        "The Kronecker product of non-singular operators is always non-singular.");
  imply(hints.is_self_adjoint, &LinearOperator::is_self_adjoint,
        "The Kronecker product of self-adjoint operators is always self-adjoint.");
  imply(hints.is_positive_definite, &LinearOperator::is_positive_definite,
        "The Kronecker product of positive-definite operators is always positive-definite.");
  const std::string name = joined_names(options.name, "_x_");
  const NameScope in(name);
  set_up(this->operators()[0]->dtype(), hints, name);
}

PartialShape LinearOperatorKronecker::do_shape() const {
  std::int64_t rows = 1, columns = 1;
  for (const OperatorRef& op : operators()) {
    rows = product_of(rows, op->range_dimension());
    columns = product_of(columns, op->domain_dimension());
  }
  return joined(common_batch(), PartialShape{rows, columns});
}

Output LinearOperatorKronecker::do_shape_tensor() {
  const auto product = [&](Output (LinearOperator::*dim)(const OperatorCall&, At)) {
    Output all = ((*operators()[0]).*dim)({}, At());
    for (std::size_t i = 1; i < operators().size(); ++i)
      all = all * ((*operators()[i]).*dim)({}, At());
    return all;
  };
  const Output columns = product(&LinearOperator::domain_dimension_tensor);
  const Output rows = product(&LinearOperator::range_dimension_tensor);
  Output batch = operators()[0]->batch_shape_tensor();
  for (std::size_t i = 1; i < operators().size(); ++i)
    batch = raw::BroadcastArgs(batch, operators()[i]->batch_shape_tensor());
  return concat({batch, parts::list_of({rows, columns})}, 0);
}

// One factor after the other, on the columns of `x` laid out so that the factor's dimension is
// last.
Output LinearOperatorKronecker::through_factors(Output x, const Adjoints& a, bool solves) {
  const bool complex = is_complex(dtype());
  Output result = x;
  if (!a.adjoint_arg)
    result = matrix_transpose(result);
  else if (complex)
    result = conj(result);
  for (auto op = operators().rbegin(); op != operators().rend(); ++op) {
    const Output width =
        a.adjoint ? (*op)->range_dimension_tensor() : (*op)->domain_dimension_tensor();
    const Dims dims = Dims::of(result);
    Input size = width, rest = 0;
    if (const auto known = parts::known_integer(width)) {
      size = static_cast<int>(*known);
      const PartialShape& shape = result.shape();
      const std::int64_t cells =
          product_of(shape.dim(shape.rank() - 2), shape.dim(shape.rank() - 1));
      require(cells != kUnknownDim,
              "Kronecker products need arguments whose last two dimensions are known");
      rest = static_cast<int>(cells / std::max<std::int64_t>(*known, 1));
    } else {
      const Output cells = as_tensor(dims.at(2)) * dims.at(1);
      rest = cast(operators::floordiv(cells, width, {}), DType::i32);
    }
    result = raw::Reshape(result, dims.with_last(2, rest, size));
    if (complex) result = conj(result);
    const OperatorMatmul call{.adjoint = a.adjoint, .adjoint_arg = true};
    result = solves ? (*op)->solve(result, call) : (*op)->matmul(result, call);
  }
  const Input columns = Dims::of(x).at(a.adjoint_arg ? 2 : 1);
  const Output row_tensor = a.adjoint ? domain_dimension_tensor() : range_dimension_tensor();
  const auto known_rows = parts::known_integer(row_tensor);
  const Input rows = known_rows ? Input(static_cast<int>(*known_rows)) : Input(row_tensor);
  result = raw::Reshape(result, Dims::of(result).with_last(2, rows, columns));
  if (x.shape().is_full()) {
    const PartialShape batch = broadcast(batch_of(x.shape()), batch_shape());
    const std::int64_t column = x.shape().dim(x.shape().rank() - (a.adjoint_arg ? 2 : 1));
    result.node->graph().refine_shape(
        result,
        joined(batch, PartialShape{a.adjoint ? domain_dimension() : range_dimension(), column}));
  }
  return result;
}
Output LinearOperatorKronecker::do_matmul(Output x, const Adjoints& a) {
  return through_factors(x, a, false);
}
Output LinearOperatorKronecker::do_solve(Output rhs, const Adjoints& a) {
  return through_factors(rhs, a, true);
}

Output LinearOperatorKronecker::do_determinant() {
  const Output total = domain_dimension_tensor();
  Input product = 1.0;
  for (const OperatorRef& op : operators()) {
    const Output value = op->determinant();
    const Output share = total / op->domain_dimension_tensor();
    const Output power = operators::pow(value, cast(share, op->dtype()), {});
    product = operators::mul(product, power, {});
  }
  return product.output();
}

Output LinearOperatorKronecker::do_log_abs_determinant() {
  const Output total = domain_dimension_tensor();
  Input sum = 0.0;
  for (const OperatorRef& op : operators()) {
    const Output value = op->log_abs_determinant();
    const Output share = total / op->domain_dimension_tensor();
    sum = operators::add(sum, value * cast(share, op->dtype()), {});
  }
  return sum.output();
}

Output LinearOperatorKronecker::do_trace() {
  Input product = 1.0;
  for (const OperatorRef& op : operators()) product = operators::mul(product, op->trace(), {});
  return product.output();
}

Output LinearOperatorKronecker::do_diag_part() {
  Output line = operators()[0]->diag_part();
  for (std::size_t i = 1; i < operators().size(); ++i) {
    const Output columns = slice(line, {Ellipsis{}, SliceRange{}, NewAxis{}});
    const Output rows = slice(operators()[i]->diag_part(), {Ellipsis{}, NewAxis{}, SliceRange{}});
    const Output product = columns * rows;
    const Output batch = slice(rill::shape(product), {SliceRange{.stop = -2}});
    line = raw::Reshape(product, concat({batch, parts::ints({-1})}, 0));
  }
  const std::int64_t size =
      range_dimension() > domain_dimension() ? domain_dimension() : range_dimension();
  line.node->graph().refine_shape(line, joined(batch_shape(), PartialShape{size}));
  return line;
}

Output LinearOperatorKronecker::do_to_dense() {
  Output product = operators()[0]->to_dense();
  for (std::size_t i = 1; i < operators().size(); ++i) {
    const Output spread =
        slice(product, {Ellipsis{}, SliceRange{}, NewAxis{}, SliceRange{}, NewAxis{}});
    const Output inner = slice(operators()[i]->to_dense(),
                               {Ellipsis{}, NewAxis{}, SliceRange{}, NewAxis{}, SliceRange{}});
    const Output all = spread * inner;
    const Dims dims = Dims::of(all);
    const auto merged = [&](int first) -> Input {
      const Input a = dims.at(first), b = dims.at(first - 1);
      if (dims.is_known())
        return static_cast<int>(*parts::known_integer(a) * *parts::known_integer(b));
      return a.output() * b.output();
    };
    const Input rows = merged(4), columns = merged(2);
    product = raw::Reshape(all, dims.with_last(4, rows, columns));
  }
  product.node->graph().refine_shape(product, shape());
  return product;
}

Node& LinearOperatorKronecker::do_assert_non_singular() {
  if (all_square()) return all_of(&LinearOperator::assert_non_singular);
  throw debugging::FailedAssertion(
      Code::kInvalidArgument,
      "All Kronecker factors must be square for the product to be invertible.");
}
Node& LinearOperatorKronecker::do_assert_self_adjoint() {
  if (all_square()) return all_of(&LinearOperator::assert_self_adjoint);
  throw debugging::FailedAssertion(
      Code::kInvalidArgument,
      "All Kronecker factors must be square for the product to be self adjoint.");
}

OperatorRef LinearOperatorKronecker::do_adjoint() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorKronecker>(each(&LinearOperator::adjoint), same);
}
OperatorRef LinearOperatorKronecker::do_inverse() {
  OperatorOptions same = options_of(hints());
  same.is_square = true;
  return std::make_shared<LinearOperatorKronecker>(each(&LinearOperator::inverse), same);
}
OperatorRef LinearOperatorKronecker::do_cholesky() {
  return std::make_shared<LinearOperatorKronecker>(each(&LinearOperator::cholesky),
                                                   OperatorOptions{true, {}, {}, true, ""});
}

}  // namespace rill::linalg

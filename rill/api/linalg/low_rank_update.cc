#include "rill/api/array/array_parts.h"
#include "rill/api/array/diagonals.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/linalg.h"
#include "rill/api/gen/math.h"
#include "rill/api/linalg/linalg.h"
#include "rill/api/linalg/operator_parts.h"
#include "rill/api/math/math.h"

namespace rill::linalg {

OperatorHints LinearOperatorLowRankUpdate::implied(const LinearOperator& base,
                                                   const LowRankOptions& options) {
  diag_is_positive_ = options.is_diag_update_positive;
  if (!options.diag_update) {
    require(diag_is_positive_ != false,
            "Default diagonal is the identity, which is positive.  However, user set "
            "'is_diag_update_positive' to False.");
    diag_is_positive_ = true;
  }
  uses_cholesky_ = base.is_positive_definite() == true && base.is_self_adjoint() == true &&
                   diag_is_positive_ == true && !options.v;
  OperatorHints hints = OperatorOptions(options);
  if (base.is_self_adjoint() == true && !options.v && !is_complex(base.dtype())) {
    require(hints.is_self_adjoint != false,
            "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is "
            "self-adjoint, this must be a self-adjoint operator.");
    hints.is_self_adjoint = true;
  }
  if (uses_cholesky_) {
    require(hints.is_positive_definite != false && hints.is_self_adjoint != false &&
                hints.is_non_singular != false,
            "Arguments imply this is self-adjoint positive-definite operator.");
    hints.is_positive_definite = hints.is_self_adjoint = true;
  }
  return hints;
}

LinearOperatorLowRankUpdate::LinearOperatorLowRankUpdate(OperatorRef base_operator, const Input& u,
                                                         const LowRankOptions& options, At at) {
  const OperatorHints hints = implied(*base_operator, options);
  const Block in(options.name, "LinearOperatorLowRankUpdate", at);
  const Output left = as_tensor(u, "u");
  add_tensor("u", left);
  add_tensor("v", options.v ? as_tensor(*options.v, "v") : left);
  if (options.diag_update)
    add_tensor("diag_update", as_tensor(*options.diag_update, "diag_update"));
  set_up(base_operator->dtype(), hints,
         options.name.empty() ? "LinearOperatorLowRankUpdate" : options.name);
  add_operand(std::move(base_operator));
  if (has_tensor("diag_update")) {
    OperatorOptions positive;
    positive.is_positive_definite = diag_is_positive_;
    add_operand(std::make_shared<LinearOperatorDiag>(tensor("diag_update"), positive));
  } else {
    const PartialShape& shape = left.shape();
    const std::int64_t rank = shape.has_rank() ? shape.dim(shape.rank() - 1) : kUnknownDim;
    const Input rows = rank != kUnknownDim ? Input(static_cast<int>(rank))
                                           : Input(slice(rill::shape(left), {Input(-1)}));
    SizedOperatorOptions sized;
    sized.dtype = dtype();
    add_operand(std::make_shared<LinearOperatorIdentity>(rows, sized));
  }
  const PartialShape uv = broadcast(left.shape(), tensor("v").shape());
  if (uv.has_rank()) {
    require_compatible(this->base_operator()->domain_dimension(), uv.dim(uv.rank() - 2));
    require_compatible(diag_operator()->domain_dimension(), uv.dim(uv.rank() - 1));
  }
  (void)shape();  // the batches must fit
}

PartialShape LinearOperatorLowRankUpdate::do_shape() const {
  PartialShape batch = broadcast(base_operator()->batch_shape(), diag_operator()->batch_shape());
  batch = broadcast(batch, batch_of(tensor("u").shape()));
  batch = broadcast(batch, batch_of(tensor("v").shape()));
  return joined(
      batch, PartialShape{base_operator()->range_dimension(), base_operator()->domain_dimension()});
}

Output LinearOperatorLowRankUpdate::do_shape_tensor() {
  const auto batch_of_tensor = [&](const char* name) {
    return slice(rill::shape(tensor(name)), {SliceRange{.stop = -2}});
  };
  const Output base = base_operator()->batch_shape_tensor();
  Output batch = raw::BroadcastArgs(base, diag_operator()->batch_shape_tensor());
  batch = raw::BroadcastArgs(batch, batch_of_tensor("u"));
  batch = raw::BroadcastArgs(batch, batch_of_tensor("v"));
  const Output matrix = slice(base_operator()->shape_tensor(), {SliceRange{.start = -2}});
  return concat({batch, matrix}, 0);
}

Output LinearOperatorLowRankUpdate::do_matmul(Output x, const Adjoints& a) {
  const Output first = base_operator()->matmul(x, applied(a));
  const Output inner = tensor(a.adjoint ? "u" : "v"), outer = tensor(a.adjoint ? "v" : "u");
  const Output narrow = rill::matmul(inner, x, {.adjoint_a = true, .adjoint_b = a.adjoint_arg});
  const Output scaled = diag_operator()->matmul(narrow, {.adjoint = a.adjoint});
  return first + rill::matmul(outer, scaled);
}

Output LinearOperatorLowRankUpdate::capacitance(Output u, Output v) {
  const Output solved = base_operator()->solve(u);
  const Output inner = rill::matmul(v, solved, {.adjoint_a = true});
  return diag_operator()->inverse()->add_to_tensor(inner);
}

Output LinearOperatorLowRankUpdate::do_determinant() {
  if (is_positive_definite() == true) return raw::Exp(log_abs_determinant());
  const Output inner = raw::MatrixDeterminant(capacitance(tensor("u"), tensor("v")));
  const Output diagonal = diag_operator()->determinant();
  const Output base = base_operator()->determinant();
  return inner * diagonal * base;
}

Output LinearOperatorLowRankUpdate::do_log_abs_determinant() {
  const Output diagonal = diag_operator()->log_abs_determinant();
  const Output base = base_operator()->log_abs_determinant();
  const Output inner = capacitance(tensor("u"), tensor("v"));
  Output log;
  if (uses_cholesky_) {
    const Output line = linalg::diag_part(raw::Cholesky(inner));
    log = 2 * reduce_sum(raw::Log(line), {.axis = parts::ints({-1})});
  } else {
    log = raw::Log(rill::abs(raw::MatrixDeterminant(inner)));
    if (is_complex(dtype())) log = cast(log, dtype());
  }
  return log + diagonal + base;
}

Output LinearOperatorLowRankUpdate::do_solve(Output rhs, const Adjoints& a) {
  require(base_operator()->is_non_singular() != false,
          "Solve not implemented unless this is a perturbation of a non-singular LinearOperator.");
  const Output u = tensor(a.adjoint ? "v" : "u"), v = tensor(a.adjoint ? "u" : "v");
  const Output inner = capacitance(tensor("u"), tensor("v"));
  const Output solved = base_operator()->solve(rhs, applied(a));
  const Output narrow = rill::matmul(v, solved, {.adjoint_a = true});
  const Output through = uses_cholesky_ ? cholesky_solve(raw::Cholesky(inner), narrow)
                                        : solve_with_broadcast(inner, narrow, a.adjoint);
  const Output wide = rill::matmul(u, through);
  return solved - base_operator()->solve(wide, {.adjoint = a.adjoint});
}

Output LinearOperatorLowRankUpdate::do_diag_part() {
  Output product = tensor("u") * conj(tensor("v"));
  if (has_tensor("diag_update")) product = product * expand_dims(tensor("diag_update"), -2);
  const Output sum = reduce_sum(product, {.axis = Input(-1)});
  return sum + base_operator()->diag_part();
}

Node& LinearOperatorLowRankUpdate::do_assert_self_adjoint() {
  const bool is_symmetric = tensor("u") == tensor("v") && !has_tensor("diag_update");
  if (is_symmetric) return base_operator()->assert_self_adjoint();
  return LinearOperator::do_assert_self_adjoint();
}

}  // namespace rill::linalg

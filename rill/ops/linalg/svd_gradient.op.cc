#include "rill/ops/linalg/svd_gradient.h"

#include "rill/ops/linalg/matrix_columns.h"
#include "rill/ops/linalg/matrix_gradients.h"

namespace rill {
namespace {

// The parts for a matrix of m rows and n columns with m <= n. One with more rows is the adjoint of
// such a matrix, whose u and v change places.
struct Parts {
  Output s, u, v, ds, du, dv;
  std::int64_t m, n;
  bool full;
};

// x + x* of a matrix.
Output twice_hermitian(GradCtx& g, Output x) { return add(g, x, adjoint(g, x)); }

Output inner(GradCtx& g, Output x, Output y) { return matmul(g, x, y, Turn::kAdjoint); }

// What reaches the matrix within the spaces that u and the first m columns of v span.
Output within(GradCtx& g, const Parts& p, Output v, Output v_dv) {
  const Output squares = square(g, p.s), s = diag(g, p.s);
  const Output differences = safe_reciprocal(g, sub(g, as_row(g, squares), as_column(g, squares)));
  const Output f = set_diag(g, differences, zeros_like(g, p.s));
  const Output from_u = matmul(g, twice_hermitian(g, mul(g, f, inner(g, p.u, p.du))), s);
  const Output from_v = matmul(g, s, twice_hermitian(g, mul(g, f, v_dv)));
  const Output middle = add(g, add(g, diag(g, p.ds), from_u), from_v);
  return matmul(g, p.u, matmul(g, middle, v, Turn::kNone, Turn::kAdjoint));
}

// What reaches it from the directions of dv that v does not span.
Output beyond(GradCtx& g, const Parts& p, Output v, Output dv, Output u_over_s) {
  const Output turned = adjoint(g, dv);
  Output rest = sub(g, turned, matmul(g, matmul(g, turned, v), v, Turn::kNone, Turn::kAdjoint));
  if (p.full) {
    const Output v2 = matrix_columns(g, p.v, p.m, p.n), dv2 = matrix_columns(g, p.dv, p.m, p.n);
    rest = sub(g, rest, matmul(g, inner(g, v, dv2), v2, Turn::kNone, Turn::kAdjoint));
  }
  return matmul(g, u_over_s, rest);
}

Output wide_svd_grad(GradCtx& g, const Parts& p) {
  const bool cut = p.full && p.m < p.n;
  const Output v = cut ? matrix_columns(g, p.v, 0, p.m) : p.v;
  const Output dv = cut ? matrix_columns(g, p.dv, 0, p.m) : p.dv;
  const Output v_dv = inner(g, v, dv);
  Output da = within(g, p, v, v_dv);
  const bool is_complex = kComplexTypes.contains(base_type(p.s.dtype()));
  if (p.m == p.n && !is_complex) return da;
  const Output u_over_s = matmul(g, p.u, diag(g, safe_reciprocal(g, p.s)));
  if (p.m < p.n) da = add(g, da, beyond(g, p, v, dv, u_over_s));
  if (!is_complex) return da;
  // A common phase of a pair of vectors is free.
  const Output phases = diag_part(g, v_dv);
  const Output free = diag(g, scaled(g, sub(g, conj(g, phases), phases), 0.5));
  return add(g, da, matmul(g, u_over_s, matmul(g, free, v, Turn::kNone, Turn::kAdjoint)));
}

}  // namespace

void svd_grad(GradCtx& g) {
  if (!g.attr<bool>("compute_uv")) {
    Node& svd = g.scope().add("Svd", {g.input(0)}, {{"compute_uv", true}});
    const Output right = matmul(g, diag(g, g.dy(0)), svd.output(2), Turn::kNone, Turn::kAdjoint);
    return g.set(0, matmul(g, svd.output(1), right));
  }
  const PartialShape& shape = g.input(0).shape();
  const std::int64_t m = shape.has_rank() ? shape.dim(shape.rank() - 2) : kUnknownDim;
  const std::int64_t n = shape.has_rank() ? shape.dim(shape.rank() - 1) : kUnknownDim;
  if (m < 0 || n < 0)
    raise(
        Code::kUnimplemented,
        "SVD gradient has not been implemented for input with unknown inner matrix shape: ", shape);
  const bool full = g.attr<bool>("full_matrices");
  if (full && std::abs(m - n) > 1)
    raise(Code::kUnimplemented,
          "svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True: ", shape);
  if (m <= n)
    return g.set(0, wide_svd_grad(g, {g.output(0), g.output(1), g.output(2), g.dy(0), g.dy(1),
                                      g.dy(2), m, n, full}));
  g.set(0, adjoint(g, wide_svd_grad(g, {g.output(0), g.output(2), g.output(1), g.dy(0), g.dy(2),
                                        g.dy(1), n, m, full})));
}

}  // namespace rill

#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kCholesky, kCholeskyGrad, kBatchCholesky, kBatchCholeskyGrad;

namespace {

void cholesky(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Matrices m(input);
  const std::int64_t n = m.rows;
  visit_matrix_type(input.dtype(), [&]<class T>() {
    each_matrix(call, m.count, cubed(n) / 3, [&](std::int64_t b) {
      T* const out = output.data<T>() + b * m.size();
      std::copy_n(input.data<T>() + b * m.size(), m.size(), out);
      require(dense(input.dtype()).cholesky(out, n),
              "Cholesky decomposition was not successful. The input might not be valid.");
      for (std::int64_t i = 0; i < n; ++i) std::fill(out + i * n + i + 1, out + (i + 1) * n, T(0));
    });
  });
}

// With P = L* G, of which the lower triangle is taken and half of the diagonal, the gradient is
// L^-* (P + P*) L^-1 / 2, which is symmetric.
template <class T>
void gradient(const Dense& dense, const T* l, const T* grad, std::int64_t n, T* out) {
  const auto size = static_cast<std::size_t>(n * n);
  std::vector<T> upper(size), lower_grad(size), product(size);
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j) {
      upper[static_cast<std::size_t>(j * n + i)] = l[i * n + j];
      lower_grad[static_cast<std::size_t>(i * n + j)] = -grad[i * n + j];
    }
  dense.subtract_product({n, n, n, upper.data(), lower_grad.data(), product.data(), n, n, n});
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j <= i; ++j)
      out[i * n + j] = out[j * n + i] = product[static_cast<std::size_t>(i * n + j)] / 2;
  dense.solve_triangular({n, n, upper.data(), out, n, n, false});
  copy_adjoint(product.data(), out, n, n);
  dense.solve_triangular({n, n, upper.data(), product.data(), n, n, false});
  for (std::int64_t i = 0; i < n; ++i)  // the same number on both sides of the diagonal
    for (std::int64_t j = 0; j <= i; ++j)
      out[i * n + j] = out[j * n + i] = product[static_cast<std::size_t>(i * n + j)];
}

void cholesky_grad(KernelCall& call) {
  const Tensor &l = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Matrices m(l);
  const auto run = [&]<class T>(T) {
    each_matrix(call, m.count, 4 * cubed(m.rows), [&](std::int64_t b) {
      const std::int64_t at = b * m.size();
      gradient(dense(l.dtype()), l.data<T>() + at, call.input_tensor(1).data<T>() + at, m.rows,
               output.data<T>() + at);
    });
  };
  l.dtype() == DType::f32 ? run(float{}) : run(double{});
}

constexpr TypeSet kRealTypes = DType::f32 | DType::f64;
constexpr KernelEntry kEntries[] = {
    {.op = &kCholesky, .types = kMatrixTypes, .run = cholesky},
    {.op = &kBatchCholesky, .types = kRealTypes, .run = cholesky},
    {.op = &kCholeskyGrad, .types = kRealTypes, .run = cholesky_grad},
    {.op = &kBatchCholeskyGrad, .types = kRealTypes, .run = cholesky_grad},
};

}  // namespace

extern const KernelTable kCholeskyCpu{kEntries};

}  // namespace rill

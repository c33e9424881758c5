#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/matrices.h"
#include "rill/tensor/strided.h"

namespace rill {

extern const OpDecl kMatrixSolve, kMatrixTriangularSolve, kMatrixInverse, kBatchMatrixSolve,
    kBatchMatrixTriangularSolve, kBatchMatrixInverse;

namespace {

constexpr std::int64_t kSmallSide = 16;

// Writes the solution of a system for `columns` right-hand sides, or the inverse when there are
// none given.
template <class T>
void solve_one(DType type, const T* matrix, bool is_adjoint, const T* rhs, std::int64_t n,
               std::int64_t columns, const char* singular, T* out) {
  const Dense& by = dense(type);
  // Room for small matrices, which come by the thousand, is kept.
  thread_local std::vector<T> kept_factors;
  thread_local std::vector<std::int64_t> kept_order;
  std::vector<T> own_factors;
  std::vector<std::int64_t> own_order;
  std::vector<T>& factors = n <= kSmallSide ? kept_factors : own_factors;
  std::vector<std::int64_t>& order = n <= kSmallSide ? kept_order : own_order;
  factors.assign(matrix, matrix + n * n);
  order.resize(static_cast<std::size_t>(n));
  if (is_adjoint) copy_adjoint(factors.data(), matrix, n, n);
  (void)by.lu(factors.data(), n, order.data());
  for (std::int64_t i = 0; i < n; ++i)
    require(std::abs(factors[static_cast<std::size_t>(i * n + i)]) > 0, singular);
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t from = order[static_cast<std::size_t>(i)];
    if (rhs != nullptr) {
      std::copy_n(rhs + from * columns, columns, out + i * columns);
    } else {
      std::fill_n(out + i * columns, columns, T(0));
      out[i * columns + from] = T(1);
    }
  }
  by.solve_triangular({n, columns, factors.data(), out, n, columns, true, true});
  by.solve_triangular({n, columns, factors.data(), out, n, columns, false});
}

void solve(KernelCall& call) {
  const Tensor &matrix = call.input_tensor(0), &rhs = call.input_tensor(1);
  const Tensor& output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const bool is_adjoint = call.node().attr<bool>("adjoint");
  const Matrices a(matrix), b(rhs);
  const double operations =
      cubed(a.rows) + 2.0 * static_cast<double>(a.size()) * static_cast<double>(b.columns);
  visit_matrix_type(matrix.dtype(), [&]<class T>() {
    each_matrix(call, a.count, operations, [&](std::int64_t i) {
      solve_one(matrix.dtype(), matrix.data<T>() + i * a.size(), is_adjoint,
                rhs.data<T>() + i * b.size(), a.rows, b.columns, "Input matrix is not invertible.",
                output.data<T>() + i * b.size());
    });
  });
}

void inverse(KernelCall& call) {
  const Tensor &matrix = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const bool is_adjoint = call.node().attr<bool>("adjoint");
  const Matrices a(matrix);
  visit_matrix_type(matrix.dtype(), [&]<class T>() {
    each_matrix(call, a.count, 3 * cubed(a.rows), [&](std::int64_t i) {
      const T* const none = nullptr;
      solve_one(matrix.dtype(), matrix.data<T>() + i * a.size(), is_adjoint, none, a.rows, a.rows,
                "Input is not invertible.", output.data<T>() + i * a.size());
    });
  });
}

struct Triangle {
  bool lower, is_adjoint;
};

template <class T>
void solve_one_triangular(DType type, const T* matrix, Triangle triangle, const T* rhs,
                          std::int64_t n, std::int64_t columns, T* out) {
  for (std::int64_t i = 0; i < n; ++i)
    require(matrix[i * n + i] != T(0), "Input matrix is not invertible.");
  std::copy_n(rhs, n * columns, out);
  TriangularSystem system{n, columns, matrix, out, n, columns, triangle.lower};
  constexpr bool kReal = std::is_floating_point_v<T>;
  if (kReal && columns == 1) system.transposed = triangle.is_adjoint;
  if (!triangle.is_adjoint || system.transposed) return dense(type).solve_triangular(system);
  std::vector<T> turned(static_cast<std::size_t>(n * n));
  copy_adjoint(turned.data(), matrix, n, n);
  system.t = turned.data();
  system.lower = !triangle.lower;
  dense(type).solve_triangular(system);
}

Shape batch_of(const Tensor& x) {
  return Shape(x.shape().dims().first(static_cast<std::size_t>(x.rank() - 2)));
}

void triangular_solve(KernelCall& call) {
  const Tensor &matrix = call.input_tensor(0), &rhs = call.input_tensor(1);
  const Tensor& output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Triangle triangle{call.node().attr<bool>("lower"), call.node().attr<bool>("adjoint")};
  const std::int64_t n = output.dim(output.rank() - 2), columns = output.dim(output.rank() - 1);
  const Shape batch = batch_of(output);
  const double operations = static_cast<double>(n * n) * static_cast<double>(columns);
  visit_matrix_type(matrix.dtype(), [&]<class T>() {
    const std::size_t matrix_bytes = static_cast<std::size_t>(n * n) * sizeof(T);
    const std::size_t rhs_bytes = static_cast<std::size_t>(n * columns) * sizeof(T);
    const RowLoop loop{dense_view(output.raw_data(), batch, rhs_bytes),
                       broadcast_view(matrix.raw_data(), batch_of(matrix), batch, matrix_bytes),
                       broadcast_view(rhs.raw_data(), batch_of(rhs), batch, rhs_bytes)};
    loop.run(0, loop.piece_count(), [&](std::byte* const* at, std::size_t count) {
      each_matrix(call, static_cast<std::int64_t>(count), operations, [&](std::int64_t i) {
        solve_one_triangular(matrix.dtype(), reinterpret_cast<const T*>(at[1] + i * loop.step(1)),
                             triangle, reinterpret_cast<const T*>(at[2] + i * loop.step(2)), n,
                             columns, reinterpret_cast<T*>(at[0] + i * loop.step(0)));
      });
    });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMatrixSolve, .types = kMatrixTypes, .run = solve},
    {.op = &kBatchMatrixSolve, .types = kMatrixTypes, .run = solve},
    {.op = &kMatrixTriangularSolve, .types = kMatrixTypes, .run = triangular_solve},
    {.op = &kBatchMatrixTriangularSolve, .types = kMatrixTypes, .run = triangular_solve},
    {.op = &kMatrixInverse, .types = kMatrixTypes, .run = inverse},
    {.op = &kBatchMatrixInverse, .types = kMatrixTypes, .run = inverse},
};

}  // namespace

extern const KernelTable kSolveCpu{kEntries};

}  // namespace rill

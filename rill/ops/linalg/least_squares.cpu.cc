#include <limits>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/eigen_doors.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kMatrixSolveLs, kBatchMatrixSolveLs;

namespace {

// One problem: an m x n matrix, k right-hand sides.
template <class T>
struct Problem {
  DType type;
  const T* a;
  const T* b;
  std::int64_t m, n, k;
  T* x;

  static std::size_t size(std::int64_t rows, std::int64_t columns) {
    return static_cast<std::size_t>(rows * columns);
  }

  // Replaces the k columns of `rhs` by solutions for gram + regularizer I, of n rows.
  void solve_regularized(std::vector<T>& gram, std::int64_t rows, double regularizer,
                         T* rhs) const {
    const Dense& by = dense(type);
    for (std::int64_t i = 0; i < rows; ++i) gram[size(i, rows + 1)] += T(regularizer);
    require(by.cholesky(gram.data(), rows),
            "Input matrix was rank deficient or ill-conditioned. Try setting fast=False or "
            "provide a larger l2_regularizer > 0.");
    std::vector<T> upper(gram.size());
    copy_adjoint(upper.data(), gram.data(), rows, rows);
    by.solve_triangular({rows, k, gram.data(), rhs, rows, k, true});
    by.solve_triangular({rows, k, upper.data(), rhs, rows, k, false});
  }

  // By the normal equations of the smaller size.
  void solve_fast(double regularizer) const {
    const Dense& by = dense(type);
    std::vector<T> minus_adjoint(size(m, n));
    copy_adjoint(minus_adjoint.data(), a, m, n);
    for (T& value : minus_adjoint) value = -value;
    std::fill_n(x, n * k, T(0));
    if (m >= n) {
      std::vector<T> gram(size(n, n));
      by.subtract_product({n, n, m, minus_adjoint.data(), a, gram.data(), m, n, n});
      by.subtract_product({n, k, m, minus_adjoint.data(), b, x, m, k, k});
      return solve_regularized(gram, n, regularizer, x);
    }
    std::vector<T> gram(size(m, m)), solution(b, b + m * k);
    by.subtract_product({m, m, n, a, minus_adjoint.data(), gram.data(), n, m, m});
    solve_regularized(gram, m, regularizer, solution.data());
    by.subtract_product({n, k, m, minus_adjoint.data(), solution.data(), x, m, k, k});
  }

  void solve_slowly() const {
    using D = std::conditional_t<std::is_floating_point_v<T>, double, std::complex<double>>;
    using Real = decltype(std::abs(T()));
    const std::vector<D> wide_a(a, a + m * n), wide_b(b, b + m * k);
    std::vector<D> wide_x(size(n, k));
    eigen_least_squares<D>(wide_a.data(), m, n, wide_b.data(), k,
                           static_cast<double>(std::numeric_limits<Real>::epsilon()),
                           wide_x.data());
    for (std::size_t i = 0; i < wide_x.size(); ++i) x[i] = static_cast<T>(wide_x[i]);
  }
};

void least_squares(KernelCall& call) {
  const Tensor &matrix = call.input_tensor(0), &rhs = call.input_tensor(1),
               &output = call.output_tensor(0);
  const double regularizer = call.input<double>(2)[0];
  require(regularizer >= 0, "l2_regularizer must be >= 0., not ", regularizer);
  if (output.element_count() == 0) return;
  const bool fast = call.node().attr<bool>("fast");
  const Matrices a(matrix), b(rhs);
  const double operations =
      static_cast<double>(a.size()) * (2.0 * static_cast<double>(std::min(a.rows, a.columns)) +
                                       4.0 * static_cast<double>(b.columns));
  visit_matrix_type(matrix.dtype(), [&]<class T>() {
    if (a.rows == 0) return std::fill_n(output.data<T>(), output.element_count(), T(0)), void();
    each_matrix(call, a.count, operations, [&](std::int64_t i) {
      const Problem<T> problem{matrix.dtype(),
                               matrix.data<T>() + i * a.size(),
                               rhs.data<T>() + i * b.size(),
                               a.rows,
                               a.columns,
                               b.columns,
                               output.data<T>() + i * a.columns * b.columns};
      fast ? problem.solve_fast(regularizer) : problem.solve_slowly();
    });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kMatrixSolveLs, .types = kMatrixTypes, .run = least_squares},
    {.op = &kBatchMatrixSolveLs, .types = DType::f32 | DType::f64, .run = least_squares},
};

}  // namespace

extern const KernelTable kLeastSquaresCpu{kEntries};

}  // namespace rill

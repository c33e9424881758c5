#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kTridiagonalMatMul, kTridiagonalSolve;

namespace {

// to -= factor * from, for rows of numbers.
template <class T>
void subtract_row(T* to, T factor, const T* from, std::int64_t count) {
  for (std::int64_t j = 0; j < count; ++j) to[j] -= factor * from[j];
}

// A tridiagonal system of n equations with k right-hand sides, which become the solutions.
template <class T>
struct System {
  const T* above;
  const T* main;
  const T* below;
  std::int64_t n, k;
  T* x;

  T* row(std::int64_t i) const { return x + i * k; }

  // False when a pivot is zero.
  bool solve_in_order() const {
    std::vector<T> factors(static_cast<std::size_t>(n));
    T pivot = main[0];
    for (std::int64_t i = 0; i < n; ++i) {
      if (i > 0) {
        const T before = factors[static_cast<std::size_t>(i - 1)];
        pivot = main[i] - below[i] * before;
        subtract_row(row(i), below[i], row(i - 1), k);
      }
      if (pivot == T(0)) return false;
      for (std::int64_t j = 0; j < k; ++j) row(i)[j] /= pivot;
      if (i + 1 < n) factors[static_cast<std::size_t>(i)] = above[i] / pivot;
    }
    for (std::int64_t i = n - 2; i >= 0; --i)
      subtract_row(row(i), factors[static_cast<std::size_t>(i)], row(i + 1), k);
    return true;
  }

  // Exchanges neighbouring rows where that gives the larger pivot. Row i of the triangle that
  // remains has three elements: on the diagonal and right of it.
  bool solve_with_pivots() const {
    struct Row {
      T on, next, last;
    };
    std::vector<Row> u(static_cast<std::size_t>(n));
    const auto at = [&](std::int64_t i) -> Row& { return u[static_cast<std::size_t>(i)]; };
    at(0) = {main[0], n > 1 ? above[0] : T(0), T(0)};
    for (std::int64_t i = 0; i + 1 < n; ++i) {
      Row& row_now = at(i);
      const Row given{below[i + 1], main[i + 1], i + 2 < n ? above[i + 1] : T(0)};
      if (std::abs(row_now.on) >= std::abs(given.on)) {
        if (row_now.on == T(0)) return false;
        const T factor = given.on / row_now.on;
        at(i + 1) = {given.next - factor * row_now.next, given.last, T(0)};
        subtract_row(row(i + 1), factor, row(i), k);
      } else {
        const T factor = row_now.on / given.on;
        at(i + 1) = {row_now.next - factor * given.next, -factor * given.last, T(0)};
        row_now = given;
        std::swap_ranges(row(i), row(i) + k, row(i + 1));
        subtract_row(row(i + 1), factor, row(i), k);
      }
    }
    if (at(n - 1).on == T(0)) return false;
    for (std::int64_t i = n - 1; i >= 0; --i) {
      if (i + 1 < n) subtract_row(row(i), at(i).next, row(i + 1), k);
      if (i + 2 < n) subtract_row(row(i), at(i).last, row(i + 2), k);
      for (std::int64_t j = 0; j < k; ++j) row(i)[j] /= at(i).on;
    }
    return true;
  }
};

void tridiagonal_solve(KernelCall& call) {
  const Tensor &diagonals = call.input_tensor(0), &rhs = call.input_tensor(1),
               &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const bool pivots = call.node().attr<bool>("partial_pivoting");
  const Matrices m(output);
  const std::int64_t n = m.rows;
  visit_matrix_type(output.dtype(), [&]<class T>() {
    each_matrix(call, m.count, 20.0 * static_cast<double>(m.size()), [&](std::int64_t i) {
      T* const out = output.data<T>() + i * m.size();
      std::copy_n(rhs.data<T>() + i * m.size(), m.size(), out);
      const T* const above = diagonals.data<T>() + i * 3 * n;
      const System<T> system{above, above + n, above + 2 * n, n, m.columns, out};
      const bool is_solved = pivots ? system.solve_with_pivots() : system.solve_in_order();
      require(is_solved, pivots ? "The matrix is not invertible."
                                : "The matrix is either not invertible, or requires pivoting. Try "
                                  "setting partial_pivoting = True.");
    });
  });
}

void tridiagonal_matmul(KernelCall& call) {
  const Tensor &rhs = call.input_tensor(3), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Matrices m(output);
  const std::int64_t n = m.rows, k = m.columns;
  visit_matrix_type(output.dtype(), [&]<class T>() {
    const auto diagonal = [&](int i) { return call.input_tensor(i).data<T>(); };
    const T *above = diagonal(0), *main = diagonal(1), *below = diagonal(2);
    each_matrix(call, m.count * n, 6.0 * static_cast<double>(k), [&](std::int64_t row) {
      const std::int64_t i = row % n;
      const T* const x = rhs.data<T>() + row * k;
      T* const out = output.data<T>() + row * k;
      for (std::int64_t j = 0; j < k; ++j) out[j] = main[row] * x[j];
      if (i + 1 < n) subtract_row(out, -above[row], x + k, k);
      if (i > 0) subtract_row(out, -below[row], x - k, k);
    });
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kTridiagonalSolve, .types = kMatrixTypes, .run = tridiagonal_solve},
    {.op = &kTridiagonalMatMul, .types = kMatrixTypes, .run = tridiagonal_matmul},
};

}  // namespace

extern const KernelTable kTridiagonalCpu{kEntries};

}  // namespace rill

#include <cmath>
#include <limits>
#include <vector>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/array/values/index_values.h"
#include "rill/ops/linalg/matrices.h"

namespace rill {

extern const OpDecl kLu, kMatrixDeterminant, kLogMatrixDeterminant, kBatchMatrixDeterminant;

namespace {

void lu(KernelCall& call) {
  const Tensor &input = call.input_tensor(0), &output = call.output_tensor(0);
  if (output.element_count() == 0) return;
  const Matrices m(input);
  const std::int64_t n = m.rows;
  visit_matrix_type(input.dtype(), [&]<class T>() {
    each_matrix(call, m.count, cubed(n), [&](std::int64_t b) {
      T* const out = output.data<T>() + b * m.size();
      std::copy_n(input.data<T>() + b * m.size(), m.size(), out);
      std::vector<std::int64_t> order(static_cast<std::size_t>(n));
      (void)dense(input.dtype()).lu(out, n, order.data());
      for (std::int64_t i = 0; i < n; ++i) {
        require(std::abs(out[i * n + i]) > 0, "Input is not invertible.");
        set_int_at(call.output_tensor(1), b * n + i, order[static_cast<std::size_t>(i)]);
      }
    });
  });
}

template <class T>
struct SignedLog {
  T sign = T(1);
  decltype(std::abs(T())) log = 0;
};

// As TensorFlow has it, a determinant that is zero, infinite or no number has the sign 0.
template <class T>
SignedLog<T> log_determinant(DType type, const T* matrix, std::int64_t n) {
  std::vector<T> factors(matrix, matrix + n * n);
  std::vector<std::int64_t> order(static_cast<std::size_t>(n));
  SignedLog<T> result;
  result.sign = T(dense(type).lu(factors.data(), n, order.data()));
  for (std::int64_t i = 0; i < n; ++i) {
    const T pivot = factors[static_cast<std::size_t>(i * n + i)];
    const auto size = std::abs(pivot);
    result.sign *= pivot / size;
    result.log += std::log(size);
  }
  if (std::isfinite(result.log)) return result;
  const auto infinity = std::numeric_limits<decltype(result.log)>::infinity();
  return {T(0), result.log > 0 ? infinity : -infinity};
}

template <class Store>
void each_determinant(const KernelCall& call, Store store) {
  const Tensor& input = call.input_tensor(0);
  const Matrices m(input);
  visit_matrix_type(input.dtype(), [&]<class T>() {
    each_matrix(call, m.count, cubed(m.rows), [&](std::int64_t b) {
      store(b, log_determinant(input.dtype(), input.data<T>() + b * m.size(), m.rows));
    });
  });
}

void determinant(KernelCall& call) {
  each_determinant(call, [&]<class T>(std::int64_t b, const SignedLog<T>& d) {
    call.output_tensor(0).data<T>()[b] = d.sign * std::exp(d.log);
  });
}

void log_matrix_determinant(KernelCall& call) {
  each_determinant(call, [&]<class T>(std::int64_t b, const SignedLog<T>& d) {
    call.output_tensor(0).data<T>()[b] = d.sign;
    call.output_tensor(1).data<T>()[b] = T(d.log);
  });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kLu, .types = kMatrixTypes, .run = lu},
    {.op = &kMatrixDeterminant, .types = kMatrixTypes, .run = determinant},
    {.op = &kBatchMatrixDeterminant, .types = kMatrixTypes, .run = determinant},
    {.op = &kLogMatrixDeterminant, .types = kMatrixTypes, .run = log_matrix_determinant},
};

}  // namespace

extern const KernelTable kLuCpu{kEntries};

}  // namespace rill

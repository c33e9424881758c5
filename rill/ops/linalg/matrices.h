#pragma once

#include <algorithm>
#include <complex>

#include "rill/base/error.h"
#include "rill/kernel/kernel_call.h"
#include "rill/ops/linalg/dense.h"

namespace rill {

// The matrices of a tensor of shape [..., rows, columns], one behind the other.
struct Matrices {
  explicit Matrices(const Tensor& x)
      : rows(x.dim(x.rank() - 2)), columns(x.dim(x.rank() - 1)), count(1) {
    for (int i = 0; i + 2 < x.rank(); ++i)
      require(!__builtin_mul_overflow(count, x.dim(i), &count), "too many matrices: ", x.shape());
  }
  std::int64_t size() const { return rows * columns; }

  std::int64_t rows, columns, count;
};

// Calls f.operator()<T>() for the types of kMatrixTypes.
template <class F>
void visit_matrix_type(DType type, F f) {
  switch (type) {
    case DType::f32:
      return f.template operator()<float>();
    case DType::f64:
      return f.template operator()<double>();
    case DType::c64:
      return f.template operator()<std::complex<float>>();
    case DType::c128:
      return f.template operator()<std::complex<double>>();
    default:
      raise(Code::kUnimplemented, "matrices of ", type, " cannot be decomposed");
  }
}

// Calls work(i) for matrices [0, count) on the threads of the call; one takes about `operations`
// floating-point operations.
template <class F>
void each_matrix(const KernelCall& call, std::int64_t count, double operations, F work) {
  if (count <= 0) return;
  call.parallel_for(static_cast<std::size_t>(count), operations / 8,
                    [&](std::size_t begin, std::size_t end) {
                      for (std::size_t i = begin; i < end; ++i) work(static_cast<std::int64_t>(i));
                    });
}

inline double cubed(std::int64_t n) {
  const auto x = static_cast<double>(n);
  return x * x * x;
}

template <class T>
T conjugated(T x) {
  if constexpr (requires { x.imag(); })
    return std::conj(x);
  else
    return x;
}

template <class T>
void set_identity(T* x, std::int64_t rows, std::int64_t columns) {
  std::fill_n(x, rows * columns, T(0));
  for (std::int64_t i = 0; i < std::min(rows, columns); ++i) x[i * columns + i] = T(1);
}

// dst = the adjoint of src, which has `rows` rows.
template <class T>
void copy_adjoint(T* dst, const T* src, std::int64_t rows, std::int64_t columns) {
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < columns; ++j) dst[j * rows + i] = conjugated(src[i * columns + j]);
}

template <class T>
bool all_finite(const T* x, std::int64_t count) {
  bool finite = true;
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (requires { x[i].imag(); })
      finite &= std::isfinite(x[i].real()) && std::isfinite(x[i].imag());
    else
      finite &= std::isfinite(x[i]);
  }
  return finite;
}

}  // namespace rill

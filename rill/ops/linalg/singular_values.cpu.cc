#include "rill/ops/linalg/singular_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#define HWY_TARGET_INCLUDE "rill/ops/linalg/singular_values.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
// clang-format off
#include "rill/ops/linalg/bidiagonal-inl.h"
#include "rill/ops/linalg/bisection-inl.h"
// clang-format on
namespace rill::HWY_NAMESPACE {

template <class T>
void values_of(const T* a, std::int64_t m, std::int64_t n, T* s) {
  T largest = 0;
  for (std::int64_t i = 0; i < m * n; ++i) largest = std::max(largest, std::abs(a[i]));
  if (largest == 0) return void(std::fill_n(s, std::min(m, n), T(0)));
  int exponent = 0;  // of a power of two, which changes no digit, but keeps squares from overflow
  (void)std::frexp(largest, &exponent);
  Bidiagonal<T> work(a, m, n, exponent);
  work.reduce();
  bisect_values(work.diagonals(), exponent, s);
}

void float_values_of(const float* a, std::int64_t m, std::int64_t n, float* s) {
  values_of(a, m, n, s);
}
void double_values_of(const double* a, std::int64_t m, std::int64_t n, double* s) {
  values_of(a, m, n, s);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_values_of);
HWY_EXPORT(double_values_of);

void singular_values(const float* a, std::int64_t m, std::int64_t n, float* s) {
  HWY_DYNAMIC_DISPATCH(float_values_of)(a, m, n, s);
}
void singular_values(const double* a, std::int64_t m, std::int64_t n, double* s) {
  HWY_DYNAMIC_DISPATCH(double_values_of)(a, m, n, s);
}

}  // namespace rill
#endif

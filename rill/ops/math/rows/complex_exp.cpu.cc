#include <algorithm>
#include <cmath>
#include <complex>

#include "rill/ops/math/rows/exponential_rows.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/complex_exp.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/vector_trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// complex64 as pairs of floats, which the compiler vectorises as it does not complex numbers. The C
// library takes those where overflow or large angles need care.
[[gnu::always_inline]] inline bool easy_exp(const float* x) {
  return (std::abs(x[0]) <= 80.0f) & (std::abs(x[1]) <= kReducible);
}
[[gnu::always_inline]] inline void fast_exp(float* out, const float* x) {
  const double size = vector_exp(static_cast<double>(x[0]));
  const auto [r, turns] = reduce_by_half_pi(x[1]);
  out[0] = static_cast<float>(size * sin_of(r, turns + 1));
  out[1] = static_cast<float>(size * sin_of(r, turns));
}
void complex_exp_block(float* out, const float* x, std::size_t n) {
  int hard = 0;
  for (std::size_t i = 0; i < n; ++i) hard |= easy_exp(x + 2 * i) ? 0 : 1;
  if (hard == 0) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) fast_exp(out + 2 * i, x + 2 * i);
    return;
  }
  for (std::size_t i = 0; i < 2 * n; i += 2) {
    if (easy_exp(x + i)) {
      fast_exp(out + i, x + i);
    } else {
      const complex64 y = std::exp(complex64(x[i], x[i + 1]));
      out[i] = y.real();
      out[i + 1] = y.imag();
    }
  }
}
void complex_exp_row(void* out, const void* x, std::size_t n) {
  constexpr std::size_t kBlock = 256;
  for (std::size_t i = 0; i < n; i += kBlock)
    complex_exp_block(static_cast<float*>(out) + 2 * i, static_cast<const float*>(x) + 2 * i,
                      std::min(kBlock, n - i));
}

}  // namespace

UnaryRows complex_exp_rows() { return {complex_exp_row, 3}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(complex_exp_rows);

UnaryRows find_complex_exp_row() { return HWY_DYNAMIC_DISPATCH(complex_exp_rows)(); }

}  // namespace rill
#endif

// Rows of functors that are branch-free and fast on most operands and slow on a few, one copy per
// instruction set: include it after rill/ops/simd/each_target.h. A functor has easy(operands), and
// fast(operands) and slow(operands) for those that are and are not; which of the two computes an
// element does not depend on its neighbours.

#if defined(RILL_OPS_MATH_GUARDED_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_GUARDED_ROWS_INL_H
#undef RILL_OPS_MATH_GUARDED_ROWS_INL_H
#else
#define RILL_OPS_MATH_GUARDED_ROWS_INL_H
#endif

#include <algorithm>

#include "rill/ops/math/rows/elementwise.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

inline constexpr std::size_t kGuardedBlock = 256;  // elements that one check vouches for

template <class F, class T>
void guarded_block(T* out, const T* x, std::size_t n) {
  int hard = 0;
  for (std::size_t i = 0; i < n; ++i) hard |= F::easy(x[i]) ? 0 : 1;
  if (hard == 0) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) out[i] = F::fast(x[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i) out[i] = F::easy(x[i]) ? F::fast(x[i]) : F::slow(x[i]);
  }
}
template <class F, class T>
void guarded_block(T* out, const T* x, const T* y, std::size_t n) {
  int hard = 0;
  for (std::size_t i = 0; i < n; ++i) hard |= F::easy(x[i], y[i]) ? 0 : 1;
  if (hard == 0) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) out[i] = F::fast(x[i], y[i]);
  } else {
    for (std::size_t i = 0; i < n; ++i)
      out[i] = F::easy(x[i], y[i]) ? F::fast(x[i], y[i]) : F::slow(x[i], y[i]);
  }
}

template <class F, class T>
void guarded_row(void* out, const void* x, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kGuardedBlock)
    guarded_block<F>(static_cast<T*>(out) + i, static_cast<const T*>(x) + i,
                     std::min(kGuardedBlock, n - i));
}
template <class F, class T>
void guarded_row(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kGuardedBlock)
    guarded_block<F>(static_cast<T*>(out) + i, static_cast<const T*>(x) + i,
                     static_cast<const T*>(y) + i, std::min(kGuardedBlock, n - i));
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

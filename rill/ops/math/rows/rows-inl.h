// Row templates over functors, one copy per instruction set: include it after
// rill/ops/simd/each_target.h. A functor is stateless and takes its operands by value.

#if defined(RILL_OPS_MATH_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_ROWS_INL_H
#undef RILL_OPS_MATH_ROWS_INL_H
#else
#define RILL_OPS_MATH_ROWS_INL_H
#endif

#include "rill/ops/math/rows/elementwise.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// `out` may be an operand itself but never overlaps one otherwise, so iterations are independent.

template <class F, class T, class R>
void unary_row(void* out, const void* x, std::size_t n) {
  auto* r = static_cast<R*>(out);
  const auto* p = static_cast<const T*>(x);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) r[i] = F()(p[i]);
}

template <class F, class T, class R>
void both_row(void* out, const void* x, const void* y, std::size_t n) {
  auto* r = static_cast<R*>(out);
  const auto* p = static_cast<const T*>(x);
  const auto* q = static_cast<const T*>(y);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) r[i] = F()(p[i], q[i]);
}

template <class F, class T, class R>
void scalar_y_row(void* out, const void* x, const void* y, std::size_t n) {
  auto* r = static_cast<R*>(out);
  const auto* p = static_cast<const T*>(x);
  const T q = *static_cast<const T*>(y);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) r[i] = F()(p[i], q);
}

template <class F, class T, class R>
void scalar_x_row(void* out, const void* x, const void* y, std::size_t n) {
  auto* r = static_cast<R*>(out);
  const T p = *static_cast<const T*>(x);
  const auto* q = static_cast<const T*>(y);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) r[i] = F()(p, q[i]);
}

// Loops for both operands varying and for either one fixed: for cheap ops.
template <class F, class T>
constexpr BinaryRows three_rows() {
  using R = decltype(F()(T(), T()));
  return {both_row<F, T, R>, scalar_y_row<F, T, R>, scalar_x_row<F, T, R>};
}
// One loop only; a fixed operand is repeated in scratch: where the arithmetic outweighs that.
template <class F, class T>
constexpr BinaryRows one_row(double cost) {
  using R = decltype(F()(T(), T()));
  return {.both = both_row<F, T, R>, .cost = cost};
}

// The rows of F for the type among T... whose dtype is `type`; empty when there is none.
template <class F, class... T>
BinaryRows pick_three(DType type) {
  BinaryRows rows;
  ((dtype_of<T> == type ? void(rows = three_rows<F, T>()) : void()), ...);
  return rows;
}
template <class F, class... T>
BinaryRows pick_one(DType type, double cost) {
  BinaryRows rows;
  ((dtype_of<T> == type ? void(rows = one_row<F, T>(cost)) : void()), ...);
  return rows;
}
template <class F, class... T>
UnaryRows pick_unary(DType type, double cost = 0.3) {
  UnaryRows rows;
  ((dtype_of<T> == type ? void(rows = {unary_row<F, T, decltype(F()(T()))>, cost}) : void()), ...);
  return rows;
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

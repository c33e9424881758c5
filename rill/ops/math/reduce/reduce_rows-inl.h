// Row templates of reductions, one copy per instruction set: include it after
// rill/ops/simd/each_target.h. A functor F has `Accumulator`, `identity()`, `load(x)`, which turns
// an element into an accumulator, and `join(a, b)`.

#if defined(RILL_OPS_MATH_REDUCE_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RILL_OPS_MATH_REDUCE_ROWS_INL_H
#undef RILL_OPS_MATH_REDUCE_ROWS_INL_H
#else
#define RILL_OPS_MATH_REDUCE_ROWS_INL_H
#endif

#include <algorithm>

#include "rill/ops/math/reduce/reduce.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

template <class F>
void fill_row(void* acc, std::size_t n) {
  std::fill_n(static_cast<typename F::Accumulator*>(acc), n, F::identity());
}

// lanes[0] from all 2 * width lanes, halves at a time.
template <class F, std::size_t width>
void fold_lanes(typename F::Accumulator* lanes) {
  for (std::size_t j = 0; j < width; ++j) lanes[j] = F::join(lanes[j], lanes[j + width]);
  if constexpr (width > 1) fold_lanes<F, width / 2>(lanes);
}

// The number of lanes is fixed, so that the order of additions is the same on every machine; there
// are enough of them to hide how long one takes.
template <class F, class T>
void fold_row(void* acc, const void* x, std::size_t n) {
  using A = typename F::Accumulator;
  constexpr std::size_t kLanes = sizeof(A) <= 4 ? 64 : 32;
  const auto* p = static_cast<const T*>(x);
  auto& total = *static_cast<A*>(acc);
  if (n < kLanes) {
    for (std::size_t i = 0; i < n; ++i) total = F::join(total, F::load(p[i]));
    return;
  }
  A lanes[kLanes];
  for (A& lane : lanes) lane = F::identity();
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (std::size_t j = 0; j < kLanes; ++j) lanes[j] = F::join(lanes[j], F::load(p[i + j]));
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] = F::join(lanes[j], F::load(p[i + j]));
  fold_lanes<F, kLanes / 2>(lanes);
  total = F::join(total, lanes[0]);
}

template <class F, class T>
void fold_rows(void* acc, const void* x, std::size_t rows, std::size_t n) {
  auto* a = static_cast<typename F::Accumulator*>(acc);
  const auto* p = static_cast<const T*>(x);
  for (std::size_t i = 0; i < rows; ++i, p += n) {
    auto total = F::identity();
    for (std::size_t j = 0; j < n; ++j) total = F::join(total, F::load(p[j]));
    a[i] = total;
  }
}

template <class F, class T>
void add_row(void* acc, const void* x, std::size_t n) {
  auto* a = static_cast<typename F::Accumulator*>(acc);
  const auto* p = static_cast<const T*>(x);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) a[i] = F::join(a[i], F::load(p[i]));
}

template <class F>
void merge_row(void* acc, const void* other, std::size_t n) {
  auto* a = static_cast<typename F::Accumulator*>(acc);
  const auto* b = static_cast<const typename F::Accumulator*>(other);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) a[i] = F::join(a[i], b[i]);
}

template <class F, class T>
constexpr ReduceRows reduce_rows() {
  return {.accumulator_size = sizeof(typename F::Accumulator),
          .fill = fill_row<F>,
          .fold = fold_row<F, T>,
          .fold_rows = fold_rows<F, T>,
          .add = add_row<F, T>,
          .merge = merge_row<F>};
}

// The rows of F<T> for the type among T... whose dtype is `type`; empty when there is none.
template <template <class> class F, class... T>
ReduceRows pick_reduce(DType type) {
  ReduceRows rows;
  ((dtype_of<T> == type ? void(rows = reduce_rows<F<T>, T>()) : void()), ...);
  return rows;
}

}  // namespace
}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

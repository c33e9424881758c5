#include "rill/ops/nn/pool_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/pool_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

template <class T>
void pool_take_larger(const T* x, std::int32_t pixel, T* best, std::int32_t* places,
                      std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) {
    const bool larger = x[i] > best[i];
    best[i] = larger ? x[i] : best[i];
    places[i] = larger ? pixel : places[i];
  }
}

template <class T>
void pool_keep_larger(const T* x, T* best, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) best[i] = x[i] > best[i] ? x[i] : best[i];
}

template <class T>
void pool_add(const T* x, T* sum, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i];
}

template <class T>
void pool_add_scaled(const T* x, T factor, T* sum, std::int64_t n) {
#pragma GCC ivdep
  for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i] * factor;
}

template <class T>
void pool_divide(T count, T* sum, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) sum[i] /= count;
}

}  // namespace

PoolRows<float> float_pool_rows() {
  return {pool_take_larger, pool_keep_larger, pool_add, pool_add_scaled, pool_divide};
}
PoolRows<double> double_pool_rows() {
  return {pool_take_larger, pool_keep_larger, pool_add, pool_add_scaled, pool_divide};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_pool_rows);
HWY_EXPORT(double_pool_rows);

template <>
PoolRows<float> find_pool_rows() {
  return HWY_DYNAMIC_DISPATCH(float_pool_rows)();
}
template <>
PoolRows<double> find_pool_rows() {
  return HWY_DYNAMIC_DISPATCH(double_pool_rows)();
}

}  // namespace rill
#endif

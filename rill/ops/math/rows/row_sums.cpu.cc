#include "rill/ops/math/rows/row_sums.h"

#include <algorithm>

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/row_sums.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// Few elements at a time stay in registers while all inputs are added.
template <class T>
void sum_add_all(void* out, const void* const* inputs, std::size_t count, std::size_t n) {
  constexpr std::size_t kLanes = 128 / sizeof(T);
  auto* r = static_cast<T*>(out);
  const auto input = [&](std::size_t k) { return static_cast<const T*>(inputs[k]); };
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    T sum[kLanes];
    for (std::size_t j = 0; j < kLanes; ++j) sum[j] = input(0)[i + j] + input(1)[i + j];
    for (std::size_t k = 2; k < count; ++k)
      for (std::size_t j = 0; j < kLanes; ++j) sum[j] += input(k)[i + j];
    for (std::size_t j = 0; j < kLanes; ++j) r[i + j] = sum[j];
  }
  for (; i < n; ++i) {
    T sum = input(0)[i] + input(1)[i];
    for (std::size_t k = 2; k < count; ++k) sum += input(k)[i];
    r[i] = sum;
  }
}

template <class T, class Index>
void sum_add_at(void* to, const void* from, const Index* ids, std::size_t count, std::size_t width,
                std::size_t n) {
  auto* r = static_cast<T*>(to);
  const auto* x = static_cast<const T*>(from);
  for (std::size_t i = 0; i < count; ++i, x += width) {
    if (ids[i] < 0) continue;
    T* row = r + static_cast<std::size_t>(ids[i]) * width;
#pragma GCC ivdep
    for (std::size_t j = 0; j < n; ++j) row[j] += x[j];
  }
}

template <class T>
RowSums sums() {
  return {sum_add_all<T>, sum_add_at<T, std::int32_t>, sum_add_at<T, std::int64_t>};
}

}  // namespace

RowSums row_sums(DType type) {
  return type == DType::f32 ? sums<float>() : type == DType::f64 ? sums<double>() : RowSums{};
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_BY_TYPE(RowSums, find_row_sums, row_sums);

}  // namespace rill
#endif

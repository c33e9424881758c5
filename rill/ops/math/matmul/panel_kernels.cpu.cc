#include "rill/ops/math/matmul/panel_kernels.h"

#include <algorithm>
#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/math/matmul/panel_kernels.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"
// Vector types of the target at hand: sums are multiplied and added in one instruction.
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using PanelLanes = hn::CappedTag<float, 16>;
using PanelVec = hn::Vec<PanelLanes>;
constexpr auto kPanelLanes = static_cast<std::int64_t>(HWY_MIN(HWY_LANES(float), 16));

// As many rows of two vectors as registers hold sums of.
#if HWY_TARGET == HWY_AVX3
constexpr int kPanelRows = 12;
#elif HWY_TARGET == HWY_AVX2
constexpr int kPanelRows = 6;
#else
constexpr int kPanelRows = 4;
#endif
constexpr std::int64_t kPanelColumns = 2 * kPanelLanes;

// Four elements of four vectors, side by side.
typedef float FourFloats __attribute__((vector_size(16)));
HWY_INLINE FourFloats load_four(const float* from) {
  FourFloats four;
  std::memcpy(&four, from, sizeof four);
  return four;
}
HWY_INLINE void turn_four(const float* from, std::int64_t step, float* to, std::int64_t width) {
  const FourFloats r0 = load_four(from), r1 = load_four(from + step);
  const FourFloats r2 = load_four(from + 2 * step), r3 = load_four(from + 3 * step);
  const FourFloats low01 = __builtin_shufflevector(r0, r1, 0, 4, 1, 5);
  const FourFloats low23 = __builtin_shufflevector(r2, r3, 0, 4, 1, 5);
  const FourFloats high01 = __builtin_shufflevector(r0, r1, 2, 6, 3, 7);
  const FourFloats high23 = __builtin_shufflevector(r2, r3, 2, 6, 3, 7);
  const FourFloats turned[] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                               __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                               __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                               __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (int i = 0; i < 4; ++i) std::memcpy(to + i * width, &turned[i], sizeof turned[i]);
}

constexpr std::int64_t kRowsAhead = 16;  // rows lie far apart: the processor does not see them come

template <std::int64_t width>
void pack_panel(const PanelSource& s, std::int64_t count, std::int64_t depth, float* to) {
  if (s.step == 1) {
    for (std::int64_t d = 0; d < depth; ++d, to += width) {
      const float* const row = s.from + d * s.depth_step;
      __builtin_prefetch(row + kRowsAhead * s.depth_step);
      if (count == width) {
        std::memcpy(to, row, width * sizeof(float));
      } else {
        std::copy_n(row, count, to);
        std::fill(to + count, to + width, 0.0f);
      }
    }
    return;
  }
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    std::int64_t d = 0;
    const float* const from = s.from + i * s.step;
    for (; d + 4 <= depth; d += 4) turn_four(from + d, s.step, to + d * width + i, width);
    for (; d < depth; ++d)
      for (std::int64_t j = 0; j < 4; ++j) to[d * width + i + j] = from[j * s.step + d];
  }
  for (; i < width; ++i)
    for (std::int64_t d = 0; d < depth; ++d)
      to[d * width + i] = i < count ? s.from[i * s.step + d] : 0.0f;
}

void pack_rows(const PanelSource& s, std::int64_t count, std::int64_t depth, float* to) {
  pack_panel<kPanelRows>(s, count, depth, to);
}
void pack_columns(const PanelSource& s, std::int64_t count, std::int64_t depth, float* to) {
  pack_panel<kPanelColumns>(s, count, depth, to);
}

HWY_INLINE void multiply_panel(const float* a, const float* b, std::int64_t depth, float* c,
                               std::int64_t ldc, bool adds) {
  const PanelLanes lanes;
  PanelVec left[kPanelRows], right[kPanelRows];
#pragma GCC unroll 12
  for (int i = 0; i < kPanelRows; ++i) left[i] = right[i] = hn::Zero(lanes);
  if (adds)
    for (int i = 0; i < kPanelRows; ++i) __builtin_prefetch(c + i * ldc);
  for (std::int64_t d = 0; d < depth; ++d, a += kPanelRows, b += kPanelColumns) {
    const PanelVec b0 = hn::LoadU(lanes, b), b1 = hn::LoadU(lanes, b + kPanelLanes);
#pragma GCC unroll 12
    for (int i = 0; i < kPanelRows; ++i) {
      const PanelVec factor = hn::Set(lanes, a[i]);
      left[i] = hn::MulAdd(factor, b0, left[i]);
      right[i] = hn::MulAdd(factor, b1, right[i]);
    }
  }
#pragma GCC unroll 12
  for (int i = 0; i < kPanelRows; ++i) {
    float* const row = c + i * ldc;
    if (adds) {
      left[i] = hn::Add(hn::LoadU(lanes, row), left[i]);
      right[i] = hn::Add(hn::LoadU(lanes, row + kPanelLanes), right[i]);
    }
    hn::StoreU(left[i], lanes, row);
    hn::StoreU(right[i], lanes, row + kPanelLanes);
  }
}

// Where C ends inside: apart, and then what belongs to C.
void multiply_edge(const float* a, const float* b, std::int64_t depth, std::int64_t m,
                   std::int64_t n, float* c, std::int64_t ldc, bool adds) {
  alignas(64) float all[kPanelRows * kPanelColumns];
  multiply_panel(a, b, depth, all, kPanelColumns, false);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      float& to = c[i * ldc + j];
      to = adds ? to + all[i * kPanelColumns + j] : all[i * kPanelColumns + j];
    }
}

// A panel of B stays in the first-level cache while those of A pass by.
void multiply_all(const float* a, const float* b, std::int64_t depth, std::int64_t m,
                  std::int64_t n, float* c, std::int64_t ldc, bool adds) {
  for (std::int64_t j = 0; j < n; j += kPanelColumns, b += depth * kPanelColumns)
    for (std::int64_t i = 0; i < m; i += kPanelRows) {
      const std::int64_t rows = std::min<std::int64_t>(kPanelRows, m - i);
      const std::int64_t columns = std::min(kPanelColumns, n - j);
      if (rows == kPanelRows && columns == kPanelColumns)
        multiply_panel(a + i * depth, b, depth, c + i * ldc + j, ldc, adds);
      else
        multiply_edge(a + i * depth, b, depth, rows, columns, c + i * ldc + j, ldc, adds);
    }
}

}  // namespace

const PanelKernels& float_panels() {
  static constexpr PanelKernels kPanels{kPanelRows, kPanelColumns, pack_rows, pack_columns,
                                        multiply_all};
  return kPanels;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(float_panels);

const PanelKernels& panel_kernels() { return HWY_DYNAMIC_DISPATCH(float_panels)(); }

}  // namespace rill
#endif

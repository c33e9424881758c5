#include "rill/ops/nn/norm/layer_norm_rows.h"

#include <cmath>

#define HWY_TARGET_INCLUDE "rill/ops/nn/norm/layer_norm_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::size_t kSumLanes = 32;  // fixed, so that sums have the same order on every machine

// The sum of term(i), in lanes that are added pairwise.
template <class Term>
inline float lane_sum(std::size_t n, Term term) {
  float lanes[kSumLanes] = {};
  std::size_t i = 0;
  for (; i + kSumLanes <= n; i += kSumLanes)
    for (std::size_t j = 0; j < kSumLanes; ++j) lanes[j] += term(i + j);
  for (std::size_t j = 0; i + j < n; ++j) lanes[j] += term(i + j);
  for (std::size_t width = kSumLanes / 2; width > 0; width /= 2)
    for (std::size_t j = 0; j < width; ++j) lanes[j] += lanes[j + width];
  return lanes[0];
}

void layer_normalize(float* y, const float* x, const float* gamma, const float* beta, std::size_t n,
                     float epsilon) {
  const float share = 1.0f / static_cast<float>(n);
  const float mean = lane_sum(n, [=](std::size_t i) { return x[i]; }) * share;
  const float variance = lane_sum(n,
                                  [=](std::size_t i) {
                                    const float d = x[i] - mean;
                                    return d * d;
                                  }) *
                         share;
  const float slope = 1.0f / std::sqrt(variance + epsilon);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) y[i] = (x[i] - mean) * (slope * gamma[i]) + beta[i];
}

void scale_row(float* y, const float* x, const float* mask, float scale, std::size_t n) {
  if (mask == nullptr) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * scale;
    return;
  }
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * scale + mask[i];
}

}  // namespace

LayerNormRows all_layer_norm_rows() { return {layer_normalize, scale_row}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(LayerNormRows, layer_norm_rows, all_layer_norm_rows);

}  // namespace rill
#endif

#include "rill/ops/nn/norm/layer_norm_grad_rows.h"

#include <cmath>

#define HWY_TARGET_INCLUDE "rill/ops/nn/norm/layer_norm_grad_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::size_t kSumLanes = 64;  // fixed, so that sums have the same order on every machine

inline float pairwise(float* lanes) {
  for (std::size_t width = kSumLanes / 2; width > 0; width /= 2)
    for (std::size_t j = 0; j < width; ++j) lanes[j] += lanes[j + width];
  return lanes[0];
}

// Calls term(i, lane) for all i below n: that adds to the lane's sums.
template <class Term>
[[gnu::always_inline]] inline void over_lanes(std::size_t n, Term term) {
  std::size_t i = 0;
  for (; i + kSumLanes <= n; i += kSumLanes) {
#pragma GCC ivdep
    for (std::size_t j = 0; j < kSumLanes; ++j) term(i + j, j);
  }
  for (std::size_t j = 0; i + j < n; ++j) term(i + j, j);
}

void layer_norm_back(float* dx, float* dgamma, float* dbeta, const float* dy, const float* x,
                     const float* gamma, std::size_t rows, std::size_t n, float epsilon) {
  const float share = 1.0f / static_cast<float>(n);
  for (std::size_t r = 0; r < rows; ++r, dx += n, dy += n, x += n) {
    float lanes[kSumLanes] = {}, squares[kSumLanes] = {};
    over_lanes(n, [&](std::size_t i, std::size_t j) { lanes[j] += x[i]; });
    const float mean = pairwise(lanes) * share;
    over_lanes(n, [&](std::size_t i, std::size_t j) {
      const float d = x[i] - mean;
      squares[j] += d * d;
    });
    const float slope = 1.0f / std::sqrt(pairwise(squares) * share + epsilon);
    float sums[kSumLanes] = {}, products[kSumLanes] = {};
    over_lanes(n, [&](std::size_t i, std::size_t j) {
      const float by_gamma = dy[i] * gamma[i];
      sums[j] += by_gamma;
      products[j] += by_gamma * (x[i] - mean);
    });
    const float shift = pairwise(sums) * share;
    const float tilt = pairwise(products) * share * slope * slope;
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const float d = x[i] - mean, given = dy[i];
      dgamma[i] += given * (d * slope);
      dbeta[i] += given;
      dx[i] = (given * gamma[i] - shift - d * tilt) * slope;
    }
  }
}

void softmax_back(float* dx, const float* dy, const float* y, std::size_t rows, std::size_t n,
                  float scale) {
  for (std::size_t r = 0; r < rows; ++r, dx += n, dy += n, y += n) {
    float lanes[kSumLanes] = {};
    over_lanes(n, [&](std::size_t i, std::size_t j) { lanes[j] += dy[i] * y[i]; });
    const float sum = pairwise(lanes);
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) dx[i] = (dy[i] - sum) * y[i] * scale;
  }
}

void add_row(float* sum, const float* x, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) sum[i] += x[i];
}

}  // namespace

LayerNormGradRows all_layer_norm_grad_rows() { return {layer_norm_back, softmax_back, add_row}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(LayerNormGradRows, layer_norm_grad_rows, all_layer_norm_grad_rows);

}  // namespace rill
#endif

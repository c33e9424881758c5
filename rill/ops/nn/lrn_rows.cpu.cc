#include "rill/ops/nn/lrn_rows.h"

#include <algorithm>
#include <cmath>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/lrn_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// sums[i] = the sum of term(k) over the k within `radius` of i. Each is added up by itself, so that
// large terms do no harm to channels they do not belong to.
template <class Term>
inline void sum_neighbours(float* sums, std::size_t n, std::size_t radius, float* scratch,
                           Term term) {
  std::fill_n(scratch, radius, 0.0F);
  std::fill_n(scratch + radius + n, radius, 0.0F);
  float* terms = scratch + radius;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) terms[i] = term(i);
  std::fill_n(sums, n, 0.0F);
  for (std::size_t shift = 0; shift <= 2 * radius; ++shift) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) sums[i] += scratch[i + shift];
  }
}

// y = x * norms ** -beta; the usual exponents need no logarithm.
inline void divide_by_power(float* y, const float* x, const float* norms, std::size_t n,
                            float beta) {
  if (beta == 0.5F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] / std::sqrt(norms[i]);
  } else if (beta == 0.75F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const float root = std::sqrt(norms[i]);
      y[i] = x[i] / (root * std::sqrt(root));
    }
  } else if (beta == 1.0F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] / norms[i];
  } else {
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * std::pow(norms[i], -beta);
  }
}

inline void find_norms(float* norms, const float* x, std::size_t n, const ResponseNorm& norm,
                       float* scratch) {
  sum_neighbours(norms, n, norm.radius, scratch, [=](std::size_t i) { return x[i] * x[i]; });
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) norms[i] = norm.bias + norm.alpha * norms[i];
}

void lrn_normalize(float* y, const float* x, std::size_t n, const ResponseNorm& norm,
                   float* scratch) {
  find_norms(y, x, n, norm, scratch);
  divide_by_power(y, x, y, n, norm.beta);
}

void lrn_back(float* dx, const float* dy, const float* x, const float* y, std::size_t n,
              const ResponseNorm& norm, float* scratch, float* norms) {
  find_norms(norms, x, n, norm, scratch);
  sum_neighbours(dx, n, norm.radius, scratch,
                 [=](std::size_t i) { return dy[i] * y[i] / norms[i]; });
  divide_by_power(norms, dy, norms, n, norm.beta);
  const float factor = -2 * norm.alpha * norm.beta;
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) dx[i] = norms[i] + factor * x[i] * dx[i];
}

}  // namespace

LrnRows lrn_float() { return {lrn_normalize, lrn_back}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(lrn_float);

const LrnRows& lrn_rows() {
  static const LrnRows rows = HWY_DYNAMIC_DISPATCH(lrn_float)();
  return rows;
}

}  // namespace rill
#endif

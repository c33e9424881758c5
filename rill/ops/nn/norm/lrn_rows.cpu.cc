#include "rill/ops/nn/norm/lrn_rows.h"

#include <cmath>
#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/nn/norm/lrn_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX2
constexpr std::size_t kLrnLanes = 8;
#else
constexpr std::size_t kLrnLanes = 4;
#endif
typedef float LrnVector __attribute__((vector_size(kLrnLanes * sizeof(float))));
static_assert(LrnRoom::kVector % (2 * kLrnLanes) == 0);

inline LrnVector load_lrn(const float* from) {
  LrnVector x;
  std::memcpy(&x, from, sizeof x);
  return x;
}

// sums = of each element of `padded` and the 2 * radius that follow it. Each is added up by itself,
// so that large terms do no harm to channels they do not belong to.
inline void sum_neighbours(float* sums, const float* padded, std::size_t count,
                           std::size_t radius) {
  for (std::size_t i = 0; i < count; i += 2 * kLrnLanes) {
    LrnVector sum[2] = {};
    for (const float *at = padded + i, *end = at + 2 * radius; at <= end; ++at) {
      sum[0] += load_lrn(at);
      sum[1] += load_lrn(at + kLrnLanes);
    }
    std::memcpy(sums + i, sum, sizeof sum);
  }
}

// The pixels' terms lie n + radius apart, so that the zeros behind one are those before the next.
// Calls row(place in sums, first element) for each.
template <class Row>
inline void over_lrn_pixels(std::size_t pixels, std::size_t n, std::size_t radius, Row row) {
  for (std::size_t p = 0; p < pixels; ++p) row(p * (n + radius), p * n);
}

// y = x * (bias + alpha * sums) ** -beta; the usual exponents need no logarithm.
template <class Norm>
inline void divide_by_power(float* y, const float* x, std::size_t n, float beta, Norm norm) {
  if (beta == 0.5F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] / std::sqrt(norm(i));
  } else if (beta == 0.75F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      const float root = std::sqrt(norm(i));
      y[i] = x[i] / (root * std::sqrt(root));
    }
  } else if (beta == 1.0F) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] / norm(i);
  } else {
    for (std::size_t i = 0; i < n; ++i) y[i] = x[i] * std::pow(norm(i), -beta);
  }
}

// The sums of the squares around each channel.
inline float* sum_squares(const float* x, std::size_t pixels, std::size_t n,
                          const ResponseNorm& norm, const LrnRoom& room, float* scratch) {
  float *terms = scratch + norm.radius, *sums = scratch + room.padded;
  over_lrn_pixels(pixels, n, norm.radius, [&](std::size_t place, std::size_t first) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) terms[place + i] = x[first + i] * x[first + i];
  });
  sum_neighbours(sums, scratch, pixels * (n + norm.radius), norm.radius);
  return sums;
}

void lrn_normalize(float* y, const float* x, std::size_t pixels, std::size_t n,
                   const ResponseNorm& norm, const LrnRoom& room, float* scratch) {
  const float* sums = sum_squares(x, pixels, n, norm, room, scratch);
  over_lrn_pixels(pixels, n, norm.radius, [&](std::size_t place, std::size_t first) {
    const float* here = sums + place;
    divide_by_power(y + first, x + first, n, norm.beta,
                    [=](std::size_t i) { return norm.bias + norm.alpha * here[i]; });
  });
}

void lrn_back(float* dx, const float* dy, const float* x, const float* y, std::size_t pixels,
              std::size_t n, const ResponseNorm& norm, const LrnRoom& room, float* scratch) {
  float* norms = sum_squares(x, pixels, n, norm, room, scratch);
  float *terms = scratch + norm.radius, *sums = norms + room.rounded;
  over_lrn_pixels(pixels, n, norm.radius, [&](std::size_t place, std::size_t first) {
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i) {
      norms[place + i] = norm.bias + norm.alpha * norms[place + i];
      terms[place + i] = dy[first + i] * y[first + i] / norms[place + i];
    }
  });
  sum_neighbours(sums, scratch, pixels * (n + norm.radius), norm.radius);
  const float factor = -2 * norm.alpha * norm.beta;
  over_lrn_pixels(pixels, n, norm.radius, [&](std::size_t place, std::size_t first) {
    float* here = norms + place;
    divide_by_power(here, dy + first, n, norm.beta, [=](std::size_t i) { return here[i]; });
#pragma GCC ivdep
    for (std::size_t i = 0; i < n; ++i)
      dx[first + i] = here[i] + factor * x[first + i] * sums[place + i];
  });
}

}  // namespace

LrnRows lrn_float() { return {lrn_normalize, lrn_back}; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_ONCE(LrnRows, lrn_rows, lrn_float);

}  // namespace rill
#endif

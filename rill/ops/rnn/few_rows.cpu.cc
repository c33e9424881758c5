#include "rill/ops/rnn/few_rows.h"

#include <cstring>

#define HWY_TARGET_INCLUDE "rill/ops/rnn/few_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

#if HWY_TARGET == HWY_AVX3
constexpr int kBytes = 64;
#else
constexpr int kBytes = 32;
#endif
typedef float Vector __attribute__((vector_size(kBytes)));
constexpr int kLanes = kBytes / static_cast<int>(sizeof(float));

// Columns [column, column + kVectors * kLanes), whose sums stay in registers.
template <int kRows, int kVectors>
void multiply_columns(const FewRows& p, std::int64_t column) {
  Vector sum[kRows][kVectors] = {};
  const float* b = p.b + column;
  for (std::int64_t d = 0; d < p.k; ++d, b += p.ldb)
    for (int v = 0; v < kVectors; ++v) {
      Vector weights;
      std::memcpy(&weights, b + v * kLanes, sizeof weights);
      for (int r = 0; r < kRows; ++r) sum[r][v] += p.a[r * p.lda + d] * weights;
    }
  for (int r = 0; r < kRows; ++r) std::memcpy(p.c + r * p.ldc + column, sum[r], sizeof sum[r]);
}

template <int kRows>
void multiply_rows(const FewRows& p) {
  constexpr int kVectors = kRows == 1 ? 8 : kRows == 2 ? 4 : 2;
  std::int64_t column = 0;
  for (; column + kVectors * kLanes <= p.n; column += kVectors * kLanes)
    multiply_columns<kRows, kVectors>(p, column);
  for (; column + kLanes <= p.n; column += kLanes) multiply_columns<kRows, 1>(p, column);
  for (; column < p.n; ++column)
    for (int r = 0; r < kRows; ++r) {
      float sum = 0;
      for (std::int64_t d = 0; d < p.k; ++d) sum += p.a[r * p.lda + d] * p.b[d * p.ldb + column];
      p.c[r * p.ldc + column] = sum;
    }
}

}  // namespace

void best_few_rows(const FewRows& p) {
  switch (p.m) {
    case 1:
      return multiply_rows<1>(p);
    case 2:
      return multiply_rows<2>(p);
    case 3:
      return multiply_rows<3>(p);
    case 4:
      return multiply_rows<4>(p);
    default:
      return;
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {
HWY_EXPORT(best_few_rows);
}  // namespace

void multiply_few_rows(const FewRows& product) { HWY_DYNAMIC_DISPATCH(best_few_rows)(product); }

}  // namespace rill
#endif

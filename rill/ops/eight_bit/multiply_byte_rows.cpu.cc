#define HWY_TARGET_INCLUDE "rill/ops/eight_bit/multiply_byte_rows.cpu.cc"
#define RILL_WIDE_LOOPS
#include <algorithm>
#include <cstdint>

#include "rill/ops/eight_bit/multiply_bytes.h"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {

// sums[j] += the products of `depth` elements of a row of A with a band of B, whose rows are
// `stride` apart.
void add_products(std::uint32_t* __restrict sums, const std::uint8_t* __restrict a,
                  std::int32_t a_zero, const std::uint8_t* __restrict b, std::int32_t b_zero,
                  std::int64_t depth, std::int64_t columns, std::int64_t stride) {
  const auto zero = static_cast<std::uint32_t>(b_zero);
  std::int64_t k = 0;
  const auto factor = [&](std::int64_t i) {
    return static_cast<std::uint32_t>(a[i]) - static_cast<std::uint32_t>(a_zero);
  };
  std::uint32_t all = 0;
  for (; k + 4 <= depth; k += 4) {
    const std::uint32_t f0 = factor(k), f1 = factor(k + 1), f2 = factor(k + 2), f3 = factor(k + 3);
    const std::uint8_t *const b0 = b + k * stride, *const b1 = b0 + stride, *const b2 = b1 + stride,
                              *const b3 = b2 + stride;
    for (std::int64_t j = 0; j < columns; ++j)
      sums[j] += f0 * b0[j] + f1 * b1[j] + f2 * b2[j] + f3 * b3[j];
    all += f0 + f1 + f2 + f3;
  }
  for (; k < depth; ++k) {
    const std::uint32_t f = factor(k);
    const std::uint8_t* const row = b + k * stride;
    for (std::int64_t j = 0; j < columns; ++j) sums[j] += f * row[j];
    all += f;
  }
  for (std::int64_t j = 0; j < columns; ++j) sums[j] -= all * zero;
}

void add_rows(std::uint32_t* __restrict sums, const std::uint8_t* __restrict b, std::int64_t rows,
              std::int64_t columns, std::int64_t stride) {
  for (std::int64_t r = 0; r < rows; ++r, b += stride)
    for (std::int64_t j = 0; j < columns; ++j) sums[j] += b[j];
}

std::uint32_t sum_of(const std::uint8_t* b, std::int64_t count) {
  std::uint32_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum += b[i];
  return sum;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {

HWY_EXPORT(add_products);
HWY_EXPORT(add_rows);
HWY_EXPORT(sum_of);

constexpr std::int64_t kBand = 512;  // columns whose sums stay in the first-level cache

}  // namespace

void multiply_byte_rows(const KernelCall& call, const ByteProduct& p) {
  const std::int64_t bands = (p.n + kBand - 1) / kBand;
  const double nanos = 0.1 * static_cast<double>(std::min(p.n, kBand)) * static_cast<double>(p.k);
  call.parallel_for(static_cast<std::size_t>(p.m * bands), std::max(nanos, 1.0),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i) {
                        const std::int64_t row = i / bands, first = i % bands * kBand;
                        const std::int64_t columns = std::min(kBand, p.n - first);
                        std::uint32_t* const sums = p.c + row * p.n + first;
                        std::fill_n(sums, columns, 0U);
                        HWY_DYNAMIC_DISPATCH(add_products)
                        (sums, p.a + row * p.k, p.a_zero, p.b + first, p.b_zero, p.k, columns, p.n);
                      }
                    });
}

void sum_byte_columns(const KernelCall& call, const std::uint8_t* b, std::int64_t rows,
                      std::int64_t columns, bool turned, std::uint32_t* sums) {
  const std::int64_t band = turned ? 1 : 256, bands = (columns + band - 1) / band;
  const double nanos = 0.05 * static_cast<double>(band) * static_cast<double>(rows);
  call.parallel_for(static_cast<std::size_t>(bands), std::max(nanos, 1.0),
                    [&](std::size_t begin, std::size_t end) {
                      const auto last = std::min(columns, static_cast<std::int64_t>(end) * band);
                      auto i = static_cast<std::int64_t>(begin) * band;
                      for (; i < last; i += band) {
                        const std::int64_t count = std::min(band, columns - i);
                        std::fill_n(sums + i, count, 0U);
                        if (turned)
                          sums[i] = HWY_DYNAMIC_DISPATCH(sum_of)(b + i * rows, rows);
                        else
                          HWY_DYNAMIC_DISPATCH(add_rows)(sums + i, b + i, rows, count, columns);
                      }
                    });
}

}  // namespace rill
#endif

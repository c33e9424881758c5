#include "rill/ops/eight_bit/multiply_bytes.h"

#include <algorithm>
#include <vector>

#include "rill/base/tile_permission.h"
#include "rill/ops/onednn/gemm_int8.h"
#include "rill/ops/tiles/tile_product.h"

namespace rill {
namespace {

constexpr double kMinProducts = 30'000;  // below: packing takes longer than the work
constexpr std::int64_t kMinRows = 6, kMinColumns = 16;
constexpr std::int64_t kMaxDepth = 32 << 10;  // sums of so many products fit 32 bits

Tensor new_bytes(const KernelCall& call, std::int64_t rows, std::int64_t columns) {
  return Tensor(DType::u8, {rows, columns}, call.device().allocator(MemoryKind::host));
}

// Calls body(i) for each of [0, count) on several threads.
template <class Body>
void for_each(const KernelCall& call, std::int64_t count, double nanos, Body body) {
  call.parallel_for(static_cast<std::size_t>(count), std::max(nanos, 1.0),
                    [&](std::size_t begin, std::size_t end) {
                      for (auto i = static_cast<std::int64_t>(begin);
                           i < static_cast<std::int64_t>(end); ++i)
                        body(i);
                    });
}

// The matrix whose columns are the rows of `from`, which are `depth` long, in small squares.
Tensor turned_bytes(const KernelCall& call, const std::uint8_t* from, std::int64_t rows,
                    std::int64_t depth) {
  constexpr std::int64_t kSquare = 32;
  const Tensor result = new_bytes(call, depth, rows);
  auto* const to = result.data<std::uint8_t>();
  const auto band = [&](std::int64_t b) {
    const std::int64_t first = b * kSquare, last = std::min(depth, first + kSquare);
    for (std::int64_t r0 = 0; r0 < rows; r0 += kSquare)
      for (std::int64_t d = first; d < last; ++d)
        for (std::int64_t r = r0; r < std::min(rows, r0 + kSquare); ++r)
          to[d * rows + r] = from[r * depth + d];
  };
  for_each(call, (depth + kSquare - 1) / kSquare, static_cast<double>(kSquare * rows) * 0.5, band);
  return result;
}

bool suits_tiles(const ByteProduct& p) {
  return p.m >= kMinRows && p.n >= kMinColumns && may_use_tiles() &&
         static_cast<double>(p.m) * static_cast<double>(p.n) * static_cast<double>(p.k) >=
             kMinProducts;
}

// (a - p)(b - q) = ab - qa - pb + pq, summed over the depth: what depends on the row, and on the
// column.
std::vector<std::uint32_t> row_parts(const KernelCall& call, const ByteProduct& p) {
  std::vector<std::uint32_t> parts(static_cast<std::size_t>(p.m), 0U);
  if (p.b_zero == 0) return parts;
  sum_byte_columns(call, p.a, p.k, p.m, !p.transpose_a, parts.data());
  for (auto& part : parts) part *= 0U - static_cast<std::uint32_t>(p.b_zero);
  return parts;
}

std::vector<std::uint32_t> column_parts(const KernelCall& call, const ByteProduct& p) {
  std::vector<std::uint32_t> parts(static_cast<std::size_t>(p.n), 0U);
  if (p.a_zero == 0) return parts;
  const auto a_zero = static_cast<std::uint32_t>(p.a_zero),
             b_zero = static_cast<std::uint32_t>(p.b_zero);
  sum_byte_columns(call, p.b, p.k, p.n, p.transpose_b, parts.data());
  for (auto& part : parts) part = a_zero * (b_zero * static_cast<std::uint32_t>(p.k) - part);
  return parts;
}

void multiply_in_tiles(const KernelCall& call, const ByteProduct& p) {
  const TileOperand a{TileSource::kByte, p.a, p.transpose_a ? p.m : p.k, p.transpose_a};
  const TileOperand b{TileSource::kByte, p.b, p.transpose_b ? p.k : p.n, p.transpose_b};
  const std::vector<std::uint32_t> by_row = row_parts(call, p), by_column = column_parts(call, p);
  multiply_tiles(call, p.m, a, packed_for_tiles(call, b, p.k, p.n), p.c,
                 [&](void* at, std::int64_t row, std::int64_t begin, std::int64_t end) {
                   auto* const sums = static_cast<std::uint32_t*>(at);
                   const std::uint32_t more = by_row[static_cast<std::size_t>(row)];
                   const std::uint32_t* const parts = by_column.data() + begin;
                   for (std::int64_t i = 0; i < end - begin; ++i) sums[i] += parts[i] + more;
                 });
}

bool is_byte(std::int32_t zero) { return zero >= 0 && zero <= 255; }

bool suits_onednn(const ByteProduct& p) {
  return p.m >= kMinRows && p.k <= kMaxDepth && is_byte(p.a_zero) && is_byte(p.b_zero) &&
         has_exact_byte_gemm();
}

// oneDNN's second factor is signed.
void multiply_with_onednn(const KernelCall& call, const ByteProduct& p) {
  constexpr std::int64_t kRows = 64;
  const Tensor signed_b(DType::i8, {p.k, p.n}, call.device().allocator(MemoryKind::host));
  auto* const b = signed_b.data<std::int8_t>();
  for_each(call, p.k, 0.05 * static_cast<double>(p.n), [&](std::int64_t r) {
    for (std::int64_t i = r * p.n; i < (r + 1) * p.n; ++i)
      b[i] = static_cast<std::int8_t>(p.b[i] - 128);
  });
  const double nanos = 0.02 * static_cast<double>(kRows * p.n) * static_cast<double>(p.k);
  for_each(call, (p.m + kRows - 1) / kRows, nanos, [&](std::int64_t block) {
    const std::int64_t first = block * kRows;
    run_byte_gemm({std::min(kRows, p.m - first), p.n, p.k, p.a + first * p.k,
                   static_cast<std::uint8_t>(p.a_zero), b, static_cast<std::int8_t>(p.b_zero - 128),
                   reinterpret_cast<std::int32_t*>(p.c) + first * p.n});
  });
}

}  // namespace

void multiply_bytes(const KernelCall& call, const ByteProduct& p) {
  if (p.m == 0 || p.n == 0) return;
  if (p.k == 0) {
    std::fill_n(p.c, p.m * p.n, 0U);
    return;
  }
  if (suits_tiles(p)) return multiply_in_tiles(call, p);
  ByteProduct straight = p;
  Tensor a, b;
  if (p.transpose_a) {
    a = turned_bytes(call, p.a, p.k, p.m);
    straight.a = a.data<std::uint8_t>();
  }
  if (p.transpose_b) {
    b = turned_bytes(call, p.b, p.n, p.k);
    straight.b = b.data<std::uint8_t>();
  }
  straight.transpose_a = straight.transpose_b = false;
  if (suits_onednn(straight)) return multiply_with_onednn(call, straight);
  multiply_byte_rows(call, straight);
}

}  // namespace rill

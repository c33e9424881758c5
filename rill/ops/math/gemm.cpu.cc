#include "rill/ops/math/gemm.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/math/float_rows.h"
#include "rill/ops/onednn/sgemm.h"

namespace rill {
namespace {

constexpr std::int64_t kBlockRows = 64, kBlockCols = 256;  // of the reference
constexpr double kTinyFlops = 16'384;      // below: oneDNN's own overhead is larger than the work
constexpr double kPieceFlops = 4'000'000;  // a tile worth another thread
constexpr std::int64_t kSmallestSide = 64;

// Finishes products without depth, which are zero, and empty ones.
bool finished(const Product& p, std::size_t element) {
  if (p.m == 0 || p.n == 0) return true;
  if (p.k > 0) return false;
  std::memset(p.c, 0, static_cast<std::size_t>(p.m * p.n) * element);
  return true;
}

template <DType type>
void multiply_reference(const KernelCall& call, const Product& p) {
  if (finished(p, element_size(type))) return;
  static const BlockFn multiply = find_block_multiply(type);
  const std::int64_t row_blocks = (p.m + kBlockRows - 1) / kBlockRows;
  const std::int64_t col_blocks = (p.n + kBlockCols - 1) / kBlockCols;
  const double cost = p.flops() / static_cast<double>(row_blocks * col_blocks) / 10;
  call.parallel_for(
      static_cast<std::size_t>(row_blocks * col_blocks), cost,
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const std::int64_t row = i / col_blocks * kBlockRows;
          const std::int64_t col = i % col_blocks * kBlockCols;
          multiply(p, {row, std::min(p.m, row + kBlockRows), col, std::min(p.n, col + kBlockCols)});
        }
      });
}

// The tiles of C that oneDNN computes one by one: the longer side is halved while tiles are few,
// worth a thread and wide enough for packing to pay.
struct Tiling {
  std::int64_t rows, cols, row_count, col_count;
};

Tiling tiling_of(const Product& p) {
  Tiling t{p.m, p.n, 1, 1};
  const double wanted = std::min(16.0, p.flops() / kPieceFlops);
  while (static_cast<double>(t.row_count * t.col_count) * 1.5 < wanted) {
    std::int64_t& side = t.rows >= t.cols ? t.rows : t.cols;
    if (side < 2 * kSmallestSide) break;
    side = ((side + 1) / 2 + 15) / 16 * 16;
    t.row_count = (p.m + t.rows - 1) / t.rows;
    t.col_count = (p.n + t.cols - 1) / t.cols;
  }
  return t;
}

void multiply_onednn(const KernelCall& call, const Product& p) {
  if (finished(p, sizeof(float))) return;
  if (p.flops() < kTinyFlops) return multiply_reference<DType::f32>(call, p);
  const auto* a = static_cast<const float*>(p.a);
  const auto* b = static_cast<const float*>(p.b);
  auto* c = static_cast<float*>(p.c);
  const Tiling t = tiling_of(p);
  const auto tiles = static_cast<std::size_t>(t.row_count * t.col_count);
  call.parallel_for(tiles, 1e9, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
      const std::int64_t row = i / t.col_count * t.rows, col = i % t.col_count * t.cols;
      run_sgemm({.m = std::min(t.rows, p.m - row),
                 .n = std::min(t.cols, p.n - col),
                 .k = p.k,
                 .a = a + row * (p.transpose_a ? 1 : p.k),
                 .b = b + col * (p.transpose_b ? p.k : 1),
                 .c = c + row * p.n + col,
                 .lda = p.lda(),
                 .ldb = p.ldb(),
                 .ldc = p.n,
                 .transpose_a = p.transpose_a,
                 .transpose_b = p.transpose_b});
    }
  });
}

// half and bfloat16: widened, multiplied as float, rounded once.
template <DType type, MultiplyFn multiply>
void multiply_through_float(const KernelCall& call, const Product& p) {
  if (finished(p, element_size(type))) return;
  static const WidenRow widen = widen_row(type);
  static const NarrowRow narrow = narrow_row(type);
  const Tensor a(DType::f32, {p.m, p.k}), b(DType::f32, {p.k, p.n}), c(DType::f32, {p.m, p.n});
  widen(a.data<float>(), p.a, static_cast<std::size_t>(p.m * p.k));
  widen(b.data<float>(), p.b, static_cast<std::size_t>(p.k * p.n));
  Product wide = p;
  wide.a = a.raw_data();
  wide.b = b.raw_data();
  wide.c = c.raw_data();
  multiply(call, wide);
  narrow(p.c, c.data<float>(), static_cast<std::size_t>(p.m * p.n));
}

}  // namespace

MultiplyFn reference_multiply(DType type) {
  constexpr MultiplyFn wide = multiply_reference<DType::f32>;
  switch (type) {
    case DType::f16:
      return multiply_through_float<DType::f16, wide>;
    case DType::bf16:
      return multiply_through_float<DType::bf16, wide>;
    case DType::f32:
      return wide;
    case DType::f64:
      return multiply_reference<DType::f64>;
    case DType::i32:
      return multiply_reference<DType::i32>;
    case DType::i64:
      return multiply_reference<DType::i64>;
    case DType::u32:
      return multiply_reference<DType::u32>;
    case DType::u64:
      return multiply_reference<DType::u64>;
    case DType::c64:
      return multiply_reference<DType::c64>;
    case DType::c128:
      return multiply_reference<DType::c128>;
    default:
      return nullptr;
  }
}

MultiplyFn onednn_multiply(DType type) {
  switch (type) {
    case DType::f32:
      return multiply_onednn;
    case DType::f16:
      return multiply_through_float<DType::f16, multiply_onednn>;
    case DType::bf16:
      return multiply_through_float<DType::bf16, multiply_onednn>;
    default:
      return nullptr;
  }
}

}  // namespace rill

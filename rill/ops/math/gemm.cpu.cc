#include "rill/ops/math/gemm.h"

#include <algorithm>
#include <cstring>

#include "rill/ops/math/elementwise.h"
#include "rill/ops/math/float_rows.h"
#include "rill/ops/onednn/matmul.h"
#include "rill/ops/onednn/sgemm.h"

namespace rill {
namespace {

constexpr std::int64_t kBlockRows = 64, kBlockCols = 256;  // of the reference
constexpr double kTinyFlops = 16'384;  // below: oneDNN's own overhead is larger than the work
constexpr double kPieceFlops = 16e6;   // a tile worth another thread
constexpr double kMostPieces = 16;
constexpr double kCompiledFlops = 2e6;  // below, finding a compiled product takes too long
// Sides of tiles: below, what oneDNN does once per tile outweighs the product.
constexpr std::int64_t kFewestRows = 64, kFewestColumns = 256;
constexpr std::int64_t kFewestDepth = 256;
// Of strips for compiled products: more rows where B is so large that every strip packs it anew.
constexpr std::int64_t kStripRows = 32, kLongStripRows = 128, kLargeMatrix = 512 * 512;

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

double pieces_wanted(const Product& p) { return std::min(kMostPieces, p.flops() / kPieceFlops); }

// The tiles of C that oneDNN computes one by one: a side is halved while tiles are few, worth a
// thread and wide enough for packing to pay.
struct Tiling {
  std::int64_t rows, cols, row_count, col_count;
};

Tiling tiling_of(const Product& p) {
  Tiling t{p.m, p.n, 1, 1};
  while (static_cast<double>(t.row_count * t.col_count) * 1.5 < pieces_wanted(p)) {
    const bool halves_rows = t.rows / kFewestRows >= t.cols / kFewestColumns;
    std::int64_t& side = halves_rows ? t.rows : t.cols;
    if (side < 2 * (halves_rows ? kFewestRows : kFewestColumns)) break;
    side = ((side + 1) / 2 + 15) / 16 * 16;
    t.row_count = (p.m + t.rows - 1) / t.rows;
    t.col_count = (p.n + t.cols - 1) / t.cols;
  }
  return t;
}

void multiply_tiles(const KernelCall& call, const Product& p) {
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

// B in the order that compiled products want.
Tensor packed_matrix(const KernelCall& call, const Product& p, const CompiledMatmul& compiled) {
  constexpr std::int64_t kRows = CompiledMatmul::kPackedRows;
  const Tensor packed(DType::u8, {static_cast<std::int64_t>(compiled.packed_bytes())});
  const std::int64_t slabs = (p.k + kRows - 1) / kRows;
  call.parallel_for(static_cast<std::size_t>(slabs), 0.4 * static_cast<double>(kRows * p.n),
                    [&](std::size_t begin, std::size_t end) {
                      compiled.pack(static_cast<const float*>(p.b),
                                    static_cast<std::int64_t>(begin) * kRows,
                                    std::min(p.k, static_cast<std::int64_t>(end) * kRows),
                                    static_cast<float*>(packed.raw_data()));
                    });
  return packed;
}

// Strips of rows through compiled products; false when there are none for them. Where many rows
// share a large B, that is packed once for all of them.
bool multiply_strips(const KernelCall& call, const Product& p) {
  const bool large = p.k * p.n > kLargeMatrix;
  const std::int64_t fewest = large ? kLongStripRows : kStripRows;
  if (p.transpose_a || p.transpose_b || p.m < fewest || p.n < kFewestRows) return false;
  const auto wanted = static_cast<std::int64_t>(std::max(1.0, pieces_wanted(p)));
  const std::int64_t rows = std::max(fewest, ((p.m + wanted - 1) / wanted + 15) / 16 * 16);
  const std::int64_t strips = (p.m + rows - 1) / rows, last_rows = p.m - (strips - 1) * rows;
  const bool packs = large && strips >= 4;
  const auto whole = compiled_matmul({std::min(rows, p.m), p.n, p.k, packs});
  const auto rest = compiled_matmul({last_rows, p.n, p.k, packs});
  if (whole == nullptr || rest == nullptr || !whole->has_same_order(*rest)) return false;
  const Tensor packed = packs ? packed_matrix(call, p, *whole) : Tensor();
  const auto* a = static_cast<const float*>(p.a);
  const auto* b = static_cast<const float*>(packs ? packed.raw_data() : p.b);
  auto* c = static_cast<float*>(p.c);
  const std::size_t bytes = std::max(whole->scratch_bytes(), rest->scratch_bytes());
  call.parallel_for(static_cast<std::size_t>(strips), 1e9, [&](std::size_t begin, std::size_t end) {
    const Tensor scratch(DType::u8, {static_cast<std::int64_t>(bytes)});
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
      (i + 1 < strips ? whole : rest)
          ->run(a + i * rows * p.k, b, c + i * rows * p.n, scratch.raw_data());
  });
  return true;
}

// Few rows times a large matrix: what is read of B should lie together, so that the depth is cut,
// and the parts are added in their order. False when the product is not like that.
bool multiply_depths(const KernelCall& call, const Product& p) {
  if (p.transpose_a || p.transpose_b || p.m >= kLongStripRows || p.k * p.n < 4 * kLargeMatrix)
    return false;
  const auto parts = std::min(static_cast<std::int64_t>(pieces_wanted(p)), p.k / kFewestDepth);
  if (parts < 2) return false;
  const std::int64_t depth = (p.k + parts - 1) / parts, size = p.m * p.n;
  const Tensor sums(DType::f32, {parts, size});
  const auto* a = static_cast<const float*>(p.a);
  const auto* b = static_cast<const float*>(p.b);
  call.parallel_for(static_cast<std::size_t>(parts), 1e9, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
      run_sgemm({.m = p.m,
                 .n = p.n,
                 .k = std::min(depth, p.k - i * depth),
                 .a = a + i * depth,
                 .b = b + i * depth * p.n,
                 .c = sums.data<float>() + i * size,
                 .lda = p.k,
                 .ldb = p.n,
                 .ldc = p.n,
                 .transpose_a = false,
                 .transpose_b = false});
  });
  static const BinaryRow add = find_add_rows(DType::f32).both;
  auto* c = static_cast<float*>(p.c);
  const double nanos = 0.2 * static_cast<double>(parts);
  call.parallel_for(static_cast<std::size_t>(size), nanos, [&](std::size_t begin, std::size_t end) {
    const float* part = sums.data<float>() + begin;
    std::copy_n(part, end - begin, c + begin);
    for (std::int64_t i = 1; i < parts; ++i)
      add(c + begin, c + begin, part + i * size, end - begin);
  });
  return true;
}

void multiply_onednn(const KernelCall& call, const Product& p) {
  if (finished(p, sizeof(float))) return;
  if (p.flops() < kTinyFlops) return multiply_reference<DType::f32>(call, p);
  if (p.flops() < kCompiledFlops) return multiply_tiles(call, p);
  if (!multiply_strips(call, p) && !multiply_depths(call, p)) multiply_tiles(call, p);
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

#include "rill/ops/math/matmul/gemm.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "rill/kernel/fast_paths.h"
#include "rill/ops/math/matmul/gemm_direct.h"
#include "rill/ops/math/matmul/gemm_panels.h"
#include "rill/ops/math/matmul/gemm_tiles.h"
#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/float_rows.h"
#include "rill/ops/onednn/sgemm.h"

namespace rill {
namespace {

constexpr std::int64_t kBlockRows = 64, kBlockCols = 256;  // of the reference
constexpr double kTinyFlops = 16'384;    // below: packing takes longer than the work
constexpr double kSmallFlops = 600'000;  // of doubles
constexpr std::int64_t kSmallMatrix = 4096;
constexpr std::int64_t kColumnsTogether = 64;  // of the product of a vector and a matrix
constexpr double kNanosOfVector = 0.15;        // per element of that matrix
constexpr std::int64_t kThin = 3, kMinThinDepth = 64;
constexpr double kThinFloatFlops = 100'000;  // above: oneDNN is as fast
constexpr double kPieceFlops = 6e6;          // a tile worth another thread
constexpr double kDepthFlops = 16e6;         // a part of the depth that is worth another thread
constexpr double kMaxPieces = 16;
// A piece is no longer than that, some 50 ms, since a step that nobody waits for ends between two.
constexpr double kLongestPieceFlops = 4e9;
constexpr std::int64_t kFewRows = 256, kMinDepth = 256;  // where the depth is cut instead
// A B of more elements does not stay in the second-level cache. Every tile packs its part anew, so
// that tiles are fewer.
constexpr std::int64_t kLargeMatrix = 512 * 512;
constexpr double kLargePieceFlops = 500e6;
// A that is transposed is packed from rows far apart: deep products go better in parts, one after
// the other.
constexpr std::int64_t kTransposedDepth = 512;
constexpr double kTransposedPieceFlops = 200e6;

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

// The product of a vector and a matrix. False when neither factor is a vector.
template <class T>
bool multiply_vector(const KernelCall& call, const Product& p) {
  if (p.m != 1 && p.n != 1) return false;
  const DirectProducts<T>& direct = direct_products<T>();
  const bool is_left = p.m == 1;
  const auto* x = static_cast<const T*>(is_left ? p.a : p.b);
  const auto* matrix = static_cast<const T*>(is_left ? p.b : p.a);
  auto* y = static_cast<T*>(p.c);
  const std::int64_t count = is_left ? p.n : p.m;
  const bool by_dots = is_left ? p.transpose_b : !p.transpose_a;
  const std::int64_t together = by_dots && p.k >= kColumnsTogether ? 2 : kColumnsTogether;
  const double cost = kNanosOfVector * static_cast<double>(p.k * together);
  const auto blocks = static_cast<std::size_t>((count + together - 1) / together);
  call.parallel_for(blocks, cost, [&](std::size_t begin, std::size_t end) {
    const std::int64_t first = static_cast<std::int64_t>(begin) * together;
    const std::int64_t size = std::min(count, static_cast<std::int64_t>(end) * together) - first;
    if (by_dots)
      direct.dots(matrix + first * p.k, size, p.k, x, y + first);
    else
      direct.sums(matrix + first, count, p.k, x, size, y + first);
  });
  return true;
}

// Elements `step` apart, side by side.
template <class T>
const T* packed(const T* from, std::int64_t step, std::int64_t count, std::vector<T>& to) {
  if (step == 1) return from;
  to.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) to[static_cast<std::size_t>(i)] = from[i * step];
  return to.data();
}

// A product of two or three rows, or columns, vector by vector. False where that does not pay.
template <class T>
bool multiply_thin(const KernelCall& call, const Product& p) {
  const bool is_row = p.m <= p.n;
  const std::int64_t vectors = is_row ? p.m : p.n, length = is_row ? p.n : p.m;
  if (vectors > kThin || (std::is_same_v<T, float> && p.flops() >= kThinFloatFlops)) return false;
  if (std::is_same_v<T, float> && p.k < kMinThinDepth) return false;
  const auto *a = static_cast<const T*>(p.a), *b = static_cast<const T*>(p.b);
  auto* c = static_cast<T*>(p.c);
  std::vector<T> x, y(static_cast<std::size_t>(is_row ? 0 : length));
  for (std::int64_t v = 0; v < vectors; ++v) {
    Product one = p;
    if (is_row) {
      one.m = 1;
      one.a = packed(a + (p.transpose_a ? v : v * p.k), p.transpose_a ? p.m : 1, p.k, x);
      one.c = c + v * p.n;
    } else {
      one.n = 1;
      one.b = packed(b + (p.transpose_b ? v * p.k : v), p.transpose_b ? 1 : p.n, p.k, x);
      one.c = y.data();
    }
    multiply_vector<T>(call, one);
    for (std::int64_t i = 0; !is_row && i < length; ++i)
      c[i * p.n + v] = y[static_cast<std::size_t>(i)];
  }
  return true;
}

// A product that is too small for packing. False when it is not. The blocks that doubles are
// multiplied in otherwise are no faster as long as the second factor stays in the cache.
template <class T>
bool multiply_small(const Product& p) {
  const bool is_tiny = p.flops() < kTinyFlops;
  const bool is_small =
      std::is_same_v<T, double> && p.flops() < kSmallFlops && p.k * p.n <= kSmallMatrix;
  if (!is_tiny && !is_small) return false;
  const auto* b = static_cast<const T*>(p.b);
  if (p.transpose_b) {
    thread_local std::vector<T> turned;
    turned.resize(static_cast<std::size_t>(p.k * p.n));
    for (std::int64_t j = 0; j < p.n; ++j)
      for (std::int64_t d = 0; d < p.k; ++d)
        turned[static_cast<std::size_t>(d * p.n + j)] = b[j * p.k + d];
    b = turned.data();
  }
  direct_products<T>().small(p, b);
  return true;
}

void multiply_double(const KernelCall& call, const Product& p) {
  if (finished(p, sizeof(double)) || multiply_vector<double>(call, p) ||
      multiply_thin<double>(call, p) || multiply_small<double>(p))
    return;
  multiply_reference<DType::f64>(call, p);
}

bool has_large_b(const Product& p) { return p.k * p.n > kLargeMatrix; }

// The tiles of C that oneDNN computes one by one: a side is halved while tiles are few, worth a
// thread and wide enough for packing to pay.
struct Tiling {
  std::int64_t rows, cols, row_count, col_count;
};

Tiling tiling_of(const Product& p) {
  const bool large = has_large_b(p);
  // Every tile of rows packs B anew: many short ones take a fifth longer than two.
  const std::int64_t min_rows = large ? 256 : p.m > 64 ? 64 : 32, min_columns = 256;
  // Columns of a transposed B are rows in memory, so that cutting it costs nothing; of few rows
  // nothing but columns can be cut.
  const double worth = !large                             ? kPieceFlops
                       : p.transpose_b || p.m <= kFewRows ? kDepthFlops
                       : p.transpose_a                    ? kTransposedPieceFlops
                                                          : kLargePieceFlops;
  const double wanted =
      std::max(std::min(kMaxPieces, p.flops() / worth), p.flops() / kLongestPieceFlops);
  Tiling t{p.m, p.n, 1, 1};
  while (static_cast<double>(t.row_count * t.col_count) * 1.5 < wanted) {
    const bool can_halve_rows = t.rows >= 2 * min_rows;
    const bool can_halve_columns = t.cols >= 2 * min_columns;
    if (!can_halve_rows && !can_halve_columns) break;
    const bool rows_are_longer = t.rows * min_columns >= t.cols * min_rows;
    std::int64_t& side =
        can_halve_rows && (rows_are_longer || !can_halve_columns) ? t.rows : t.cols;
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
  const std::int64_t parts = p.transpose_a ? (p.k + kTransposedDepth - 1) / kTransposedDepth : 1;
  const std::int64_t depth = (p.k + parts - 1) / parts;
  call.parallel_for(tiles, 1e9, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
      const std::int64_t row = i / t.col_count * t.rows, col = i % t.col_count * t.cols;
      for (std::int64_t d = 0; d < p.k; d += depth)
        run_sgemm({.m = std::min(t.rows, p.m - row),
                   .n = std::min(t.cols, p.n - col),
                   .k = std::min(depth, p.k - d),
                   .a = a + (p.transpose_a ? row + d * p.m : row * p.k + d),
                   .b = b + (p.transpose_b ? col * p.k + d : col + d * p.n),
                   .c = c + row * p.n + col,
                   .lda = p.lda(),
                   .ldb = p.ldb(),
                   .ldc = p.n,
                   .transpose_a = p.transpose_a,
                   .transpose_b = p.transpose_b,
                   .adds = d > 0});
    }
  });
}

// Few rows times a large matrix: what is read of B should lie together, so that the depth is cut,
// and the parts are added in their order. False when the product is not like that.
bool multiply_depths(const KernelCall& call, const Product& p) {
  if (p.transpose_b || p.m > kFewRows || p.k * p.n < 2 * kLargeMatrix) return false;
  const double wanted = std::min(kMaxPieces, p.flops() / kDepthFlops);
  const auto most = std::min(static_cast<std::int64_t>(wanted), p.k / kMinDepth);
  if (most < 2) return false;
  const std::int64_t parts = most + most % 2;  // three would leave one of two threads waiting
  const std::int64_t depth = (p.k + parts - 1) / parts, size = p.m * p.n;
  const Tensor sums(DType::f32, {parts, size});
  const auto* a = static_cast<const float*>(p.a);
  const auto* b = static_cast<const float*>(p.b);
  call.parallel_for(static_cast<std::size_t>(parts), 1e9, [&](std::size_t begin, std::size_t end) {
    for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i)
      run_sgemm({.m = p.m,
                 .n = p.n,
                 .k = std::min(depth, p.k - i * depth),
                 .a = a + i * depth * (p.transpose_a ? p.m : 1),
                 .b = b + i * depth * p.n,
                 .c = sums.data<float>() + i * size,
                 .lda = p.lda(),
                 .ldb = p.n,
                 .ldc = p.n,
                 .transpose_a = p.transpose_a,
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
  if (multiply_vector<float>(call, p) || multiply_thin<float>(call, p) || multiply_small<float>(p))
    return;
  if (panels_pay(p) && takes(FastPath::kPanels)) return multiply_panels(call, p);
  if (!multiply_depths(call, p)) multiply_tiles(call, p);
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

void multiply_bf16(const KernelCall& call, const Product& p) {
  if (finished(p, element_size(DType::bf16)) || multiply_bfloat16(call, p)) return;
  multiply_through_float<DType::bf16, multiply_onednn>(call, p);
}

void multiply_low(const KernelCall& call, const Product& p) {
  if (finished(p, sizeof(float)) || multiply_lowered(call, p)) return;
  multiply_onednn(call, p);
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
      return multiply_double;
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
      return multiply_bf16;
    default:
      return nullptr;
  }
}

MultiplyFn lowered_multiply(DType type) { return type == DType::f32 ? multiply_low : nullptr; }

}  // namespace rill

#include <algorithm>
#include <complex>
#include <cstring>
#include <vector>

#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/matmul/gemm_block.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

constexpr std::int64_t kDepth = 256;  // of A and B per round: what is packed stays in cache
constexpr int kTileRows = 4;

#if HWY_TARGET == HWY_AVX3
constexpr int kTileBytes = 64;
#else
constexpr int kTileBytes = 32;
#endif

// A tile of C is kTileRows rows of kColumns columns, held in registers: two vectors to a row, of
// complex numbers one of real and one of imaginary parts.
template <class T>
struct Tile {
  using Part = T;
  static constexpr int kColumns = 2 * kTileBytes / static_cast<int>(sizeof(T));
};
template <class T>
struct Tile<std::complex<T>> {
  using Part = T;
  static constexpr int kColumns = kTileBytes / static_cast<int>(sizeof(T));
};

// Copies a `count` x `depth` part of an operand to [depth][width], zero beyond `count`; of complex
// numbers to [depth][real or imaginary part][width].
template <class T>
void pack(const T* x, std::int64_t item_stride, std::int64_t depth_stride, std::int64_t count,
          int width, std::int64_t depth, bool conjugate, typename Tile<T>::Part* out) {
  const int used = static_cast<int>(std::min<std::int64_t>(count, width));
  for (std::int64_t d = 0; d < depth; ++d, x += depth_stride) {
    if constexpr (kIsComplex<T>) {
      for (int i = 0; i < used; ++i) {
        out[i] = x[i * item_stride].real();
        const auto imaginary = x[i * item_stride].imag();
        out[width + i] = conjugate ? -imaginary : imaginary;
      }
      for (int i = used; i < width; ++i) out[i] = out[width + i] = 0;
      out += 2 * width;
    } else {
      if (item_stride == 1)
        std::memcpy(out, x, static_cast<std::size_t>(used) * sizeof(T));
      else
        for (int i = 0; i < used; ++i) out[i] = x[i * item_stride];
      for (int i = used; i < width; ++i) out[i] = T(0);
      out += width;
    }
  }
}

// tile = A panel times B panel, summed over depth in order, with explicit vectors so that the sums
// stay in registers.
template <class T>
requires(!kIsComplex<T>) void multiply_tile(const T* a, const T* b, std::int64_t depth, T* tile) {
  typedef T Vector __attribute__((vector_size(kTileBytes)));
  constexpr int kLanes = kTileBytes / sizeof(T);
  Vector sum[kTileRows][2] = {};
  for (std::int64_t d = 0; d < depth; ++d, a += kTileRows, b += 2 * kLanes) {
    Vector b0, b1;
    std::memcpy(&b0, b, sizeof b0);
    std::memcpy(&b1, b + kLanes, sizeof b1);
    for (int i = 0; i < kTileRows; ++i) {
      sum[i][0] += a[i] * b0;
      sum[i][1] += a[i] * b1;
    }
  }
  std::memcpy(tile, sum, sizeof sum);
}

template <class T>
void multiply_tile(const T* a, const T* b, std::int64_t depth, std::complex<T>* tile) {
  typedef T Vector __attribute__((vector_size(kTileBytes)));
  constexpr int kLanes = kTileBytes / sizeof(T);
  Vector re[kTileRows] = {}, im[kTileRows] = {};
  for (std::int64_t d = 0; d < depth; ++d, a += 2 * kTileRows, b += 2 * kLanes) {
    Vector b_re, b_im;
    std::memcpy(&b_re, b, sizeof b_re);
    std::memcpy(&b_im, b + kLanes, sizeof b_im);
    for (int i = 0; i < kTileRows; ++i) {
      re[i] += a[i] * b_re - a[kTileRows + i] * b_im;
      im[i] += a[i] * b_im + a[kTileRows + i] * b_re;
    }
  }
  for (int i = 0; i < kTileRows; ++i)
    for (int j = 0; j < kLanes; ++j) tile[i * kLanes + j] = {re[i][j], im[i][j]};
}

template <class T>
void add_tile(const T* tile, T* c, std::int64_t ldc, std::int64_t rows, std::int64_t cols,
              bool first) {
  constexpr int kColumns = Tile<T>::kColumns;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t j = 0; j < cols; ++j) {
      const T value = tile[i * kColumns + j];
      c[i * ldc + j] = first ? value : wrapping_add(c[i * ldc + j], value);
    }
}

template <class T>
void multiply_block(const Product& p, const Block& block) {
  constexpr int kColumns = Tile<T>::kColumns;
  const auto* a = static_cast<const T*>(p.a);
  const auto* b = static_cast<const T*>(p.b);
  auto* c = static_cast<T*>(p.c);
  const std::int64_t a_row = p.transpose_a ? 1 : p.k, a_depth = p.transpose_a ? p.m : 1;
  const std::int64_t b_col = p.transpose_b ? p.k : 1, b_depth = p.transpose_b ? 1 : p.n;
  const std::int64_t row_tiles = (block.row_end - block.row_begin + kTileRows - 1) / kTileRows;
  using Part = typename Tile<T>::Part;
  constexpr std::int64_t kParts = sizeof(T) / sizeof(Part);
  std::vector<Part> a_panels(
      static_cast<std::size_t>(row_tiles * kTileRows * kParts * std::min(kDepth, p.k)));
  alignas(64) Part b_panel[kDepth * kColumns * kParts];
  alignas(64) T tile[kTileRows * kColumns];
  for (std::int64_t d = 0; d < p.k; d += kDepth) {
    const std::int64_t depth = std::min(kDepth, p.k - d);
    for (std::int64_t t = 0; t < row_tiles; ++t) {
      const std::int64_t i = block.row_begin + t * kTileRows;
      pack(a + i * a_row + d * a_depth, a_row, a_depth, block.row_end - i, kTileRows, depth,
           p.conjugate_a, a_panels.data() + t * depth * kTileRows * kParts);
    }
    for (std::int64_t j = block.col_begin; j < block.col_end; j += kColumns) {
      const std::int64_t cols = std::min<std::int64_t>(kColumns, block.col_end - j);
      pack(b + j * b_col + d * b_depth, b_col, b_depth, cols, kColumns, depth, p.conjugate_b,
           b_panel);
      for (std::int64_t t = 0; t < row_tiles; ++t) {
        const std::int64_t i = block.row_begin + t * kTileRows;
        multiply_tile(a_panels.data() + t * depth * kTileRows * kParts, b_panel, depth, tile);
        add_tile(tile, c + i * p.n + j, p.n, std::min<std::int64_t>(kTileRows, block.row_end - i),
                 cols, d == 0);
      }
    }
  }
}

}  // namespace

BlockFn block_multiply(DType type) {
  switch (wrapping_type(type)) {
    case DType::f32:
      return multiply_block<float>;
    case DType::f64:
      return multiply_block<double>;
    case DType::u32:
      return multiply_block<std::uint32_t>;
    case DType::u64:
      return multiply_block<std::uint64_t>;
    case DType::c64:
      return multiply_block<complex64>;
    case DType::c128:
      return multiply_block<complex128>;
    default:
      return nullptr;
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

RILL_DISPATCH_BY_TYPE(BlockFn, find_block_multiply, block_multiply);

}  // namespace rill
#endif

#pragma once

#include <cstdint>

#include "rill/kernel/kernel_call.h"

namespace rill {

// One dense row-major product C = op(A) op(B); op may transpose and, for complex types, conjugate.
struct Product {
  std::int64_t m = 0, n = 0, k = 0;
  const void* a = nullptr;
  const void* b = nullptr;
  void* c = nullptr;
  bool transpose_a = false, transpose_b = false;
  bool conjugate_a = false, conjugate_b = false;

  std::int64_t lda() const { return transpose_a ? m : k; }
  std::int64_t ldb() const { return transpose_b ? k : n; }
  double flops() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  }
};

using MultiplyFn = void (*)(const KernelCall& call, const Product& product);

// The plain blocked product for any number type; half and bfloat16 accumulate in float. Vectors and
// small matrices of doubles are multiplied without packing, as gemm_direct.h does.
MultiplyFn reference_multiply(DType type);
// Through oneDNN: float, and half and bfloat16 converted on the way; nullptr for other types.
// bfloat16 in the processor's tiles where there are any.
MultiplyFn onednn_multiply(DType type);
// Floats, rounded to bfloat16 first where that makes a product faster; nullptr for other types.
MultiplyFn lowered_multiply(DType type);

// The reference on blocks of C, without threads: rows [row_begin, row_end) of columns
// [col_begin, col_end).
struct Block {
  std::int64_t row_begin, row_end, col_begin, col_end;
};
using BlockFn = void (*)(const Product& product, const Block& block);
BlockFn find_block_multiply(DType type);  // float, double, complex, 32- and 64-bit integers

}  // namespace rill

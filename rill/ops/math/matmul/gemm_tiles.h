#pragma once

#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/tiles/tile_product.h"

namespace rill {

// Whether the processor's tiles make a product of these sizes faster than floats do.
bool tiles_pay(std::int64_t m, std::int64_t n, std::int64_t k);

// The factors of a product as tiles want them; `source` is what its elements are.
inline TileOperand tile_factor_a(const Product& p, TileSource source) {
  return {source, p.a, p.lda(), p.transpose_a};
}
inline TileOperand tile_factor_b(const Product& p, TileSource source) {
  return {source, p.b, p.ldb(), p.transpose_b};
}

// A product of bfloat16, summed as float and rounded once. False, and nothing is written, where
// tiles do not pay.
bool multiply_bfloat16(const KernelCall& call, const Product& product);
// The same with the second factor packed before; where tiles pay.
void multiply_bfloat16(const KernelCall& call, const Product& product, const TileMatrix& b);
// A product of floats whose factors are rounded to bfloat16, summed as float. False as above.
bool multiply_lowered(const KernelCall& call, const Product& product);

}  // namespace rill

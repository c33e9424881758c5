#pragma once

#include "rill/base/function_ref.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {

// Products of floats whose factors are packed once, by all threads, before all threads multiply.
// Every element of C is summed in the order of the depth, in the same parts, whatever the shape of
// the rest and however the work is cut.

// A factor in panels of `width` vectors, in parts of the depth: all panels of the first part, then
// those of the next.
struct PackedFactor {
  PackedFactor(const KernelCall& call, std::int64_t count, std::int64_t depth, std::int64_t width);
  std::int64_t parts() const;
  std::int64_t depth_at(std::int64_t part) const;
  float* panel(std::int64_t part, std::int64_t index) const;

  std::int64_t count, depth, width, panels;
  Tensor values;
};
PackedFactor packed_b(const KernelCall& call, const Product& product);

// Told what is done: columns [begin, end) of row r of C, which stand at `row`.
using ProductRowDone =
    FunctionRef<void(float* row, std::int64_t r, std::int64_t begin, std::int64_t end)>;

// Whether a product has so many rows, columns and depth that packing pays; with B packed before.
bool panels_pay(const Product& product);
bool packed_panels_pay(const Product& product);
void multiply_panels(const KernelCall& call, const Product& product);
void multiply_panels(const KernelCall& call, const Product& product, const PackedFactor& b,
                     ProductRowDone done);

}  // namespace rill

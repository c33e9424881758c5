#pragma once

#include "rill/ops/math/matmul/gemm.h"

namespace rill {

// Products of floats whose factors are packed once, by all threads, before all threads multiply.
// Every element of C is summed in the order of the depth, in the same parts, whatever the shape of
// the rest and however the work is cut. C may have any size but 0, and the depth as well.
void multiply_panels(const KernelCall& call, const Product& product);
// Whether a product has so many rows, columns and depth that packing pays.
bool panels_pay(const Product& product);

// `count` vectors side by side, none longer than `depth`: element d of vector i comes from
// `from[i * step + d * depth_step]`, one of the steps being 1, and goes to `to[d * width + i]`;
// vectors that a panel lacks are zero.
struct PanelSource {
  const float* from;
  std::int64_t step, depth_step;
};

// What the processor at hand computes without memory in between: `rows` by `columns` of C.
struct PanelKernels {
  std::int64_t rows, columns;
  void (*pack_rows)(const PanelSource& source, std::int64_t count, std::int64_t depth, float* to);
  void (*pack_columns)(const PanelSource& source, std::int64_t count, std::int64_t depth,
                       float* to);
  // `m` by `n` of C, whose rows lie `ldc` apart, from panels that follow each other at `a` and `b`;
  // `adds` to what is there.
  void (*multiply)(const float* a, const float* b, std::int64_t depth, std::int64_t m,
                   std::int64_t n, float* c, std::int64_t ldc, bool adds);
};
const PanelKernels& panel_kernels();

}  // namespace rill

#pragma once

#include <cstdint>

namespace rill {

// Vectors side by side: element d of vector i is `from[i * step + d * depth_step]`, and one of the
// steps is 1.
struct PanelSource {
  const float* from;
  std::int64_t step, depth_step;
};
// Element d of vector i goes to `to[d * width + i]`; where `count` is less than the panel's width,
// zeros stand for the vectors that are missing.
using PackPanel = void (*)(const PanelSource& source, std::int64_t count, std::int64_t depth,
                           float* to);

// What the processor at hand multiplies without memory in between: `rows` by `columns` of C.
struct PanelKernels {
  std::int64_t rows, columns;
  PackPanel pack_rows, pack_columns;
  // `m` by `n` of C, whose rows lie `ldc` apart, from panels that follow each other at `a` and `b`;
  // `adds` to what is there.
  void (*multiply)(const float* a, const float* b, std::int64_t depth, std::int64_t m,
                   std::int64_t n, float* c, std::int64_t ldc, bool adds);
};
const PanelKernels& panel_kernels();

}  // namespace rill

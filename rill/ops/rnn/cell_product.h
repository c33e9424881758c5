#pragma once

#include <algorithm>

#include "rill/kernel/kernel_call.h"
#include "rill/ops/math/matmul/gemm.h"
#include "rill/ops/rnn/few_rows.h"

namespace rill {

// c = a b of dense matrices, as cells need it: often of a single row.
inline void multiply_for_cell(const KernelCall& call, std::int64_t m, std::int64_t n,
                              std::int64_t k, const float* a, const float* b, float* c) {
  static const MultiplyFn multiply = onednn_multiply(DType::f32);
  if (m > kMaxFewRows || m == 0 || n == 0)
    return multiply(call, {.m = m, .n = n, .k = k, .a = a, .b = b, .c = c});
  constexpr std::int64_t kColumns = 128;
  const std::int64_t blocks = (n + kColumns - 1) / kColumns;
  const double nanos = 0.1 * static_cast<double>(k * kColumns);
  call.parallel_for(static_cast<std::size_t>(blocks), nanos, [&](std::size_t from, std::size_t to) {
    const std::int64_t begin = static_cast<std::int64_t>(from) * kColumns;
    const std::int64_t end = std::min(n, static_cast<std::int64_t>(to) * kColumns);
    multiply_few_rows({.m = m,
                       .n = end - begin,
                       .k = k,
                       .a = a,
                       .b = b + begin,
                       .c = c + begin,
                       .lda = k,
                       .ldb = n,
                       .ldc = n});
  });
}

}  // namespace rill

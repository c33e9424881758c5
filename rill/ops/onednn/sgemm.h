#pragma once

#include <cstdint>

namespace rill {

// One row-major product of floats, C = op(A) op(B) or C += that, on the calling thread alone.
struct Sgemm {
  std::int64_t m, n, k;
  const float* a;
  const float* b;
  float* c;
  std::int64_t lda, ldb, ldc;
  bool transpose_a, transpose_b;
  bool adds = false;
};

// Throws Internal when oneDNN refuses. m, n and k must be positive.
void run_sgemm(const Sgemm& product);

}  // namespace rill

#pragma once

#include <cstdint>

namespace rill {

// c = a b for a of so few rows that all the time goes into reading b, which is not packed.
struct FewRows {
  std::int64_t m, n, k;
  const float *a, *b;
  float* c;
  std::int64_t lda, ldb, ldc;
};

inline constexpr std::int64_t kMaxFewRows = 4;

// m is at most kMaxFewRows. Each element is summed in the order of the depth.
void multiply_few_rows(const FewRows& product);

}  // namespace rill

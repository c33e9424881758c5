#pragma once

#include <cstdint>

#include "rill/tensor/dtype.h"

namespace rill {

// The types that decompositions know.
inline constexpr TypeSet kMatrixTypes = DType::f32 | DType::f64 | DType::c64 | DType::c128;

// C -= A B, or C -= A B* with the adjoint of B; row-major, C is m x n, the inner size is k.
struct Subtraction {
  std::int64_t m, n, k;
  const void* a;
  const void* b;
  void* c;
  std::int64_t lda, ldb, ldc;
  bool adjoint_b = false;
};

// T X = B for a triangular T of n rows and columns; X replaces B, which has m columns. Only the
// named triangle of T is read, and not its diagonal when that is one.
struct TriangularSystem {
  std::int64_t n, m;
  const void* t;
  void* b;
  std::int64_t ldt, ldb;
  bool lower = true, unit = false;
  bool transposed = false;  // solves for T's transpose: real numbers, m = ldb = 1
};

// Work on single dense row-major matrices by the calling thread. No value ends in a loop without
// end: NaN and infinities pass through.
struct Dense {
  void (*subtract_product)(const Subtraction& s);
  void (*solve_triangular)(const TriangularSystem& s);
  // Replaces the lower triangle of an n x n matrix, the only part that is read, by its Cholesky
  // factor; the rest holds no meaning afterwards. False when a pivot is not positive.
  bool (*cholesky)(void* a, std::int64_t n);
  // P A = L U in place, L with a unit diagonal. Row i of P A is row order[i] of A.
  // The sign of the permutation is returned.
  int (*lu)(void* a, std::int64_t n, std::int64_t* order);
};

// For the types of kMatrixTypes.
const Dense& dense(DType type);

}  // namespace rill

#pragma once

#include <cstdint>

namespace rill {

// Whether oneDNN multiplies bytes exactly here: without instructions for that it adds pairs of
// products in 16 bits, which are too few, and tiles (rill/ops/tiles) are not its own business.
bool has_exact_byte_gemm();

// C = (A - a_zero)(B - b_zero), row-major, in 32 bits, on the calling thread alone. No sum may need
// more.
struct ByteGemm {
  std::int64_t m, n, k;
  const std::uint8_t* a;
  std::uint8_t a_zero;
  const std::int8_t* b;
  std::int8_t b_zero;
  std::int32_t* c;
};

// Throws Internal when oneDNN refuses. m, n and k must be positive.
void run_byte_gemm(const ByteGemm& product);

}  // namespace rill

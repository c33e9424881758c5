#pragma once

#include "rill/kernel/kernel_call.h"

namespace rill {

// C = (A - a_zero)(B - b_zero) for unsigned bytes, either turned or not, in 32 bits that wrap
// around. The zeros need not be bytes.
struct ByteProduct {
  std::int64_t m = 0, n = 0, k = 0;
  const std::uint8_t *a = nullptr, *b = nullptr;
  std::int32_t a_zero = 0, b_zero = 0;
  bool transpose_a = false, transpose_b = false;
  std::uint32_t* c = nullptr;
};

// In the processor's tiles ("bytes:tiles"), through oneDNN where it is exact ("bytes:onednn") or by
// loops that every processor has ("bytes:rows"): the same bits from each.
void multiply_bytes(const KernelCall& call, const ByteProduct& p);

// The last of them, also for few rows. B must not be turned.
void multiply_byte_rows(const KernelCall& call, const ByteProduct& p);

// The sum of each column of a matrix of bytes.
void sum_byte_columns(const KernelCall& call, const std::uint8_t* b, std::int64_t rows,
                      std::int64_t columns, bool turned, std::uint32_t* sums);

}  // namespace rill

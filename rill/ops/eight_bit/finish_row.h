#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// Part of a row of sums on its way to being results; pointers stand at its first element, and those
// that are null are left out. In this order: the bias is added, all is scaled, the summand times
// its scale is added, what is below zero becomes zero.
struct FinishRow {
  const std::int32_t* sums = nullptr;
  const float *bias = nullptr, *scale = nullptr;
  const std::uint8_t* unsigned_summand = nullptr;
  const std::int8_t* signed_summand = nullptr;
  float summand_scale = 1;
  const float *float_summand = nullptr, *float_scale = nullptr;
  bool rectifies = false;
  std::size_t count = 0;
};

// Rounded to the nearest, halves to even numbers; what does not fit becomes what fits best, and
// what is no number the lowest.
void finish_row(const FinishRow& row, std::int32_t* out);
void finish_row(const FinishRow& row, std::uint8_t* out);
void finish_row(const FinishRow& row, std::int8_t* out);

}  // namespace rill

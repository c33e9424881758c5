#pragma once

#include <cstddef>
#include <numbers>

#include "rill/base/philox.h"

namespace rill {

// Writes `count` blocks of a stream, four words each: those at `start`, `start` + stride, ...
void philox_words(const Philox& start, std::uint64_t stride, std::uint32_t* words,
                  std::size_t count);

// What values are made of, one at a time; rows give the same bits. Always inlined, because rows are
// compiled for several instruction sets.
[[gnu::always_inline]] inline double uniform_double(std::uint32_t upper, std::uint32_t lower) {
  return static_cast<double>(static_cast<std::int32_t>(upper & 0xfffff)) * 0x1p-20 +
         static_cast<double>(lower) * 0x1p-52;
}
[[gnu::always_inline]] inline double at_least_tiny(double u) { return u < 1e-7 ? 1e-7 : u; }
[[gnu::always_inline]] inline double angle_of(double v) { return 2 * std::numbers::pi * v; }

// Rows of `count` uniform values below 1 from as many words; doubles take two each.
void uniform_row(float* out, const std::uint32_t* words, std::size_t count);
void uniform_row(double* out, const std::uint32_t* words, std::size_t count);

// The lengths and angles of `count` normal pairs from twice as many uniform values: the first of
// two, but at least 1e-7, and 2 pi times the second.
void polar_row(float* u, float* angle, const float* uniform, std::size_t count);
void polar_row(double* u, double* angle, const double* uniform, std::size_t count);

}  // namespace rill

#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// The values that a block of four words gives.
template <class T>
inline constexpr std::size_t kValuesPerBlock = sizeof(T) == 8 ? 2 : 4;

// Standard normal values (Box and Muller) from `blocks` blocks of words, in pairs: sine first. Half
// types are rounded from float. The logarithm, sine and cosine are the C library's, as TensorFlow's
// are, so the values are the same bits.
void normal_row(float* out, const std::uint32_t* words, std::size_t blocks);
void normal_row(double* out, const std::uint32_t* words, std::size_t blocks);

}  // namespace rill

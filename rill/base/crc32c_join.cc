#include "rill/base/crc32c_join.h"

namespace rill {
namespace {

// Polynomials over the field of two elements, modulo the checksum's; the highest bit is the
// coefficient of x^0.
constexpr std::uint32_t kModulus = 0x82f63b78u, kOne = 0x80000000u, kX = 0x40000000u;

std::uint32_t product(std::uint32_t a, std::uint32_t b) {
  std::uint32_t sum = 0;
  for (std::uint32_t bit = kOne; bit != 0; bit >>= 1) {
    if ((a & bit) != 0) sum ^= b;
    b = (b & 1) != 0 ? (b >> 1) ^ kModulus : b >> 1;
  }
  return sum;
}

std::uint32_t power_of_x(std::uint64_t exponent) {
  std::uint32_t result = kOne;
  for (std::uint32_t square = kX; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = product(result, square);
    square = product(square, square);
  }
  return result;
}

}  // namespace

std::uint32_t join_crc32c(std::uint32_t first, std::uint32_t second, std::uint64_t second_size) {
  constexpr std::uint64_t kBits = 8;
  // x^(2^64) is not reached: a size times eight may not fit, its power of the power of eight does.
  std::uint32_t shift = power_of_x(second_size);
  for (std::uint64_t doubled = 1; doubled < kBits; doubled *= 2) shift = product(shift, shift);
  return product(shift, first) ^ second;
}

}  // namespace rill

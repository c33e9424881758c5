#pragma once

#include <cstddef>
#include <cstdint>

namespace rill {

// The largest of the numbers without their signs, as bits: those of an infinity or more where one
// is not finite, more than those of an infinity where one is not a number.
std::uint16_t largest_bits(const std::uint16_t* numbers, std::size_t count);
std::uint32_t largest_bits(const std::uint32_t* numbers, std::size_t count);
std::uint64_t largest_bits(const std::uint64_t* numbers, std::size_t count);

}  // namespace rill

#pragma once

#include <array>

#include "rill/kernel/kernel_call.h"

namespace rill {

// What each of the 256 bytes stands for.
using ByteTable = std::array<std::uint32_t, 256>;

// Output 0 becomes, of inputs 0 and 1 broadcast against each other, the sums or products of what
// their bytes stand for, in 32 bits that wrap around.
void add_byte_pairs(const KernelCall& call, const ByteTable& x, const ByteTable& y);
void multiply_byte_pairs(const KernelCall& call, const ByteTable& x, const ByteTable& y);

}  // namespace rill

#pragma once

#include "rill/kernel/kernel_call.h"

namespace rill {

// Floats that a call works with, not yet set.
inline Tensor scratch_floats(const KernelCall& call, std::int64_t count) {
  return Tensor(DType::f32, {count}, call.device().allocator(MemoryKind::host));
}
// The same for `bytes` bytes at least.
inline Tensor scratch_float_bytes(const KernelCall& call, std::size_t bytes) {
  return scratch_floats(call,
                        static_cast<std::int64_t>((bytes + sizeof(float) - 1) / sizeof(float)));
}

}  // namespace rill

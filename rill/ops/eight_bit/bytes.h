#pragma once

#include "rill/kernel/kernel_call.h"
#include "rill/ops/levels/level_move.h"
#include "rill/ops/levels/quantized_level.h"

// What the kernels of this folder see of their arguments.
namespace rill {

inline const std::uint8_t* byte_data(const Tensor& tensor) {
  return static_cast<const std::uint8_t*>(tensor.raw_data());
}

// For kernels of ops whose results are of bytes.
inline const char* accept_byte_output(const KernelNode& node) {
  const DType type = base_type(node.output_type(0));
  return type == DType::qu8 || type == DType::qi8 ? nullptr : "needs out_type quint8 or qint8";
}

// Two scalar inputs, one after the other.
inline LevelRange range_input(const KernelCall& call, int min) {
  return {call.input<float>(min)[0], call.input<float>(min + 1)[0]};
}

inline void set_range(const KernelCall& call, int min, const LevelRange& range) {
  call.output<float>(min)[0] = range.min;
  call.output<float>(min + 1)[0] = range.max;
}

// Which level of unsigned bytes stands for zero, as 32 bits that wrap around; it may lie outside.
inline std::int32_t zero_of_bytes(const LevelRange& range) {
  return static_cast<std::int32_t>(
      unclamped_level(0, range.min, range.max, quantized_type(DType::qu8)));
}

inline float step_of_bytes(const LevelRange& range) { return (range.max - range.min) / 255; }

// The range of 32-bit results whose levels are `step` apart.
inline LevelRange range_of_sums(float step) {
  return {step * -2147483648.0f, step * 2147483648.0f};
}

inline void lift_row(std::uint8_t* __restrict to, const std::uint8_t* __restrict from,
                     std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<std::uint8_t>(from[i] ^ 0x80U);
}

// Bytes that were signed and now count from 128 on; `storage` keeps a copy where one is needed.
inline const std::uint8_t* lifted_bytes(const KernelCall& call, const Tensor& tensor,
                                        Tensor& storage) {
  if (base_type(tensor.dtype()) == DType::qu8) return byte_data(tensor);
  storage = Tensor(DType::u8, tensor.shape(), call.device().allocator(MemoryKind::host));
  auto* const to = storage.data<std::uint8_t>();
  call.parallel_for(static_cast<std::size_t>(tensor.element_count()), 0.05,
                    [&](std::size_t begin, std::size_t end) {
                      lift_row(to + begin, byte_data(tensor) + begin, end - begin);
                    });
  return to;
}

}  // namespace rill

#include "rill/kernel/kernel_registry.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kCompareAndBitpack;

namespace {

template <class T>
void compare_and_bitpack(KernelCall& call) {
  const auto x = call.input<T>(0);
  const auto threshold = widened(call.input<T>(1)[0]);
  const auto out = call.output<std::uint8_t>(0);
  call.parallel_for(out.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      unsigned byte = 0;
      for (std::size_t k = 0; k < 8; ++k)
        byte = byte << 1 | (widened(x[8 * i + k]) > threshold ? 1u : 0u);
      out[i] = static_cast<std::uint8_t>(byte);
    }
  });
}

template <class T>
constexpr KernelEntry bitpack_entry() {
  return {.op = &kCompareAndBitpack, .types = dtype_of<T>, .run = compare_and_bitpack<T>};
}

constexpr KernelEntry kEntries[] = {
    bitpack_entry<bool>(),         bitpack_entry<half>(),         bitpack_entry<float>(),
    bitpack_entry<double>(),       bitpack_entry<std::int8_t>(),  bitpack_entry<std::int16_t>(),
    bitpack_entry<std::int32_t>(), bitpack_entry<std::int64_t>(),
};

}  // namespace

extern const KernelTable kBitpackCpu{kEntries};

}  // namespace rill

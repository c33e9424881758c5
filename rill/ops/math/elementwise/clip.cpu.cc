#include <algorithm>

#include "rill/kernel/kernel_registry.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kClipByValue;

namespace {

template <class T>
T clipped(T x, T low, T high) {
  const T not_above = widened(high) < widened(x) ? high : x;
  return widened(not_above) < widened(low) ? low : not_above;
}

// Scalar limits have step 0.
template <class T>
void clip(KernelCall& call) {
  const auto x = call.input<T>(0), low = call.input<T>(1), high = call.input<T>(2);
  const auto out = call.output<T>(0);
  const std::size_t low_step = call.input_tensor(1).rank() == 0 ? 0 : 1;
  const std::size_t high_step = call.input_tensor(2).rank() == 0 ? 0 : 1;
  call.parallel_for(out.size(), 1, [&](std::size_t begin, std::size_t end) {
    if (low_step == 0 && high_step == 0) {
      const T lowest = low[0], highest = high[0];
      for (std::size_t i = begin; i < end; ++i) out[i] = clipped(x[i], lowest, highest);
    } else {
      for (std::size_t i = begin; i < end; ++i)
        out[i] = clipped(x[i], low[i * low_step], high[i * high_step]);
    }
  });
}

template <class T>
constexpr KernelEntry clip_entry() {
  return {.op = &kClipByValue, .types = dtype_of<T>, .run = clip<T>, .expensive = false};
}

constexpr KernelEntry kEntries[] = {
    clip_entry<float>(),         clip_entry<double>(),       clip_entry<half>(),
    clip_entry<bfloat16>(),      clip_entry<std::int8_t>(),  clip_entry<std::int16_t>(),
    clip_entry<std::int32_t>(),  clip_entry<std::int64_t>(), clip_entry<std::uint8_t>(),
    clip_entry<std::uint16_t>(),
};

}  // namespace

extern const KernelTable kClipCpu{kEntries};

}  // namespace rill

#include <limits>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kRange, kLinSpace;

namespace {

// Values add up step by step, as TensorFlow's do, rather than being start plus a multiple.
template <class T>
void range(KernelCall& call) {
  T value = call.input<T>(0)[0];
  const T delta = call.input<T>(2)[0];
  for (T& out : call.output<T>(0)) {
    out = value;
    if constexpr (std::is_integral_v<T>) {
      using U = std::make_unsigned_t<T>;  // the step after the last value may overflow
      value = static_cast<T>(static_cast<U>(value) + static_cast<U>(delta));
    } else {
      value += delta;
    }
  }
}

void range_bfloat16(KernelCall& call) {
  auto value = static_cast<float>(call.input<bfloat16>(0)[0]);
  const auto delta = static_cast<float>(call.input<bfloat16>(2)[0]);
  for (bfloat16& out : call.output<bfloat16>(0)) {
    out = bfloat16(value);
    value = static_cast<float>(bfloat16(value + delta));
  }
}

// Elements [begin, end). Indices of 32 bits convert several at a time.
template <class T>
void linspace_range(T* out, T start, T step, std::size_t begin, std::size_t end) {
  if (end <= std::numeric_limits<std::int32_t>::max()) {
    const auto first = static_cast<std::int32_t>(begin), n = static_cast<std::int32_t>(end) - first;
    T* const to = out + begin;
    for (std::int32_t i = 0; i < n; ++i) to[i] = start + step * static_cast<T>(first + i);
  } else {
    for (std::size_t i = begin; i < end; ++i) out[i] = start + step * static_cast<T>(i);
  }
}

template <class T>
void linspace(KernelCall& call) {
  const T start = call.input<T>(0)[0], stop = call.input<T>(1)[0];
  const auto out = call.output<T>(0);
  if (out.empty()) return;
  if (out.size() == 1) {
    out[0] = start;
    return;
  }
  const T step = (stop - start) / static_cast<T>(out.size() - 1);
  T* const to = out.data();
  call.parallel_for(out.size(), 0.5, [=](std::size_t begin, std::size_t end) {
    linspace_range(to, start, step, begin, end);
  });
  out[0] = start;
  out.back() = stop;
}

constexpr KernelEntry kEntries[] = {
    {.op = &kRange, .types = DType::i32, .run = range<std::int32_t>, .expensive = false},
    {.op = &kRange, .types = DType::i64, .run = range<std::int64_t>, .expensive = false},
    {.op = &kRange, .types = DType::f32, .run = range<float>, .expensive = false},
    {.op = &kRange, .types = DType::f64, .run = range<double>, .expensive = false},
    {.op = &kRange, .types = DType::bf16, .run = range_bfloat16, .expensive = false},
    {.op = &kLinSpace, .types = DType::f32, .run = linspace<float>, .expensive = false},
    {.op = &kLinSpace, .types = DType::f64, .run = linspace<double>, .expensive = false},
};

}  // namespace

extern const KernelTable kRangeCpu{kEntries};

}  // namespace rill

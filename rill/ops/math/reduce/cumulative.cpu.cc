#include <cmath>
#include <complex>
#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/reduce/axis_extent.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kCumsum, kCumprod, kCumulativeLogsumexp;

namespace {

struct SumOp {
  static constexpr double kCost = 2;
  template <class A>
  static A start() {
    return A(0);
  }
  template <class A>
  static A join(A a, A b) {
    return wrapping_add(a, b);
  }
};
struct ProdOp {
  static constexpr double kCost = 2;
  template <class A>
  static A start() {
    return A(1);
  }
  template <class A>
  static A join(A a, A b) {
    return wrapping_mul(a, b);
  }
};

// log(exp(a) + exp(b)), where -inf stands for a sum of nothing.
struct LogSumExpOp {
  static constexpr double kCost = 30;
  template <class A>
  static A start() {
    return -std::numeric_limits<A>::infinity();
  }
  template <class A>
  static A join(A a, A b) {
    const A low = a < b ? a : b, high = a < b ? b : a;
    if (low == start<A>()) return high;
    return high + std::log1p(std::exp(low - high));
  }
};

AxisExtent scanned_extent(const KernelCall& call) {
  const Shape& shape = call.input_tensor(0).shape();
  return {shape, canonical_axis(given_axis(call.input_tensor(1)), shape.rank())};
}

template <class T, class F>
void scan_line(T* out, const T* x, std::int64_t length, std::int64_t step, bool exclusive) {
  using A = Widened<T>;
  A total = F::template start<A>();
  for (std::int64_t i = 0; i < length; ++i) {
    const A value = static_cast<A>(x[i * step]);
    if (exclusive) out[i * step] = static_cast<T>(total);
    total = F::join(total, value);
    if (!exclusive) out[i * step] = static_cast<T>(total);
  }
}

template <class T, class F>
void scan(KernelCall& call) {
  if (call.output_tensor(0).element_count() == 0) return;
  const AxisExtent e = scanned_extent(call);
  const bool exclusive = call.node().attr<bool>("exclusive");
  const bool reverse = call.node().attr<bool>("reverse");
  const T* x = call.input_tensor(0).data<T>();
  T* out = call.output_tensor(0).data<T>();
  call.parallel_for(
      static_cast<std::size_t>(e.outer * e.inner), static_cast<double>(e.length) * F::kCost,
      [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          std::int64_t at = i / e.inner * e.length * e.inner + i % e.inner;
          if (reverse) at += (e.length - 1) * e.inner;
          scan_line<T, F>(out + at, x + at, e.length, reverse ? -e.inner : e.inner, exclusive);
        }
      });
}

template <class T>
constexpr KernelEntry cumsum_entry() {
  return {.op = &kCumsum, .types = dtype_of<T>, .run = scan<T, SumOp>};
}
template <class T>
constexpr KernelEntry cumprod_entry() {
  return {.op = &kCumprod, .types = dtype_of<T>, .run = scan<T, ProdOp>};
}
template <class T>
constexpr KernelEntry cumulative_log_entry() {
  return {.op = &kCumulativeLogsumexp, .types = dtype_of<T>, .run = scan<T, LogSumExpOp>};
}

constexpr KernelEntry kEntries[] = {
    cumsum_entry<float>(),          cumsum_entry<double>(),        cumsum_entry<half>(),
    cumsum_entry<bfloat16>(),       cumsum_entry<std::int8_t>(),   cumsum_entry<std::int16_t>(),
    cumsum_entry<std::int32_t>(),   cumsum_entry<std::int64_t>(),  cumsum_entry<std::uint8_t>(),
    cumsum_entry<std::uint16_t>(),  cumsum_entry<complex64>(),     cumsum_entry<complex128>(),
    cumprod_entry<float>(),         cumprod_entry<double>(),       cumprod_entry<half>(),
    cumprod_entry<bfloat16>(),      cumprod_entry<std::int8_t>(),  cumprod_entry<std::int16_t>(),
    cumprod_entry<std::int32_t>(),  cumprod_entry<std::int64_t>(), cumprod_entry<std::uint8_t>(),
    cumprod_entry<std::uint16_t>(), cumprod_entry<complex64>(),    cumprod_entry<complex128>(),
    cumulative_log_entry<half>(),   cumulative_log_entry<float>(), cumulative_log_entry<double>(),
};

}  // namespace

extern const KernelTable kCumulativeCpu{kEntries};

}  // namespace rill

#include <complex>

#include "rill/kernel/kernel_registry.h"

namespace rill {

extern const OpDecl kArgMax, kArgMin;

namespace {

// half and bfloat16 compare through float.
template <class T>
auto comparable(T x) {
  if constexpr (std::is_same_v<T, half> || std::is_same_v<T, bfloat16>)
    return static_cast<float>(x);
  else
    return x;
}

// The input as [outer][length][inner].
struct Extent {
  std::int64_t outer = 1, length = 1, inner = 1;
};

Extent extent_of(const KernelCall& call) {
  const Tensor& input = call.input_tensor(0);
  const Tensor& dimension = call.input_tensor(1);
  const std::int64_t given = dimension.dtype() == DType::i64
                                 ? dimension.scalar_value<std::int64_t>()
                                 : dimension.scalar_value<std::int32_t>();
  const int axis = canonical_axis(given, input.rank(), "dimension");
  Extent e;
  for (int i = 0; i < input.rank(); ++i)
    (i < axis ? e.outer : i == axis ? e.length : e.inner) *= input.dim(i);
  require(e.length > 0, "Reduction axis ", axis, " is empty in shape ", input.shape());
  return e;
}

// NaN never wins over a number before it, and the first of equals is taken.
template <class T, bool largest>
std::int64_t arg_of(const T* x, std::int64_t length, std::int64_t stride) {
  auto best = comparable(x[0]);
  std::int64_t at = 0;
  for (std::int64_t i = 1; i < length; ++i) {
    const auto value = comparable(x[i * stride]);
    const bool better = largest ? value > best : value < best;
    if (better || (best != best && value == value)) {
      best = value;
      at = i;
    }
  }
  return at;
}

template <class T, class Index, bool largest>
void find_all(const KernelCall& call, const Extent& e) {
  const T* x = call.input_tensor(0).data<T>();
  const auto out = call.output<Index>(0);
  call.parallel_for(
      out.size(), static_cast<double>(e.length), [&](std::size_t begin, std::size_t end) {
        for (auto i = static_cast<std::int64_t>(begin); i < static_cast<std::int64_t>(end); ++i) {
          const T* row = x + i / e.inner * e.length * e.inner + i % e.inner;
          out[static_cast<std::size_t>(i)] =
              static_cast<Index>(arg_of<T, largest>(row, e.length, e.inner));
        }
      });
}

template <class T, bool largest>
void run_arg(KernelCall& call) {
  if (call.output_tensor(0).element_count() == 0) return;
  const Extent e = extent_of(call);
  call.output_tensor(0).dtype() == DType::i32 ? find_all<T, std::int32_t, largest>(call, e)
                                              : find_all<T, std::int64_t, largest>(call, e);
}

template <class T>
constexpr KernelEntry max_entry() {
  return {.op = &kArgMax, .types = dtype_of<T>, .run = run_arg<T, true>};
}
template <class T>
constexpr KernelEntry min_entry() {
  return {.op = &kArgMin, .types = dtype_of<T>, .run = run_arg<T, false>};
}

constexpr KernelEntry kEntries[] = {
    max_entry<float>(),         max_entry<double>(),        max_entry<half>(),
    max_entry<bfloat16>(),      max_entry<std::int8_t>(),   max_entry<std::int16_t>(),
    max_entry<std::int32_t>(),  max_entry<std::int64_t>(),  max_entry<std::uint8_t>(),
    max_entry<std::uint16_t>(), max_entry<std::uint32_t>(), max_entry<std::uint64_t>(),
    min_entry<float>(),         min_entry<double>(),        min_entry<half>(),
    min_entry<bfloat16>(),      min_entry<std::int8_t>(),   min_entry<std::int16_t>(),
    min_entry<std::int32_t>(),  min_entry<std::int64_t>(),  min_entry<std::uint8_t>(),
    min_entry<std::uint16_t>(), min_entry<std::uint32_t>(), min_entry<std::uint64_t>(),
};

}  // namespace

extern const KernelTable kArgMaxCpu{kEntries};

}  // namespace rill

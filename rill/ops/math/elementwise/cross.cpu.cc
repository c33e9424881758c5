#include "rill/kernel/kernel_registry.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/tensor/narrow_float.h"

namespace rill {

extern const OpDecl kCross;

namespace {

// a[i] b[j] - a[j] b[i]
template <class T>
T minor(const T* a, const T* b, int i, int j) {
  const auto product = [](T x, T y) { return wrapping_mul<Widened<T>>(widened(x), widened(y)); };
  return static_cast<T>(wrapping_sub(product(a[i], b[j]), product(a[j], b[i])));
}

template <class T>
void cross(KernelCall& call) {
  const auto a = call.input<T>(0), b = call.input<T>(1);
  const auto out = call.output<T>(0);
  call.parallel_for(out.size() / 3, 6, [&](std::size_t begin, std::size_t end) {
    for (std::size_t at = 3 * begin; at < 3 * end; at += 3) {
      const T *u = &a[at], *v = &b[at];
      out[at] = minor(u, v, 1, 2);
      out[at + 1] = minor(u, v, 2, 0);
      out[at + 2] = minor(u, v, 0, 1);
    }
  });
}

template <class T>
constexpr KernelEntry cross_entry() {
  return {.op = &kCross, .types = dtype_of<T>, .run = cross<T>};
}

constexpr KernelEntry kEntries[] = {
    cross_entry<float>(),         cross_entry<double>(),       cross_entry<half>(),
    cross_entry<bfloat16>(),      cross_entry<std::int8_t>(),  cross_entry<std::int16_t>(),
    cross_entry<std::int32_t>(),  cross_entry<std::int64_t>(), cross_entry<std::uint8_t>(),
    cross_entry<std::uint16_t>(),
};

}  // namespace

extern const KernelTable kCrossCpu{kEntries};

}  // namespace rill

#include <cmath>

#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/comparison.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct LessOp {
  template <class T>
  bool operator()(T x, T y) const {
    return x < y;
  }
};
struct LessEqualOp {
  template <class T>
  bool operator()(T x, T y) const {
    return x <= y;
  }
};

// x > y is y < x: the same loops with the operands exchanged.
template <class F, class T>
BinaryRows swapped_rows() {
  return {.both = [](void* out, const void* x, const void* y,
                     std::size_t n) { both_row<F, T, bool>(out, y, x, n); },
          .scalar_y = [](void* out, const void* x, const void* y,
                         std::size_t n) { scalar_x_row<F, T, bool>(out, y, x, n); },
          .scalar_x = [](void* out, const void* x, const void* y,
                         std::size_t n) { scalar_y_row<F, T, bool>(out, y, x, n); }};
}

template <class F, class... T>
BinaryRows pick_ordered(DType type, bool swapped) {
  BinaryRows rows;
  ((dtype_of<T> == type ? void(rows = swapped ? swapped_rows<F, T>() : three_rows<F, T>())
                        : void()),
   ...);
  return rows;
}

template <class F>
BinaryRows pick(DType type, bool swapped) {
  return pick_ordered<F, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                      std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type, swapped);
}

}  // namespace

BinaryRows less_rows(DType type, bool swapped) { return pick<LessOp>(type, swapped); }
BinaryRows less_equal_rows(DType type, bool swapped) { return pick<LessEqualOp>(type, swapped); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kLess, kLessEqual, kGreater, kGreaterEqual, kApproximateEqual;

namespace {

HWY_EXPORT(less_rows);
HWY_EXPORT(less_equal_rows);

BinaryRows find_less(DType type) { return HWY_DYNAMIC_DISPATCH(less_rows)(type, false); }
BinaryRows find_greater(DType type) { return HWY_DYNAMIC_DISPATCH(less_rows)(type, true); }
BinaryRows find_less_equal(DType type) {
  return HWY_DYNAMIC_DISPATCH(less_equal_rows)(type, false);
}
BinaryRows find_greater_equal(DType type) {
  return HWY_DYNAMIC_DISPATCH(less_equal_rows)(type, true);
}

template <class T>
void approximate_equal(KernelCall& call) {
  const auto x = call.input<T>(0), y = call.input<T>(1);
  const auto out = call.output<bool>(0);
  const auto tolerance = static_cast<T>(call.node().attr<float>("tolerance"));
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::abs(x[i] - y[i]) < tolerance;
}

constexpr KernelEntry kEntries[] = {
    binary_entry<find_less>(&kLess, kRealTypes),
    binary_entry<find_less_equal>(&kLessEqual, kRealTypes),
    binary_entry<find_greater>(&kGreater, kRealTypes),
    binary_entry<find_greater_equal>(&kGreaterEqual, kRealTypes),
    {.op = &kApproximateEqual, .types = DType::f32, .run = approximate_equal<float>},
    {.op = &kApproximateEqual, .types = DType::f64, .run = approximate_equal<double>},
};

}  // namespace

extern const KernelTable kComparisonCpu{kEntries};

}  // namespace rill
#endif

#include <string>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/arithmetic.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct AddOp {
  template <class T>
  T operator()(T x, T y) const {
    return wrapping_add(x, y);
  }
};
struct SubOp {
  template <class T>
  T operator()(T x, T y) const {
    return wrapping_sub(x, y);
  }
};
struct MulOp {
  template <class T>
  T operator()(T x, T y) const {
    return wrapping_mul(x, y);
  }
};

template <class F>
BinaryRows pick(DType type) {
  return pick_three<F, float, double, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                    complex64, complex128>(wrapping_type(type));
}

}  // namespace

BinaryRows add_rows(DType type) { return pick<AddOp>(type); }
BinaryRows sub_rows(DType type) { return pick<SubOp>(type); }
BinaryRows mul_rows(DType type) { return pick<MulOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kAdd, kAddV2, kSub, kMul;

namespace {

HWY_EXPORT(add_rows);

void join_both(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::string*>(out)[i] =
        static_cast<const std::string*>(x)[i] + static_cast<const std::string*>(y)[i];
}
void join_scalar_y(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::string*>(out)[i] =
        static_cast<const std::string*>(x)[i] + *static_cast<const std::string*>(y);
}
void join_scalar_x(void* out, const void* x, const void* y, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::string*>(out)[i] =
        *static_cast<const std::string*>(x) + static_cast<const std::string*>(y)[i];
}

BinaryRows find_add(DType type) {
  if (type == DType::string)
    return {.both = join_both, .scalar_y = join_scalar_y, .scalar_x = join_scalar_x, .cost = 50};
  return HWY_DYNAMIC_DISPATCH(add_rows)(type);
}
RILL_DISPATCH_BY_TYPE(BinaryRows, find_sub, sub_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_mul, mul_rows);

constexpr KernelEntry kEntries[] = {
    binary_entry<find_add>(&kAdd, kNumberTypes | DType::string),
    binary_entry<find_add>(&kAddV2, kNumberTypes),
    binary_entry<find_sub>(&kSub, kNumberTypes),
    binary_entry<find_mul>(&kMul, kNumberTypes),
};

}  // namespace

BinaryRows find_add_rows(DType type) { return find_add(type); }

extern const KernelTable kArithmeticCpu{kEntries};

}  // namespace rill
#endif

#include <bit>
#include <type_traits>

#include "rill/ops/math/rows/elementwise.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/bitwise.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct AndOp {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x & y);
  }
};
struct OrOp {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x | y);
  }
};
struct XorOp {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x ^ y);
  }
};
struct InvertOp {
  template <class T>
  T operator()(T x) const {
    return static_cast<T>(~x);
  }
};
struct CountOp {
  template <class T>
  std::uint8_t operator()(T x) const {
    return static_cast<std::uint8_t>(std::popcount(static_cast<std::make_unsigned_t<T>>(x)));
  }
};

// Shifting by a negative amount, or by all bits and more, means nothing to the machine.
template <class T>
int limited(T amount) {
  constexpr T kLast = sizeof(T) * 8 - 1;
  return static_cast<int>(amount < 0 ? T{0} : amount > kLast ? kLast : amount);
}
struct LeftOp {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(x) << limited(y));
  }
};
struct RightOp {
  template <class T>
  T operator()(T x, T y) const {
    return static_cast<T>(x >> limited(y));
  }
};

template <class F>
BinaryRows binary(DType type) {
  return pick_three<F, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                    std::uint16_t, std::uint32_t, std::uint64_t>(type);
}
template <class F>
UnaryRows unary(DType type) {
  return pick_unary<F, std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                    std::uint16_t, std::uint32_t, std::uint64_t>(type);
}

}  // namespace

BinaryRows bit_and_rows(DType type) { return binary<AndOp>(type); }
BinaryRows bit_or_rows(DType type) { return binary<OrOp>(type); }
BinaryRows bit_xor_rows(DType type) { return binary<XorOp>(type); }
BinaryRows bit_left_rows(DType type) { return binary<LeftOp>(type); }
BinaryRows bit_right_rows(DType type) { return binary<RightOp>(type); }
UnaryRows bit_invert_rows(DType type) { return unary<InvertOp>(type); }
UnaryRows bit_count_rows(DType type) { return unary<CountOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kBitwiseAnd, kBitwiseOr, kBitwiseXor, kLeftShift, kRightShift, kInvert,
    kPopulationCount;

namespace {

RILL_DISPATCH_BY_TYPE(BinaryRows, find_and, bit_and_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_or, bit_or_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_xor, bit_xor_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_left, bit_left_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_right, bit_right_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_invert, bit_invert_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_count, bit_count_rows);

constexpr KernelEntry kEntries[] = {
    binary_entry<find_and>(&kBitwiseAnd, {}),       binary_entry<find_or>(&kBitwiseOr, {}),
    binary_entry<find_xor>(&kBitwiseXor, {}),       binary_entry<find_left>(&kLeftShift, {}),
    binary_entry<find_right>(&kRightShift, {}),     unary_entry<find_invert>(&kInvert, {}),
    unary_entry<find_count>(&kPopulationCount, {}),
};

}  // namespace

extern const KernelTable kBitwiseCpu{kEntries};

}  // namespace rill
#endif

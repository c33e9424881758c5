#include <complex>
#include <string>

#include "rill/ops/math/elementwise/broadcastable.h"
#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/equality.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct EqualOp {
  template <class T>
  bool operator()(const T& x, const T& y) const {
    return x == y;
  }
};
struct NotEqualOp {
  template <class T>
  bool operator()(const T& x, const T& y) const {
    return x != y;
  }
};

// Signed integers, booleans and quantised numbers are equal when their bits are.
constexpr DType bits_type(DType type) {
  switch (type) {
    case DType::boolean:
    case DType::qi8:
    case DType::qu8:
      return DType::u8;
    case DType::qi16:
    case DType::qu16:
      return DType::u16;
    case DType::qi32:
      return DType::u32;
    default:
      return wrapping_type(type);
  }
}

template <class F>
BinaryRows pick(DType type) {
  return pick_three<F, float, double, std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t,
                    complex64, complex128, std::string>(bits_type(type));
}

}  // namespace

BinaryRows equal_rows(DType type) { return pick<EqualOp>(type); }
BinaryRows not_equal_rows(DType type) { return pick<NotEqualOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kEqual, kNotEqual;

namespace {

RILL_DISPATCH_BY_TYPE(BinaryRows, find_equal, equal_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_not_equal, not_equal_rows);

// Shapes that do not broadcast reach the kernel only when that is not to be an error.
template <bool answer>
void run_equality(KernelCall& call) {
  const Shape& out = call.output_tensor(0).shape();
  if (out.rank() == 0 &&
      !broadcastable(call.input_tensor(0).shape(), call.input_tensor(1).shape())) {
    call.output<bool>(0)[0] = answer;
    return;
  }
  run_binary(call);
}

constexpr TypeSet kTypes = kNumberTypes | kQuantizedTypes | DType::boolean | DType::string;

constexpr KernelEntry kEntries[] = {
    {.op = &kEqual,
     .types = kTypes,
     .run = run_equality<false>,
     .make_state = binary_state<find_equal>,
     .expensive = false},
    {.op = &kNotEqual,
     .types = kTypes,
     .run = run_equality<true>,
     .make_state = binary_state<find_not_equal>,
     .expensive = false},
};

}  // namespace

extern const KernelTable kEqualityCpu{kEntries};

}  // namespace rill
#endif

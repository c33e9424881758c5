#include <cmath>
#include <complex>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/elementwise/unary.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct NegOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return wrapping_sub(T(0), x);
    else
      return -x;
  }
};
struct AbsOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsInteger<T>)
      return x < 0 ? wrapping_sub(T(0), x) : x;
    else
      return std::abs(x);
  }
};
struct SignOp {
  template <class T>
  T operator()(T x) const {
    if constexpr (kIsComplex<T>)
      return x == T(0) ? T(0) : x / std::abs(x);
    else
      return x != x ? x : static_cast<T>((x > T(0)) - (x < T(0)));
  }
};
struct SquareOp {
  template <class T>
  T operator()(T x) const {
    return wrapping_mul(x, x);
  }
};
struct SqrtOp {
  template <class T>
  T operator()(T x) const {
    return std::sqrt(x);
  }
};
struct ReciprocalOp {
  template <class T>
  T operator()(T x) const {
    return T(1) / x;
  }
};

template <class F>
UnaryRows pick_signed(DType type) {
  return pick_unary<F, float, double, std::int32_t, std::int64_t, complex64, complex128>(type);
}
template <class F>
UnaryRows pick_continuous(DType type) {
  return pick_unary<F, float, double, complex64, complex128>(type, 1);
}

}  // namespace

UnaryRows neg_rows(DType type) { return pick_signed<NegOp>(type); }
UnaryRows abs_rows(DType type) {
  return pick_unary<AbsOp, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t>(
      type);
}
UnaryRows sign_rows(DType type) { return pick_signed<SignOp>(type); }
UnaryRows square_rows(DType type) { return pick_signed<SquareOp>(type); }
UnaryRows sqrt_rows(DType type) { return pick_continuous<SqrtOp>(type); }
UnaryRows reciprocal_rows(DType type) { return pick_continuous<ReciprocalOp>(type); }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kNeg, kAbs, kSign, kSquare, kSqrt, kReciprocal, kInv;

namespace {

RILL_DISPATCH_BY_TYPE(UnaryRows, find_neg, neg_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_abs, abs_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_sign, sign_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_square, square_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_sqrt, sqrt_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_reciprocal, reciprocal_rows);

constexpr TypeSet kContinuous = kFloatTypes | kComplexTypes;
constexpr TypeSet kSigned = kContinuous | DType::i32 | DType::i64;

constexpr KernelEntry kEntries[] = {
    unary_entry<find_neg>(&kNeg, kSigned),
    unary_entry<find_abs>(&kAbs, kFloatTypes | kSignedIntTypes),
    unary_entry<find_sign>(&kSign, kSigned),
    unary_entry<find_square>(&kSquare, kSigned),
    unary_entry<find_sqrt>(&kSqrt, kContinuous),
    unary_entry<find_reciprocal>(&kReciprocal, kContinuous),
    unary_entry<find_reciprocal>(&kInv, kContinuous),
};

}  // namespace

extern const KernelTable kUnaryCpu{kEntries};

}  // namespace rill
#endif

#include "rill/ops/math/rows/trigonometry_rows.h"

#include <cmath>
#include <complex>

#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/math/rows/trigonometry_rows.cpu.cc"
#define RILL_WIDE_LOOPS 1
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/guarded_rows-inl.h"
#include "rill/ops/math/rows/rows-inl.h"
#include "rill/ops/math/rows/vector_hyperbolic-inl.h"
#include "rill/ops/math/rows/vector_trigonometry-inl.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
namespace rill::HWY_NAMESPACE {
namespace {

// The C library counts the quarter turns of large arguments.
struct SinOp {
  static bool easy(float x) { return reducible(x); }
  static float fast(float x) { return vector_sin(x); }
  static float slow(float x) { return std::sin(x); }
};
struct CosOp {
  static bool easy(float x) { return reducible(x); }
  static float fast(float x) { return vector_cos(x); }
  static float slow(float x) { return std::cos(x); }
};
struct TanOp {
  static bool easy(float x) { return reducible(x); }
  static float fast(float x) { return vector_tan(x); }
  static float slow(float x) { return std::tan(x); }
};
struct AsinOp {
  float operator()(float x) const { return vector_asin(x); }
};
struct AcosOp {
  float operator()(float x) const { return vector_acos(x); }
};
struct AtanOp {
  template <class T>
  T operator()(T x) const {
    return vector_atan(x);
  }
};
struct SinhOp {
  float operator()(float x) const { return vector_sinh(x); }
};
struct CoshOp {
  float operator()(float x) const { return vector_cosh(x); }
};
struct AsinhOp {
  float operator()(float x) const { return vector_asinh(x); }
};
struct AcoshOp {
  float operator()(float x) const { return vector_acosh(x); }
};
struct AtanhOp {
  float operator()(float x) const { return vector_atanh(x); }
};
struct Atan2Op {
  float operator()(float y, float x) const { return vector_atan2(y, x); }
  double operator()(double y, double x) const { return std::atan2(y, x); }
};
struct AngleOp {
  template <class R>
  R operator()(std::complex<R> z) const {
    return Atan2Op()(z.imag(), z.real());
  }
};

UnaryRows float_row(Trigonometric function) {
  switch (function) {
    case Trigonometric::kSin:
      return {guarded_row<SinOp, float>, 1.5};
    case Trigonometric::kCos:
      return {guarded_row<CosOp, float>, 1.5};
    case Trigonometric::kTan:
      return {guarded_row<TanOp, float>, 2};
    case Trigonometric::kAsin:
      return {unary_row<AsinOp, float, float>, 1};
    case Trigonometric::kAcos:
      return {unary_row<AcosOp, float, float>, 1};
    case Trigonometric::kAtan:
      return {unary_row<AtanOp, float, float>, 1};
    case Trigonometric::kSinh:
      return {unary_row<SinhOp, float, float>, 2.5};
    case Trigonometric::kCosh:
      return {unary_row<CoshOp, float, float>, 2.5};
    case Trigonometric::kAsinh:
      return {unary_row<AsinhOp, float, float>, 2.5};
    case Trigonometric::kAcosh:
      return {unary_row<AcoshOp, float, float>, 2.5};
    case Trigonometric::kAtanh:
      return {unary_row<AtanhOp, float, float>, 1.5};
  }
  return {};
}

}  // namespace

UnaryRows trigonometric_rows(Trigonometric function, DType type) {
  if (type == DType::f32) return float_row(function);
  if (type == DType::f64 && function == Trigonometric::kAtan)
    return {unary_row<AtanOp, double, double>, 2.5};
  return {};
}
BinaryRows atan2_rows(DType type) {
  return pick_one<Atan2Op, float, double>(type, type == DType::f32 ? 1.5 : 20);
}
UnaryRows angle_rows(DType type) {
  return pick_unary<AngleOp, complex64, complex128>(type, type == DType::c64 ? 1.5 : 20);
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(trigonometric_rows);

UnaryRows find_trigonometric_rows(Trigonometric function, DType type) {
  return HWY_DYNAMIC_DISPATCH(trigonometric_rows)(function, type);
}
RILL_DISPATCH_BY_TYPE(BinaryRows, find_atan2_rows, atan2_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_angle_rows, angle_rows);

}  // namespace rill
#endif

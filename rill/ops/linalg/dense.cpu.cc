#include "rill/ops/linalg/dense.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <memory>
#include <numeric>

#include "rill/base/error.h"
#include "rill/ops/math/rows/numeric.h"

#define HWY_TARGET_INCLUDE "rill/ops/linalg/dense.cpu.cc"
#define RILL_WIDE_LOOPS
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
#include "rill/ops/simd/wide_vectors.h"
// clang-format off
#include "rill/ops/linalg/subtract-inl.h"
#include "rill/ops/linalg/line-inl.h"
#include "rill/ops/linalg/column-inl.h"
#include "rill/ops/linalg/factor-inl.h"
// clang-format on
namespace rill::HWY_NAMESPACE {

const Dense& dense_of(DType type) {
  switch (type) {
    case DType::f32:
      return kDense<float>;
    case DType::f64:
      return kDense<double>;
    case DType::c64:
      return kDense<complex64>;
    case DType::c128:
      return kDense<complex128>;
    default:
      raise(Code::kUnimplemented, "matrices of ", type, " cannot be decomposed");
  }
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(dense_of);

const Dense& dense(DType type) { return HWY_DYNAMIC_DISPATCH(dense_of)(type); }

}  // namespace rill
#endif

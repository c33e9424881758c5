#include <cmath>
#include <complex>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/numeric.h"
#include "rill/ops/math/rows/trigonometry_rows.h"

namespace rill {

extern const OpDecl kComplexAbs, kConj, kReal, kImag, kAngle, kComplex;

namespace {

// Functors from complex numbers to their real type (or to themselves), for both widths.
template <class F, class R>
void part_row(void* out, const void* x, std::size_t n) {
  using Result = decltype(F()(std::complex<R>()));
  const auto* z = static_cast<const std::complex<R>*>(x);
  for (std::size_t i = 0; i < n; ++i) static_cast<Result*>(out)[i] = F()(z[i]);
}

template <class F>
UnaryRows find_part(DType type) {
  if (type == DType::c64) return {part_row<F, float>, 0.5};
  if (type == DType::c128) return {part_row<F, double>, 1};
  return {};
}

struct AbsOp {
  template <class R>
  R operator()(std::complex<R> z) const {
    return std::hypot(z.real(), z.imag());
  }
};
struct ConjOp {
  template <class R>
  std::complex<R> operator()(std::complex<R> z) const {
    return {z.real(), -z.imag()};
  }
};
struct RealOp {
  template <class R>
  R operator()(std::complex<R> z) const {
    return z.real();
  }
};
struct ImagOp {
  template <class R>
  R operator()(std::complex<R> z) const {
    return z.imag();
  }
};
template <class R>
void join_row(void* out, const void* real, const void* imag, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    static_cast<std::complex<R>*>(out)[i] = {static_cast<const R*>(real)[i],
                                             static_cast<const R*>(imag)[i]};
}

BinaryRows find_complex(DType type) {
  if (type == DType::f32) return {.both = join_row<float>};
  if (type == DType::f64) return {.both = join_row<double>};
  return {};
}

// The widths of the complex and of the real type must belong together.
const char* accept_parts(const KernelNode& node) {
  const auto in = element_size(base_type(node.input_type(0)));
  const auto out = element_size(base_type(node.output_type(0)));
  return in == 2 * out || out == 2 * in ? nullptr
                                        : "needs complex64 with float or complex128 "
                                          "with double";
}

constexpr KernelEntry with_parts(KernelEntry entry) {
  entry.accept = accept_parts;
  return entry;
}
template <class F>
constexpr KernelEntry part_entry(const OpDecl* op) {
  return with_parts(unary_entry<find_part<F>>(op, kComplexTypes));
}

constexpr KernelEntry kEntries[] = {
    part_entry<AbsOp>(&kComplexAbs),
    unary_entry<find_part<ConjOp>>(&kConj, kComplexTypes),
    part_entry<RealOp>(&kReal),
    part_entry<ImagOp>(&kImag),
    with_parts(unary_entry<find_angle_rows>(&kAngle, kComplexTypes)),
    with_parts(binary_entry<find_complex>(&kComplex, DType::f32 | DType::f64)),
};

}  // namespace

extern const KernelTable kComplexCpu{kEntries};

}  // namespace rill

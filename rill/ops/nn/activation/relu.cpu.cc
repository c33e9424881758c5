#include <algorithm>

#include "rill/ops/math/rows/elementwise.h"
#include "rill/ops/math/rows/float_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/activation/relu.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows/rows-inl.h"

#ifndef RILL_OPS_NN_LEAKY_ROW
#define RILL_OPS_NN_LEAKY_ROW
namespace rill {
using LeakyRow = void (*)(void* out, const void* passed, const void* x, std::size_t n,
                          double alpha);
}
#endif

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

// NaN stays NaN; -0 becomes 0.
struct ReluOp {
  template <class T>
  T operator()(T x) const {
    return (x > T(0)) | (x != x) ? x : T(0);
  }
};
struct Relu6Op {
  template <class T>
  T operator()(T x) const {
    const T positive = ReluOp()(x);
    return positive > T(6) ? T(6) : positive;
  }
};
// A product, so that a NaN gradient shows even where nothing passes.
struct ReluGradOp {
  template <class T>
  T operator()(T gradient, T x) const {
    return static_cast<T>(gradient * static_cast<T>(x > T(0)));
  }
};
struct Relu6GradOp {
  template <class T>
  T operator()(T gradient, T x) const {
    return static_cast<T>(gradient * static_cast<T>((x > T(0)) & (x < T(6))));
  }
};

// `passed` where x is positive, alpha of it elsewhere.
template <class T>
void leaky_row(void* out, const void* passed, const void* x, std::size_t n, double alpha) {
  auto* r = static_cast<T*>(out);
  const auto* p = static_cast<const T*>(passed);
  const auto* q = static_cast<const T*>(x);
  const T slope = static_cast<T>(alpha);
#pragma GCC ivdep
  for (std::size_t i = 0; i < n; ++i) r[i] = p[i] * (q[i] > T(0) ? T(1) : slope);
}

template <class F>
UnaryRows pick(DType type) {
  return pick_unary<F, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                    std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type);
}
template <class F>
BinaryRows pick_grad(DType type) {
  return pick_one<F, float, double, std::int8_t, std::int16_t, std::int32_t, std::int64_t,
                  std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(type, 0.3);
}

}  // namespace

UnaryRows relu_rows(DType type) { return pick<ReluOp>(type); }
UnaryRows relu6_rows(DType type) { return pick<Relu6Op>(type); }
BinaryRows relu_grad_rows(DType type) { return pick_grad<ReluGradOp>(type); }
BinaryRows relu6_grad_rows(DType type) { return pick_grad<Relu6GradOp>(type); }
LeakyRow leaky_row_of(DType type) {
  return type == DType::f64 ? leaky_row<double> : leaky_row<float>;
}

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kRelu, kReluGrad, kRelu6, kRelu6Grad, kLeakyRelu, kLeakyReluGrad;

namespace {

HWY_EXPORT(leaky_row_of);

RILL_DISPATCH_BY_TYPE(UnaryRows, find_relu, relu_rows);
RILL_DISPATCH_BY_TYPE(UnaryRows, find_relu6, relu6_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_relu_grad, relu_grad_rows);
RILL_DISPATCH_BY_TYPE(BinaryRows, find_relu6_grad, relu6_grad_rows);

// half and bfloat16 are computed through float, block by block.
void leaky_block(LeakyRow row, DType type, std::byte* out, const std::byte* passed,
                 const std::byte* x, std::size_t n, double alpha) {
  const WidenRow widen = widen_row(type);
  if (widen == nullptr) return row(out, passed, x, n, alpha);
  constexpr std::size_t kBlock = 256;
  const NarrowRow narrow = narrow_row(type);
  alignas(64) float ps[kBlock], xs[kBlock];
  for (std::size_t i = 0; i < n; i += kBlock) {
    const std::size_t m = std::min(kBlock, n - i), at = i * element_size(type);
    widen(ps, passed + at, m);
    widen(xs, x + at, m);
    row(ps, ps, xs, m, alpha);
    narrow(out + at, ps, m);
  }
}

// What passes is input 0: x itself, or the gradient, which x follows.
void leaky(KernelCall& call) {
  const Tensor& out = call.output_tensor(0);
  const DType type = out.dtype();
  const auto* passed = static_cast<const std::byte*>(call.input_tensor(0).raw_data());
  const auto* x =
      static_cast<const std::byte*>(call.input_tensor(call.input_count() - 1).raw_data());
  auto* to = static_cast<std::byte*>(out.raw_data());
  const double alpha = static_cast<double>(call.node().attr<float>("alpha"));
  const LeakyRow row = HWY_DYNAMIC_DISPATCH(leaky_row_of)(type);
  call.parallel_for(static_cast<std::size_t>(out.element_count()), 0.3,
                    [=](std::size_t begin, std::size_t end) {
                      const std::size_t at = begin * element_size(type);
                      leaky_block(row, type, to + at, passed + at, x + at, end - begin, alpha);
                    });
}

constexpr KernelEntry kEntries[] = {
    unary_entry<find_relu>(&kRelu, kRealTypes),
    unary_entry<find_relu6>(&kRelu6, kRealTypes),
    binary_entry<find_relu_grad>(&kReluGrad, kRealTypes),
    binary_entry<find_relu6_grad>(&kRelu6Grad, kRealTypes),
    {.op = &kLeakyRelu, .types = kFloatTypes, .run = leaky, .expensive = false},
    {.op = &kLeakyReluGrad, .types = kFloatTypes, .run = leaky, .expensive = false},
};

}  // namespace

extern const KernelTable kReluCpu{kEntries};

}  // namespace rill
#endif

#include "rill/ops/math/elementwise.h"
#include "rill/ops/math/float_rows.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "rill/ops/nn/relu.cpu.cc"
#include "rill/ops/simd/each_target.h"

#include "rill/ops/math/rows-inl.h"

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

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

extern const OpDecl kRelu, kReluGrad, kRelu6, kRelu6Grad, kLeakyRelu, kLeakyReluGrad;

namespace {

HWY_EXPORT(relu_rows);
HWY_EXPORT(relu6_rows);
HWY_EXPORT(relu_grad_rows);
HWY_EXPORT(relu6_grad_rows);

UnaryRows find_relu(DType type) { return HWY_DYNAMIC_DISPATCH(relu_rows)(type); }
UnaryRows find_relu6(DType type) { return HWY_DYNAMIC_DISPATCH(relu6_rows)(type); }
BinaryRows find_relu_grad(DType type) { return HWY_DYNAMIC_DISPATCH(relu_grad_rows)(type); }
BinaryRows find_relu6_grad(DType type) { return HWY_DYNAMIC_DISPATCH(relu6_grad_rows)(type); }

// Computed in C: float for half and bfloat16.
template <class T, class C>
void leaky_relu(KernelCall& call) {
  const auto x = call.input<T>(0);
  const auto out = call.output<T>(0);
  const C alpha = static_cast<C>(call.node().attr<float>("alpha"));
  call.parallel_for(out.size(), 0.5, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const C value = static_cast<C>(x[i]);
      out[i] = T(value > 0 ? value : alpha * value);
    }
  });
}

template <class T, class C>
void leaky_relu_grad(KernelCall& call) {
  const auto gradients = call.input<T>(0), x = call.input<T>(1);
  const auto out = call.output<T>(0);
  const C alpha = static_cast<C>(call.node().attr<float>("alpha"));
  call.parallel_for(out.size(), 0.5, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const C gradient = static_cast<C>(gradients[i]);
      out[i] = T(static_cast<C>(x[i]) > 0 ? gradient : alpha * gradient);
    }
  });
}

constexpr KernelEntry kEntries[] = {
    unary_entry<find_relu>(&kRelu, kRealTypes),
    unary_entry<find_relu6>(&kRelu6, kRealTypes),
    binary_entry<find_relu_grad>(&kReluGrad, kRealTypes),
    binary_entry<find_relu6_grad>(&kRelu6Grad, kRealTypes),
    {.op = &kLeakyRelu, .types = DType::f32, .run = leaky_relu<float, float>},
    {.op = &kLeakyRelu, .types = DType::f64, .run = leaky_relu<double, double>},
    {.op = &kLeakyRelu, .types = DType::f16, .run = leaky_relu<half, float>},
    {.op = &kLeakyRelu, .types = DType::bf16, .run = leaky_relu<bfloat16, float>},
    {.op = &kLeakyReluGrad, .types = DType::f32, .run = leaky_relu_grad<float, float>},
    {.op = &kLeakyReluGrad, .types = DType::f64, .run = leaky_relu_grad<double, double>},
    {.op = &kLeakyReluGrad, .types = DType::f16, .run = leaky_relu_grad<half, float>},
    {.op = &kLeakyReluGrad, .types = DType::bf16, .run = leaky_relu_grad<bfloat16, float>},
};

}  // namespace

extern const KernelTable kReluCpu{kEntries};

}  // namespace rill
#endif

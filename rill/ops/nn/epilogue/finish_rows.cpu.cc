#include "rill/ops/nn/epilogue/finish_rows.h"

#include "rill/ops/math/rows/activation_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/epilogue/finish_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct FinishNone {
  float operator()(float x, float) const { return x; }
};
struct FinishRelu {
  float operator()(float x, float) const { return (x > 0.0f) | (x != x) ? x : 0.0f; }
};
struct FinishRelu6 {
  float operator()(float x, float) const {
    const float positive = FinishRelu()(x, 0);
    return positive > 6.0f ? 6.0f : positive;
  }
};
struct FinishLeaky {
  float operator()(float x, float alpha) const { return x > 0.0f ? x : alpha * x; }
};

template <class F>
void finish_rows(float* y, const float* offset, const float* side, std::size_t rows,
                 std::size_t width, float alpha) {
  const F f;
  if (offset == nullptr) {
    width *= rows;
    rows = 1;
  }
  for (std::size_t r = 0; r < rows; ++r, y += width) {
    if (offset != nullptr && side != nullptr) {
#pragma GCC ivdep
      for (std::size_t j = 0; j < width; ++j) y[j] = f((y[j] + offset[j]) + side[j], alpha);
    } else if (offset != nullptr) {
#pragma GCC ivdep
      for (std::size_t j = 0; j < width; ++j) y[j] = f(y[j] + offset[j], alpha);
    } else if (side != nullptr) {
#pragma GCC ivdep
      for (std::size_t j = 0; j < width; ++j) y[j] = f(y[j] + side[j], alpha);
    } else {
#pragma GCC ivdep
      for (std::size_t j = 0; j < width; ++j) y[j] = f(y[j], alpha);
    }
    if (side != nullptr) side += width;
  }
}

}  // namespace

FinishRows finish_none() { return finish_rows<FinishNone>; }
FinishRows finish_relu() { return finish_rows<FinishRelu>; }
FinishRows finish_relu6() { return finish_rows<FinishRelu6>; }
FinishRows finish_leaky() { return finish_rows<FinishLeaky>; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {
namespace {

HWY_EXPORT(finish_none);
HWY_EXPORT(finish_relu);
HWY_EXPORT(finish_relu6);
HWY_EXPORT(finish_leaky);

struct Activation {
  const char* name;
  FindUnary find;
};
constexpr Activation kActivations[] = {
    {"Elu", find_elu_rows},          {"Tanh", find_tanh_rows},
    {"Sigmoid", find_sigmoid_rows},  {"GeluTanh", find_gelu_tanh_rows},
    {"GeluErf", find_gelu_erf_rows},
};

}  // namespace

FinishFn find_finish(const std::string& activation) {
  if (activation == "Relu") return {HWY_DYNAMIC_DISPATCH(finish_relu)(), nullptr};
  if (activation == "Relu6") return {HWY_DYNAMIC_DISPATCH(finish_relu6)(), nullptr};
  if (activation == "LeakyRelu") return {HWY_DYNAMIC_DISPATCH(finish_leaky)(), nullptr};
  const FinishRows none = HWY_DYNAMIC_DISPATCH(finish_none)();
  if (activation.empty()) return {none, nullptr};
  for (const Activation& known : kActivations)
    if (activation == known.name) return {none, known.find(DType::f32).row};
  return {};
}

}  // namespace rill
#endif

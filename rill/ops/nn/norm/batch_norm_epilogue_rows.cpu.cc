#include "rill/ops/nn/norm/batch_norm_epilogue_rows.h"

#define HWY_TARGET_INCLUDE "rill/ops/nn/norm/batch_norm_epilogue_rows.cpu.cc"
#include "rill/ops/simd/each_target.h"

HWY_BEFORE_NAMESPACE();
namespace rill::HWY_NAMESPACE {
namespace {

struct Same {
  float operator()(float x) const { return x; }
};
struct AboveZero {
  float operator()(float x) const { return (x > 0.0f) | (x != x) ? x : 0.0f; }
};
struct UpToSix {
  float operator()(float x) const {
    const float positive = AboveZero()(x);
    return positive > 6.0f ? 6.0f : positive;
  }
};

template <class Activation>
void normalize_epilogue(float* y, const float* x, const ColumnScale<float>& by, const float* side,
                        std::size_t rows, std::size_t width) {
  const Activation f;
  const float *mean = by.mean, *slope = by.slope, *offset = by.offset;
  for (std::size_t r = 0; r < rows; ++r, y += width, x += width) {
    if (side == nullptr) {
#pragma GCC ivdep
      for (std::size_t j = 0; j < width; ++j) y[j] = f((x[j] - mean[j]) * slope[j] + offset[j]);
      continue;
    }
#pragma GCC ivdep
    for (std::size_t j = 0; j < width; ++j)
      y[j] = f(((x[j] - mean[j]) * slope[j] + offset[j]) + side[j]);
    side += width;
  }
}

}  // namespace

NormalizeEpilogue normalize_epilogue_same() { return normalize_epilogue<Same>; }
NormalizeEpilogue normalize_epilogue_relu() { return normalize_epilogue<AboveZero>; }
NormalizeEpilogue normalize_epilogue_relu6() { return normalize_epilogue<UpToSix>; }

}  // namespace rill::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rill {

HWY_EXPORT(normalize_epilogue_same);
HWY_EXPORT(normalize_epilogue_relu);
HWY_EXPORT(normalize_epilogue_relu6);

NormalizeEpilogue find_normalize_epilogue(const std::string& activation) {
  if (activation == "Identity") return HWY_DYNAMIC_DISPATCH(normalize_epilogue_same)();
  if (activation == "Relu") return HWY_DYNAMIC_DISPATCH(normalize_epilogue_relu)();
  return activation == "Relu6" ? HWY_DYNAMIC_DISPATCH(normalize_epilogue_relu6)() : nullptr;
}

}  // namespace rill
#endif

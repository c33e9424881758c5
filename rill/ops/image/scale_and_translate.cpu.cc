#include <limits>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/filter_kernel.h"
#include "rill/ops/image/pixel_types.h"
#include "rill/ops/image/resample.h"

namespace rill {

extern const OpDecl kScaleAndTranslate, kScaleAndTranslateGrad;

namespace {

// One dimension of the map.
struct Movement {
  std::int64_t in, out;
  float scale, translation;
};

std::int64_t within(float x, std::int64_t size) {
  if (!(x > 0)) return 0;
  return x < static_cast<float>(size - 1) ? static_cast<std::int64_t>(x) : size - 1;
}

// The pixels around `center` that the kernel sees; their weights add up to one.
void add_window(Taps& taps, const FilterKernel& kernel, float stretch, float center,
                std::int64_t size) {
  const float reach = kernel.radius * stretch;
  const std::int64_t first = within(std::ceil(center - reach - 0.5F), size),
                     last = within(std::floor(center + reach - 0.5F), size);
  const std::size_t begin = taps.taps.size();
  const float by_stretch = 1 / stretch;
  float total = 0;
  for (std::int64_t i = first; i <= last; ++i) {
    const float distance = static_cast<float>(i) + 0.5F - center;
    const float weight = kernel.weight(std::fabs(distance * by_stretch));
    taps.add(i, weight);
    total += weight;
  }
  if (std::fabs(total) < 1000 * std::numeric_limits<float>::min()) return taps.taps.resize(begin);
  for (std::size_t k = begin; k < taps.taps.size(); ++k) taps.taps[k].weight *= 1 / total;
}

Taps window_taps(const FilterKernel& kernel, const Movement& m, bool antialias) {
  const float by_scale = 1 / m.scale, shift = -by_scale * m.translation;
  const float stretch = antialias ? std::max(by_scale, 1.0F) : 1.0F;
  Taps taps;
  for (std::int64_t i = 0; i < m.out; ++i) {
    const float center = (static_cast<float>(i) + 0.5F) * by_scale + shift;
    // Places outside of the image stay black.
    if (center >= 0 && center <= static_cast<float>(m.in))
      add_window(taps, kernel, stretch, center, m.in);
    taps.end_result();
  }
  return taps;
}

struct Rule {
  explicit Rule(const KernelCall& call)
      : kernel(filter_kernel(call.node().attr<std::string>("kernel_type"))),
        antialias(call.node().attr<bool>("antialias")) {
    const auto scale = call.input<float>(2), translation = call.input<float>(3);
    for (std::size_t d = 0; d < 2; ++d) {
      require(scale[d] > 0, "Scale must be greater than zero, not ", scale[d]);
      scales[d] = scale[d];
      translations[d] = translation[d];
    }
  }
  // Along dimension 1 or 2 from images to results.
  Taps along(int d, const Tensor& images, const Tensor& results) const {
    const auto i = static_cast<std::size_t>(d - 1);
    return window_taps(kernel, {images.dim(d), results.dim(d), scales[i], translations[i]},
                       antialias);
  }
  FilterKernel kernel;
  bool antialias;
  float scales[2], translations[2];
};

void scale_and_translate(KernelCall& call) {
  const Rule rule(call);
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  resample(call, images, rule.along(1, images, results), rule.along(2, images, results), results);
}

void scale_and_translate_grad(KernelCall& call) {
  const Rule rule(call);
  const Tensor &grads = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  const auto back = [&](int d) {
    return transposed(rule.along(d, results, grads), results.dim(d));
  };
  resample(call, grads, back(1), back(2), results);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kScaleAndTranslate, .types = kPixelTypes, .run = scale_and_translate},
    {.op = &kScaleAndTranslateGrad, .types = DType::f32, .run = scale_and_translate_grad},
};

}  // namespace

extern const KernelTable kScaleAndTranslateCpu{kEntries};

}  // namespace rill

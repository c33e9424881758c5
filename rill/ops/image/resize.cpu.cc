#include "rill/kernel/kernel_registry.h"
#include "rill/ops/image/pixel_types.h"
#include "rill/ops/image/resample.h"

namespace rill {

extern const OpDecl kResizeBicubic, kResizeArea, kResizeBilinearGrad, kResizeBicubicGrad;

namespace {

using MakeTaps = Taps (*)(const Sampling&);

template <MakeTaps make_taps>
void resize(KernelCall& call) {
  const SamplingRule rule(call.node());
  const Tensor &images = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  resample(call, images, make_taps(rule.along(images.dim(1), results.dim(1))),
           make_taps(rule.along(images.dim(2), results.dim(2))), results);
}

template <MakeTaps make_taps>
void resize_grad(KernelCall& call) {
  const SamplingRule rule(call.node());
  const Tensor &grads = call.input_tensor(0), &results = call.output_tensor(0);
  if (results.element_count() == 0) return;
  const auto back = [&](int d) {
    return transposed(make_taps(rule.along(results.dim(d), grads.dim(d))), results.dim(d));
  };
  resample(call, grads, back(1), back(2), results);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kResizeBicubic, .types = kPixelTypes, .run = resize<cubic_taps>},
    {.op = &kResizeArea, .types = kPixelTypes, .run = resize<area_taps>},
    {.op = &kResizeBilinearGrad, .types = kFloatTypes, .run = resize_grad<linear_taps>},
    {.op = &kResizeBicubicGrad, .types = DType::f32 | DType::f64, .run = resize_grad<cubic_taps>},
};

}  // namespace

extern const KernelTable kResizeCpu{kEntries};

}  // namespace rill

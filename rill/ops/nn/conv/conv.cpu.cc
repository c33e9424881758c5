#include "rill/base/log.h"
#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/conv/conv_im2col.h"
#include "rill/ops/nn/conv/conv_loops.h"
#include "rill/ops/nn/conv/conv_one_channel.h"
#include "rill/ops/nn/conv/conv_onednn.h"
#include "rill/ops/nn/conv/conv_tensors.h"
#include "rill/ops/nn/conv/conv_tiled.h"
#include "rill/ops/nn/conv/image_buffers.h"
#include "rill/ops/nn/winograd/conv_winograd.h"

namespace rill {

extern const OpDecl kConv2D, kConv2DBackpropInput, kConv2DBackpropFilter, kConv3D,
    kConv3DBackpropInput, kConv3DBackpropInputV2, kConv3DBackpropFilter, kConv3DBackpropFilterV2;

namespace {

template <class Body>
void by_type(DType dtype, Body body) {
  dtype == DType::f64 ? body(static_cast<double*>(nullptr)) : body(static_cast<float*>(nullptr));
}

// False where that does not pay.
bool compute_by_winograd(const KernelCall& call, ConvWork work, const ConvProblem& p, float* images,
                         float* filter, float* results) {
  if (!suits_winograd(p, false)) return false;
  if (work == ConvWork::kToFilter) {
    winograd_to_filter(call, p, images, results, filter);
    return true;
  }
  if (work == ConvWork::kForward) {
    conv_winograd(call, p, images, winograd_filter(call, p, filter), results);
    return true;
  }
  const ConvProblem turned = turned_round(p);
  if (!suits_winograd(turned, false)) return false;
  conv_winograd(call, turned, results, winograd_gradient_filter(call, turned, filter), images);
  return true;
}

// By oneDNN where it can and that pays, else by loops of our own or by gathering patches; which one
// is found by the shapes of a call.
template <class T>
void compute(const KernelCall& call, ConvWork work, const ConvProblem& p, T* images, T* filter,
             T* results) {
  const char* why = "needs float";
  if constexpr (std::is_same_v<T, float>) {
    if (has_few_positions(p) || is_plain_product(work, p))
      return conv_im2col(call, work, p, images, filter, results);
    if (work == ConvWork::kForward && has_one_channel(p))
      return conv_one_channel(call, p, images, filter, results);
    if (compute_by_winograd(call, work, p, images, filter, results)) return;
    why = conv_onednn(call, work, p, images, filter, results);
  }
  if (why == nullptr) return;
  if (log_topic_enabled("kernel"))
    log_topic_line("kernel", str_cat(call.node().name, ": conv:onednn declined (", why,
                                     "), conv:patches chosen"));
  switch (work) {
    case ConvWork::kForward:
      return convolve<T>(call, p, images, filter, results);
    case ConvWork::kToImages:
      return conv_backprop_input<T>(call, p, filter, results, images);
    case ConvWork::kToFilter:
      return conv_backprop_filter<T>(call, p, images, results, filter);
  }
}

// bfloat16 as it is. False where that does not pay.
bool convolve_as_is(const KernelCall& call, const ConvProblem& p, const Tensor& images,
                    const Tensor& filter, const Tensor& out) {
  return out.dtype() == DType::bf16 && tiles_convolve(p, TileSource::kBfloat16) &&
         conv_bfloat16(call, p, images,
                       packed_tile_filter(call, p, TileSource::kBfloat16, filter.raw_data()), out);
}

}  // namespace

void conv_tensors(const KernelCall& call, const ConvShapes& shapes, const Tensor& images,
                  const Tensor& filter, const Tensor& out) {
  const ConvProblem problem = shapes.problem(out.shape());
  const bool turns = !shapes.layout.channels_last;
  if (!turns && convolve_as_is(call, problem, images, filter, out)) return;
  const Tensor x = prepared_images(call, images, shapes.layout), w = widened_tensor(call, filter);
  const Tensor y = result_buffer(call, out, turns);
  by_type(y.dtype(), [&]<class T>(T*) {
    if (problem.patch_size() == 0)
      std::fill_n(y.data<T>(), y.element_count(), T{0});
    else if (out.element_count() > 0)
      compute(call, ConvWork::kForward, problem, x.data<T>(), w.data<T>(), y.data<T>());
  });
  finish_result(call, y, out, turns);
}

namespace {

void conv_forward(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const ConvShapes shapes(*call.node().op, call.node().attrs, images.shape(), filter.shape());
  conv_tensors(call, shapes, images, filter, call.output_tensor(0));
}

void conv_to_images(KernelCall& call) {
  const Tensor &filter = call.input_tensor(1), &gradient = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  const ConvShapes shapes(*call.node().op, call.node().attrs, out.shape(), filter.shape());
  const ConvProblem problem = shapes.problem(gradient.shape());
  const bool turns = !shapes.layout.channels_last;
  const Tensor w = widened_tensor(call, filter),
               dy = prepared_images(call, gradient, shapes.layout);
  const Tensor dx = result_buffer(call, out, turns);
  by_type(dx.dtype(), [&]<class T>(T*) {
    if (gradient.element_count() == 0 || out.element_count() == 0)
      std::fill_n(dx.data<T>(), dx.element_count(), T{0});
    else
      compute(call, ConvWork::kToImages, problem, dx.data<T>(), w.data<T>(), dy.data<T>());
  });
  finish_result(call, dx, out, turns);
}

void conv_to_filter(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &gradient = call.input_tensor(2);
  const Tensor& out = call.output_tensor(0);
  const ConvShapes shapes(*call.node().op, call.node().attrs, images.shape(), out.shape());
  const ConvProblem problem = shapes.problem(gradient.shape());
  const Tensor x = prepared_images(call, images, shapes.layout);
  const Tensor dy = prepared_images(call, gradient, shapes.layout);
  const Tensor dw = result_buffer(call, out, false);
  by_type(dw.dtype(), [&]<class T>(T*) {
    if (gradient.element_count() == 0 || out.element_count() == 0)
      std::fill_n(dw.data<T>(), dw.element_count(), T{0});
    else
      compute(call, ConvWork::kToFilter, problem, x.data<T>(), dw.data<T>(), dy.data<T>());
  });
  finish_result(call, dw, out, false);
}

constexpr KernelEntry kEntries[] = {
    {.op = &kConv2D, .types = kFloatTypes, .run = conv_forward},
    {.op = &kConv3D, .types = kFloatTypes, .run = conv_forward},
    {.op = &kConv2DBackpropInput, .types = kFloatTypes, .run = conv_to_images},
    {.op = &kConv3DBackpropInput, .types = kFloatTypes, .run = conv_to_images},
    {.op = &kConv3DBackpropInputV2, .types = kFloatTypes, .run = conv_to_images},
    {.op = &kConv2DBackpropFilter, .types = kFloatTypes, .run = conv_to_filter},
    {.op = &kConv3DBackpropFilter, .types = kFloatTypes, .run = conv_to_filter},
    {.op = &kConv3DBackpropFilterV2, .types = kFloatTypes, .run = conv_to_filter},
};

}  // namespace

extern const KernelTable kConvCpu{kEntries};

}  // namespace rill

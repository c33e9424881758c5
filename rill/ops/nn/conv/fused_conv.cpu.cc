#include <cmath>

#include "rill/kernel/kernel_registry.h"
#include "rill/ops/nn/channels/channel_sums.h"
#include "rill/ops/nn/conv/conv_tensors.h"

namespace rill {

extern const OpDecl kFusedConv2D;

namespace {

enum class Activation { kNone, kRelu, kRelu6, kElu };

// What follows the convolution.
struct Fusion : KernelState {
  explicit Fusion(const KernelNode& node) {
    const auto& ops = node.attr<std::vector<std::string>>("fused_ops");
    require(!ops.empty(), "Fused Conv2D must have at least one fused op.");
    normalizes = ops[0] == "FusedBatchNorm";
    const bool known =
        ops.size() <= 2 && (normalizes || ops[0] == "BiasAdd") && (ops.size() == 1 || find(ops[1]));
    if (!known) raise(Code::kUnimplemented, "Fusion is not implemented: [", join(ops, ","), "]");
    const std::size_t args = node.input_types.size() - 2;
    require(args == (normalizes ? 4 : 1),
            normalizes
                ? "Fused FusedBatchNorm must have four extra arguments: scale, offset, mean, "
                  "variance; there are "
                : "Fused BiasAdd must have one extra argument: bias; there are ",
            args);
  }

  bool find(const std::string& name) {
    activation = name == "Relu"    ? Activation::kRelu
                 : name == "Relu6" ? Activation::kRelu6
                 : name == "Elu"   ? Activation::kElu
                                   : Activation::kNone;
    return activation != Activation::kNone;
  }

  bool normalizes = false;
  Activation activation = Activation::kNone;
};

std::unique_ptr<KernelState> make_fusion(const KernelNode& node) {
  return std::make_unique<Fusion>(node);
}

template <class T>
void activate(Activation activation, T* x, std::size_t n) {
  switch (activation) {
    case Activation::kNone:
      return;
    case Activation::kRelu:
      return batch_norm_rows<T>().finish(x, nullptr, true, n);
    case Activation::kRelu6:
      for (std::size_t i = 0; i < n; ++i) x[i] = x[i] < 0 ? T(0) : x[i] > 6 ? T(6) : x[i];
      return;
    case Activation::kElu:
      for (std::size_t i = 0; i < n; ++i) x[i] = x[i] < 0 ? std::expm1(x[i]) : x[i];
  }
}

template <class T>
ChannelScale<T> scale_of(const KernelCall& call, const Fusion& fusion, std::int64_t channels) {
  ChannelScale<T> scale(channels);
  const auto arg = [&](int i) { return call.input<T>(2 + i); };
  if (!fusion.normalizes) {
    std::ranges::copy(arg(0), scale.offset.begin());
    std::ranges::fill(scale.slope, T(1));
    return scale;
  }
  const auto epsilon = static_cast<T>(call.node().attr<float>("epsilon"));
  std::ranges::copy(arg(1), scale.offset.begin());
  std::ranges::copy(arg(2), scale.mean.begin());
  for (std::size_t c = 0; c < scale.slope.size(); ++c)
    scale.slope[c] = arg(0)[c] / std::sqrt(arg(3)[c] + epsilon);
  return scale;
}

template <class T>
void fused_conv(KernelCall& call) {
  const Tensor &images = call.input_tensor(0), &filter = call.input_tensor(1);
  const Tensor& out = call.output_tensor(0);
  const ConvShapes shapes(*call.node().op, call.node().attrs, images.shape(), filter.shape());
  conv_tensors(call, shapes, images, filter, out);
  const auto& fusion = call.state<Fusion>();
  normalize_channels<T>(
      call, ChannelColumns(out.shape(), shapes.layout.channels_last),
      scale_of<T>(call, fusion, shapes.out_channels), out.data<T>(), out.data<T>(),
      [&](std::int64_t, T* block, std::size_t n) { activate(fusion.activation, block, n); });
}

constexpr KernelEntry kEntries[] = {
    {.op = &kFusedConv2D, .types = DType::f32, .run = fused_conv<float>, .make_state = make_fusion},
    {.op = &kFusedConv2D,
     .types = DType::f64,
     .run = fused_conv<double>,
     .make_state = make_fusion},
};

}  // namespace

extern const KernelTable kFusedConvCpu{kEntries};

}  // namespace rill

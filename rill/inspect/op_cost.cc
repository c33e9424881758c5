#include "rill/inspect/op_cost.h"

#include "rill/graph/op_decl.h"
#include "rill/inspect/cost_parts.h"

namespace rill::inspect {
namespace {

bool flag(const KernelWork& work, std::string_view name) {
  const auto it = work.attrs.find(name);
  const bool* const value = it == work.attrs.end() ? nullptr : it->second.get_if<bool>();
  return value != nullptr && *value;
}

// Every element of a product is a sum over the inner dimension.
double product(const KernelWork& work) {
  const bool turned = flag(work, "transpose_a") || flag(work, "adj_x");
  return 2 * output_elements(work) * last_dim(input(work, 0).shape, turned ? 1 : 0);
}

// Of a filter [height, width, ..., in, out]: products for each element of the result.
double taps(const Shape& filter) {
  const double all = static_cast<double>(filter.element_count());
  return all / std::max(1.0, last_dim(filter, 0));
}
// Of a depthwise filter [height, width, in, times]: each channel has its own.
double own_taps(const Shape& filter) { return taps(filter) / std::max(1.0, last_dim(filter, 1)); }

double convolution(const KernelWork& work) {
  return 2 * output_elements(work) * taps(input(work, 1).shape);
}
double convolution_to_input(const KernelWork& work) {
  return 2 * input(work, 2).elements() * taps(input(work, 1).shape);
}
double convolution_to_filter(const KernelWork& work) {
  return work.outputs.empty() ? 0 : 2 * input(work, 2).elements() * taps(work.outputs[0].shape);
}
double depthwise(const KernelWork& work) {
  return 2 * output_elements(work) * own_taps(input(work, 1).shape);
}
double depthwise_to_input(const KernelWork& work) {
  return 2 * input(work, 2).elements() * own_taps(input(work, 1).shape);
}
double depthwise_to_filter(const KernelWork& work) {
  return work.outputs.empty() ? 0 : 2 * input(work, 2).elements() * own_taps(work.outputs[0].shape);
}

double window(const KernelWork& work) {
  const auto it = work.attrs.find("ksize");
  const auto* const sides =
      it == work.attrs.end() ? nullptr : it->second.get_if<std::vector<std::int64_t>>();
  double size = 1;
  if (sides != nullptr)
    for (const std::int64_t side : *sides) size *= static_cast<double>(side);
  return size;
}
double pooling(const KernelWork& work) { return output_elements(work) * window(work); }
double pooling_back(const KernelWork& work) {
  return largest_input(work) + input(work, work.inputs.size() - 1).elements() * window(work);
}

// [time, batch, width] into four gates of cells, step by step.
double block_lstm(const KernelWork& work) {
  const Shape& x = input(work, 1).shape;
  const double steps = last_dim(x, 2) * last_dim(x, 1);
  return 2 * steps * input(work, 4).elements();
}
double block_lstm_grad(const KernelWork& work) { return 2 * block_lstm(work); }

const CostTable& table() {
  static const CostTable kTable{
      {"MatMul", product},
      {"_MatMulThen", product},
      {"_FusedMatMul", product},
      {"BatchMatMul", product},
      {"BatchMatMulV2", product},
      {"_LoweredBatchMatMul", product},
      {"_KeptMatMul", product},
      {"_KeptConv2D", convolution},
      {"Conv2D", convolution},
      {"_Conv2DThen", convolution},
      {"_FusedConv2D", convolution},
      {"FusedPadConv2D", convolution},
      {"Conv3D", convolution},
      {"Conv2DBackpropInput", convolution_to_input},
      {"Conv3DBackpropInputV2", convolution_to_input},
      {"Conv2DBackpropFilter", convolution_to_filter},
      {"Conv3DBackpropFilterV2", convolution_to_filter},
      {"DepthwiseConv2dNative", depthwise},
      {"_DepthwiseConv2dThen", depthwise},
      {"DepthwiseConv2dNativeBackpropInput", depthwise_to_input},
      {"DepthwiseConv2dNativeBackpropFilter", depthwise_to_filter},
      {"MaxPool", pooling},
      {"AvgPool", pooling},
      {"MaxPool3D", pooling},
      {"AvgPool3D", pooling},
      {"MaxPoolGrad", pooling_back},
      {"AvgPoolGrad", pooling_back},
      {"BlockLSTM", block_lstm},
      {"BlockLSTMGrad", block_lstm_grad},
      {"FusedBatchNorm", per_input<6>},
      {"FusedBatchNormV2", per_input<6>},
      {"FusedBatchNormV3", per_input<6>},
      {"_FusedBatchNormEx", per_input<7>},
      {"FusedBatchNormGrad", per_input<11>},
      {"FusedBatchNormGradV2", per_input<11>},
      {"FusedBatchNormGradV3", per_input<11>},
      {"Softmax", per_input<kTranscendental + 4>},
      {"LogSoftmax", per_input<kTranscendental + 4>},
      {"SoftmaxCrossEntropyWithLogits", per_input<kTranscendental + 8>},
      {"SparseSoftmaxCrossEntropyWithLogits", per_input<kTranscendental + 6>},
      {"BiasAdd", per_output<1>},
      {"BiasAddGrad", per_input<1>},
      {"Sum", per_input<1>},
      {"Mean", per_input<1>},
      {"Max", per_input<1>},
      {"Min", per_input<1>},
      {"Prod", per_input<1>},
      {"ArgMax", per_input<1>},
      {"ArgMin", per_input<1>},
      {"L2Loss", per_input<2>},
      {"Cumsum", per_input<1>},
      {"AddN",
       [](const KernelWork& w) {
         return static_cast<double>(w.inputs.size()) * output_elements(w);
       }},
      {"Exp", per_output<kTranscendental>},
      {"Expm1", per_output<kTranscendental>},
      {"Log", per_output<kTranscendental>},
      {"Log1p", per_output<kTranscendental>},
      {"Sin", per_output<kTranscendental>},
      {"Cos", per_output<kTranscendental>},
      {"Tanh", per_output<kTranscendental>},
      {"Sigmoid", per_output<kTranscendental>},
      {"Softplus", per_output<2 * kTranscendental>},
      {"Elu", per_output<kTranscendental>},
      {"Selu", per_output<kTranscendental>},
      {"Erf", per_output<kTranscendental>},
      {"Pow", per_output<2 * kTranscendental>},
      {"Sqrt", per_output<kRoot>},
      {"Rsqrt", per_output<kRoot>},
      {"TanhGrad", per_output<3>},
      {"SigmoidGrad", per_output<3>},
      {"SquaredDifference", per_output<2>},
      {"ResourceApplyGradientDescent", per_input<2>},
      {"ApplyGradientDescent", per_input<2>},
      {"ResourceApplyMomentum", per_input<4>},
      {"ApplyMomentum", per_input<4>},
      {"ResourceApplyAdagrad", per_input<4 + kRoot>},
      {"ApplyAdagrad", per_input<4 + kRoot>},
      {"ResourceApplyAdam", per_input<10 + kRoot>},
      {"ApplyAdam", per_input<10 + kRoot>},
      // Move elements, or only look at them.
      {"Transpose", nothing},
      {"ConcatV2", nothing},
      {"Concat", nothing},
      {"Split", nothing},
      {"SplitV", nothing},
      {"Pad", nothing},
      {"PadV2", nothing},
      {"Slice", nothing},
      {"StridedSlice", nothing},
      {"Gather", nothing},
      {"GatherV2", nothing},
      {"ResourceGather", nothing},
      {"Tile", nothing},
      {"Pack", nothing},
      {"Unpack", nothing},
      {"Fill", nothing},
      {"OneHot", nothing},
      {"Cast", nothing},
      {"ReadVariableOp", nothing},
      {"Identity", nothing},
      {"Const", nothing},
      {"Shape", nothing},
  };
  return kTable;
}

const Flops* find(std::string_view op) {
  for (const CostTable* costs : {&table(), &internal_costs()})
    if (const auto it = costs->find(op); it != costs->end()) return &it->second;
  return nullptr;
}

// Ops that pick from a large input read no more of it than they give out.
bool picks(std::string_view op) {
  for (const std::string_view picking :
       {"Gather", "GatherV2", "ResourceGather", "Slice", "StridedSlice", "GatherNd"})
    if (op == picking) return true;
  return false;
}

double moved_bytes(const KernelWork& work) {
  constexpr std::uint64_t kMovesNothing = kForwards | kIdentity | kSwitch | kMerge | kEnter | kExit;
  if ((work.traits & kMovesNothing) != 0 || work.op == "ReadVariableOp" || work.op == "Shape")
    return 0;
  double read = 0, written = 0;
  for (const TensorSize& given : work.inputs) read += given.bytes();
  for (const TensorSize& made : work.outputs) written += made.bytes();
  return (picks(work.op) ? std::min(read, written) : read) + written;
}

}  // namespace

double TensorSize::bytes() const {
  return dtype == DType::invalid ? 0 : elements() * static_cast<double>(element_size(dtype));
}

double flops_of(const KernelWork& work) {
  const Flops* const known = find(work.op);
  return known == nullptr ? kSimple * output_elements(work) : (*known)(work);
}

OpCost op_cost(const KernelWork& work) {
  OpCost cost{.bytes = moved_bytes(work)};
  if (const Flops* const known = find(work.op); known != nullptr) {
    cost.flops = (*known)(work);
    cost.is_known = true;
  } else if ((work.traits & kElementwise) != 0) {
    cost.flops = kSimple * output_elements(work);
    cost.is_known = true;
  } else if ((work.traits & kForwards) != 0) {
    cost.is_known = true;
  }
  return cost;
}

Roofline roofline(const OpCost& cost, DType dtype, const Peaks& peaks) {
  const double flops = dtype == DType::f64 ? peaks.double_flops : peaks.float_flops;
  const double bytes = cost.bytes <= Peaks::kCached ? peaks.cache_bytes : peaks.memory_bytes;
  const double computing = flops > 0 ? cost.flops / flops : 0;
  const double moving = bytes > 0 ? cost.bytes / bytes : 0;
  return {.seconds = std::max(computing, moving), .by_memory = moving >= computing};
}

}  // namespace rill::inspect

#include "rill/inspect/profiler/formula_flops.h"

#include <map>
#include <string_view>

#include "tensorflow/core/framework/node_def.pb.h"

namespace rill::profiler {
namespace {

// What a formula sees. A size that is not known makes the count unknown, which is 0.
struct Call {
  const tensorflow::NodeDef& node;
  std::span<const Dims> inputs;
  const Dims& output;

  const Dims& input(std::size_t i) const {
    static const Dims unknown;
    return i < inputs.size() ? inputs[i] : unknown;
  }
  bool flag(const char* name) const {
    const auto it = node.attr().find(name);
    return it != node.attr().end() && it->second.b();
  }
};

// Counts that stay unknown once something in them is.
class Count {
 public:
  Count(std::int64_t value) : value_(value), known_(value >= 0) {}
  Count operator*(Count other) const {
    std::int64_t product = 0;
    if (!known_ || !other.known_ || __builtin_mul_overflow(value_, other.value_, &product))
      return -1;
    return product;
  }
  Count operator+(Count other) const {
    std::int64_t sum = 0;
    if (!known_ || !other.known_ || __builtin_add_overflow(value_, other.value_, &sum)) return -1;
    return sum;
  }
  Count minus(Count other) const {
    return known_ && other.known_ && value_ >= other.value_ ? Count(value_ - other.value_) : -1;
  }
  std::int64_t or_zero() const { return known_ ? value_ : 0; }

 private:
  std::int64_t value_;
  bool known_;
};

Count product(std::span<const std::int64_t> sizes) {
  Count count = 1;
  for (const std::int64_t size : sizes) count = count * size;
  return count;
}
Count elements(const Dims& dims) { return dims.empty() ? Count(-1) : product(dims); }
Count dim(const Dims& dims, std::size_t i) { return i < dims.size() ? Count(dims[i]) : -1; }

// Of a filter [height, width, ..., in, out] all but the channels that come out.
Count taps(const Dims& filter) {
  return filter.empty() ? Count(-1) : product(std::span(filter).first(filter.size() - 1));
}

// Of a window in NHWC; TensorFlow counts no other layout.
Count window(const Call& call) {
  const auto& attrs = call.node.attr();
  const auto format = attrs.find("data_format");
  if (format != attrs.end() && format->second.s() != "NHWC") return -1;
  const auto size = attrs.find("ksize");
  if (size == attrs.end()) return -1;
  return product(
      {size->second.list().i().data(), static_cast<std::size_t>(size->second.list().i_size())});
}

template <int N>
Count per_output(const Call& call) {
  return Count(N) * elements(call.output);
}
template <int N>
Count per_input(const Call& call) {
  return Count(N) * elements(call.input(0));
}
Count reduction(const Call& call) { return elements(call.input(0)).minus(elements(call.output)); }
Count mean(const Call& call) { return reduction(call) + elements(call.output); }
Count l2_loss(const Call& call) { return per_input<3>(call).minus(1); }
Count add_n(const Call& call) {
  return elements(call.output) * Count(static_cast<std::int64_t>(call.inputs.size()) - 1);
}
Count mat_mul(const Call& call) {
  const Count inner = dim(call.input(0), call.flag("transpose_a") ? 0 : 1);
  return Count(2) * inner * elements(call.output);
}
// As TensorFlow does, by the last dimension of the left factor, adjoint or not.
Count batch_mat_mul(const Call& call) {
  const Dims& left = call.input(0);
  return Count(2) * (left.empty() ? Count(-1) : Count(left.back())) * elements(call.output);
}
Count conv(const Call& call) { return Count(2) * elements(call.output) * taps(call.input(1)); }
// Each output channel of a depthwise one reads one input channel.
Count depthwise_conv(const Call& call) {
  const Dims& filter = call.input(1);
  return Count(2) * elements(call.output) * dim(filter, 0) * dim(filter, 1);
}
Count conv_input_grad(const Call& call) {
  return Count(2) * elements(call.input(2)) * taps(call.input(1));
}
Count conv_filter_grad(const Call& call) {
  return Count(2) * elements(call.input(2)) * taps(call.output);
}
Count pool(const Call& call) { return window(call) * elements(call.output); }
Count avg_pool_grad(const Call& call) { return Count(2) * window(call) * elements(call.input(1)); }
Count max_pool_grad(const Call& call) { return (window(call) + 1) * elements(call.input(1)); }

const std::map<std::string_view, Count (*)(const Call&)>& formulas() {
  static const auto* const all = new std::map<std::string_view, Count (*)(const Call&)>{
      {"Add", per_output<1>},
      {"AddV2", per_output<1>},
      {"Sub", per_output<1>},
      {"Mul", per_output<1>},
      {"RealDiv", per_output<1>},
      {"Maximum", per_output<1>},
      {"Minimum", per_output<1>},
      {"Pow", per_output<1>},
      {"Equal", per_output<1>},
      {"NotEqual", per_output<1>},
      {"Greater", per_output<1>},
      {"GreaterEqual", per_output<1>},
      {"Less", per_output<1>},
      {"LessEqual", per_output<1>},
      {"AssignAdd", per_output<1>},
      {"AssignSub", per_output<1>},
      {"BiasAdd", per_output<1>},
      {"SquaredDifference", per_output<2>},
      {"RsqrtGrad", per_output<4>},
      {"Reciprocal", per_input<1>},
      {"Square", per_input<1>},
      {"Log", per_input<1>},
      {"Neg", per_input<1>},
      {"Rsqrt", per_input<2>},
      {"Softmax", per_input<5>},
      {"L2Loss", l2_loss},
      {"Sum", reduction},
      {"ArgMax", reduction},
      {"ArgMin", reduction},
      {"BiasAddGrad", reduction},
      {"Mean", mean},
      {"AddN", add_n},
      {"MatMul", mat_mul},
      {"BatchMatMul", batch_mat_mul},
      {"BatchMatMulV2", batch_mat_mul},
      {"Conv2D", conv},
      {"Conv3D", conv},
      {"DepthwiseConv2dNative", depthwise_conv},
      {"Dilation2D", depthwise_conv},
      {"Conv2DBackpropInput", conv_input_grad},
      {"Conv2DBackpropFilter", conv_filter_grad},
      {"AvgPool", pool},
      {"MaxPool", pool},
      {"AvgPoolGrad", avg_pool_grad},
      {"MaxPoolGrad", max_pool_grad}};
  return *all;
}

}  // namespace

std::int64_t formula_flops(const tensorflow::NodeDef& node, std::span<const Dims> inputs,
                           const Dims& output) {
  const auto formula = formulas().find(node.op());
  return formula == formulas().end() ? 0 : formula->second({node, inputs, output}).or_zero();
}

}  // namespace rill::profiler

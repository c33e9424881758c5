#include <cmath>

#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

// TensorFlow 2.15 declares this op with other arguments. The convolution gives -3, 1, 2 and 8 in
// the first channel and the negatives in the second.
template <class T>
OpCase fused_conv(const char* name, std::vector<std::string> ops, std::vector<Tensor> args,
                  std::initializer_list<Literal<T>> want, bool channels_last = true) {
  const Shape images = channels_last ? Shape{1, 2, 2, 2} : Shape{1, 2, 2, 2};
  const Tensor x = channels_last ? tensor<T>(images, {-1, -1, 1, 0, 3, -0.5, 8, 0})
                                 : tensor<T>(images, {-1, 1, 3, 8, -1, 0, -0.5, 0});
  return {.op = "_FusedConv2D",
          .in = {x, tensor<T>({1, 1, 2, 2}, {1, -1, 2, -2}), list(std::move(args))},
          .attrs = {{"strides", Numbers{1, 1, 1, 1}},
                    {"padding", std::string("VALID")},
                    {"data_format", std::string(channels_last ? "NHWC" : "NCHW")},
                    {"fused_ops", std::move(ops)},
                    {"epsilon", 0.0F}},
          .name = name,
          .want = {tensor<T>(images, want)}};
}

template <class T>
void add_fused_convs(std::vector<OpCase>& cases) {
  const bool wide = sizeof(T) == 8;
  const auto name = [&](const char* narrow_name, const char* wide_name) {
    return wide ? wide_name : narrow_name;
  };
  const auto bias = [] { return std::vector<Tensor>{tensor<T>({2}, {1, 0})}; };
  const T low = std::expm1(T(-2)), lower = std::expm1(T(-1)), lowest = std::expm1(T(-8));
  cases.push_back(fused_conv<T>(name("bias", "bias_double"), {"BiasAdd"}, bias(),
                                {-2, 3, 2, -1, 3, -2, 9, -8}));
  cases.push_back(fused_conv<T>(name("relu", "relu_double"), {"BiasAdd", "Relu"}, bias(),
                                {0, 3, 2, 0, 3, 0, 9, 0}));
  cases.push_back(fused_conv<T>(name("relu6", "relu6_double"), {"BiasAdd", "Relu6"}, bias(),
                                {0, 3, 2, 0, 3, 0, 6, 0}));
  cases.push_back(fused_conv<T>(name("elu", "elu_double"), {"BiasAdd", "Elu"}, bias(),
                                {low, 3, 2, lower, 3, low, 9, lowest}));
  // scale, offset, mean, variance
  const auto norm = [] {
    return std::vector<Tensor>{tensor<T>({2}, {2, 1}), tensor<T>({2}, {1, 0}),
                               tensor<T>({2}, {1, 0}), tensor<T>({2}, {4, 1})};
  };
  cases.push_back(fused_conv<T>(name("norm", "norm_double"), {"FusedBatchNorm"}, norm(),
                                {-3, 3, 1, -1, 2, -2, 8, -8}));
  cases.push_back(fused_conv<T>(name("norm_relu", "norm_relu_double"), {"FusedBatchNorm", "Relu"},
                                norm(), {0, 3, 1, 0, 2, 0, 8, 0}));
  cases.push_back(fused_conv<T>(name("norm_relu6", "norm_relu6_double"),
                                {"FusedBatchNorm", "Relu6"}, norm(), {0, 3, 1, 0, 2, 0, 6, 0}));
  cases.push_back(fused_conv<T>(name("channels_first", "channels_first_double"),
                                {"BiasAdd", "Relu"}, bias(), {0, 2, 3, 9, 3, 0, 0, 0}, false));
}

}  // namespace

extern const OpCases kFusedConvCases{"fused_conv", [] {
                                       std::vector<OpCase> cases;
                                       add_fused_convs<float>(cases);
                                       add_fused_convs<double>(cases);
                                       return cases;
                                     }};

}  // namespace rill

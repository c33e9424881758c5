#include "rill/ops/nn/tensor_testing.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct DepthwiseConv {
  Shape images, filter, results;
  std::int64_t stride = 1;
  const char* padding = "SAME";
};

const std::vector<DepthwiseConv> kDepthwiseConvs = {
    {{2, 5, 6, 3}, {3, 2, 3, 2}, {2, 5, 6, 6}},
    {{2, 5, 6, 3}, {3, 2, 3, 1}, {2, 3, 5, 3}, 1, "VALID"},
    {{1, 7, 8, 2}, {3, 3, 2, 3}, {1, 4, 4, 6}, 2},
    {{1, 7, 8, 4}, {2, 3, 4, 1}, {1, 2, 2, 4}, 3, "VALID"},
    {{1, 3, 3, 1}, {5, 5, 1, 2}, {1, 3, 3, 2}},
    {{1, 20, 3, 2}, {3, 1, 2, 2}, {1, 20, 3, 4}},
    {{1, 4, 4, 101}, {3, 3, 101, 1}, {1, 2, 2, 101}, 2},
    {{2, 4, 4, 3}, {1, 1, 3, 5}, {2, 4, 4, 15}}};

// A convolution and both of its gradients.
void add_depthwise(std::vector<OpCase>& cases, const DepthwiseConv& conv, DType type) {
  const AttrMap attrs{{"strides", Numbers{1, conv.stride, conv.stride, 1}},
                      {"padding", std::string(conv.padding)}};
  const Tensor images = random(type, conv.images, 1), filter = random(type, conv.filter, 2);
  const Tensor results = random(type, conv.results, 3);
  const bool large = conv.images.element_count() > 100000;
  const double atol = type == DType::f16 ? 2e-2 : type == DType::bf16 ? 2e-1 : large ? 2e-3 : 1e-5;
  const auto add = [&](const char* op, std::vector<CaseInput> in) {
    cases.push_back({.op = op, .in = std::move(in), .attrs = attrs, .atol = atol, .grad = !large});
  };
  add("DepthwiseConv2dNative", {images, filter});
  add("DepthwiseConv2dNativeBackpropInput", {shape_vector(conv.images), filter, results});
  add("DepthwiseConv2dNativeBackpropFilter", {images, shape_vector(conv.filter), results});
}

// What TensorFlow's CPU refuses: channels in front, dilations, strides that differ.
void add_depthwise_layouts(std::vector<OpCase>& cases) {
  const Tensor x = tensor<float>({1, 1, 5, 2}, {1, 10, 2, 20, 3, 30, 4, 40, 5, 50}),
               w = tensor<float>({1, 2, 2, 1}, {1, 1, 2, -1});
  const auto attrs = [](Numbers strides, Numbers dilations, const char* format) {
    return AttrMap{{"strides", std::move(strides)},
                   {"dilations", std::move(dilations)},
                   {"padding", std::string("VALID")},
                   {"data_format", std::string(format)}};
  };
  const Numbers ones{1, 1, 1, 1}, apart{1, 1, 2, 1};
  cases.push_back({.op = "DepthwiseConv2dNative",
                   .in = {x, w},
                   .attrs = attrs(ones, apart, "NHWC"),
                   .name = "dilated",
                   .want = {tensor<float>({1, 1, 3, 2}, {7, -20, 10, -20, 13, -20})}});
  cases.push_back({.op = "DepthwiseConv2dNative",
                   .in = {x, w},
                   .attrs = attrs(apart, ones, "NHWC"),
                   .name = "strides_differ",
                   .want = {tensor<float>({1, 1, 2, 2}, {5, -10, 11, -10})}});
  cases.push_back({.op = "DepthwiseConv2dNative",
                   .in = {tensor<float>({1, 2, 1, 3}, {1, 2, 3, 10, 20, 30}), w},
                   .attrs = attrs(ones, ones, "NCHW"),
                   .name = "channels_first",
                   .want = {tensor<float>({1, 2, 1, 2}, {5, 8, -10, -10})}});
  cases.push_back(
      {.op = "DepthwiseConv2dNativeBackpropInput",
       .in = {shape_vector({1, 1, 5, 2}), w, tensor<float>({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6})},
       .attrs = attrs(ones, apart, "NHWC"),
       .name = "dilated_to_images",
       .want = {tensor<float>({1, 1, 5, 2}, {1, 2, 3, 4, 7, 4, 6, -4, 10, -6})}});
  cases.push_back(
      {.op = "DepthwiseConv2dNativeBackpropFilter",
       .in = {x, shape_vector({1, 2, 2, 1}), tensor<float>({1, 1, 3, 2}, {1, 2, 3, 4, 5, 6})},
       .attrs = attrs(ones, apart, "NHWC"),
       .name = "dilated_to_filter",
       .want = {tensor<float>({1, 2, 2, 1}, {22, 280, 40, 520})}});
}

// TensorFlow leaves the gradient of a filter that met no image as it finds it.
void add_empty_depthwise(std::vector<OpCase>& cases) {
  const Tensor x(DType::f32, {0, 5, 6, 3}), y(DType::f32, {0, 5, 6, 6}),
      w = random<float>({3, 2, 3, 2}, 1);
  const AttrMap attrs{{"strides", Numbers{1, 1, 1, 1}}, {"padding", std::string("SAME")}};
  cases.push_back({.op = "DepthwiseConv2dNative", .in = {x, w}, .attrs = attrs});
  cases.push_back({.op = "DepthwiseConv2dNativeBackpropInput",
                   .in = {shape_vector({0, 5, 6, 3}), w, y},
                   .attrs = attrs});
  cases.push_back({.op = "DepthwiseConv2dNativeBackpropFilter",
                   .in = {x, shape_vector({3, 2, 3, 2}), y},
                   .attrs = attrs,
                   .name = "empty_to_filter",
                   .want = {filled<float>({3, 2, 3, 2}, 0)}});
}

void add_depthwise_errors(std::vector<OpCase>& cases) {
  const auto refuse = [&](const char* op, std::vector<CaseInput> in, Numbers strides,
                          const char* padding, const char* error) {
    cases.push_back({.op = op,
                     .in = std::move(in),
                     .attrs = {{"strides", std::move(strides)}, {"padding", std::string(padding)}},
                     .error = error});
  };
  const Tensor x = random<float>({1, 4, 4, 3}, 1), w = random<float>({2, 2, 3, 1}, 2);
  const Numbers ones{1, 1, 1, 1};
  refuse("DepthwiseConv2dNative", {x, random<float>({2, 2, 2, 1}, 2)}, ones, "SAME",
         "same depth: 3 vs 2|3 and 2");
  refuse("DepthwiseConv2dNative", {x, random<float>({6, 2, 3, 1}, 2)}, ones, "VALID", "egative");
  refuse("DepthwiseConv2dNative", {random<float>({4, 4, 3}, 1), w}, ones, "SAME",
         "rank 4|4-dimensional");
  refuse("DepthwiseConv2dNative", {x, w}, {1, 1, 1}, "SAME", "to contain 4 values");
  refuse("DepthwiseConv2dNative", {x, w}, {1, 0, 0, 1}, "SAME", "[Ss]tride");
  refuse("DepthwiseConv2dNative", {x, w}, {2, 1, 1, 1}, "SAME", "batch and depth");
  refuse("DepthwiseConv2dNativeBackpropInput",
         {shape_vector({1, 4, 4, 3}), w, random<float>({1, 3, 4, 3}, 3)}, ones, "SAME",
         "out_backprop");
  refuse("DepthwiseConv2dNativeBackpropInput",
         {shape_vector({1, 4, 4}), w, random<float>({1, 4, 4, 3}, 3)}, ones, "SAME", "4");
  refuse("DepthwiseConv2dNativeBackpropFilter",
         {x, shape_vector({2, 2, 3, 1}), random<float>({1, 4, 3, 3}, 3)}, ones, "SAME",
         "out_backprop");
}

}  // namespace

extern const OpCases kDepthwiseConvCases{
    "depthwise_conv", [] {
      std::vector<OpCase> cases;
      for (const DepthwiseConv& conv : kDepthwiseConvs)
        for (const DType type : {DType::f32, DType::f64}) add_depthwise(cases, conv, type);
      for (const DType type : {DType::f16, DType::bf16})
        add_depthwise(cases, kDepthwiseConvs[0], type);
      add_empty_depthwise(cases);
      add_depthwise(cases, {{4, 56, 56, 64}, {3, 3, 64, 1}, {4, 56, 56, 64}}, DType::f32);
      add_depthwise(cases, {{4, 28, 28, 32}, {3, 3, 32, 4}, {4, 14, 14, 128}, 2}, DType::f32);
      add_depthwise_layouts(cases);
      add_depthwise_errors(cases);
      return cases;
    }};

}  // namespace rill

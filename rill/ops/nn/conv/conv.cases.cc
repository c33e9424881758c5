#include "rill/ops/nn/tensor_testing.h"
#include "tests/optest/op_case.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Conv {
  Shape images, filter, results;
  Numbers strides = {1, 1, 1, 1};
  const char* padding = "SAME";
  Numbers dilations = {1, 1, 1, 1};
  Numbers explicit_paddings = {};
};

// A convolution and both of its gradients.
void add_conv(std::vector<OpCase>& cases, const Conv& conv, DType type) {
  AttrMap attrs{{"strides", conv.strides},
                {"padding", std::string(conv.padding)},
                {"dilations", conv.dilations}};
  const bool plane = conv.images.rank() == 4;
  if (plane) attrs.emplace("explicit_paddings", conv.explicit_paddings);
  const Tensor images = random(type, conv.images, 1), filter = random(type, conv.filter, 2);
  const Tensor results = random(type, conv.results, 3);
  const double atol = type == DType::f16 ? 2e-2 : type == DType::bf16 ? 2e-1 : 1e-5;
  const auto add = [&](const char* op, std::vector<CaseInput> in) {
    cases.push_back({.op = op, .in = std::move(in), .attrs = attrs, .atol = atol});
  };
  add(plane ? "Conv2D" : "Conv3D", {images, filter});
  add(plane ? "Conv2DBackpropInput" : "Conv3DBackpropInputV2",
      {shape_vector(conv.images), filter, results});
  add(plane ? "Conv2DBackpropFilter" : "Conv3DBackpropFilterV2",
      {images, shape_vector(conv.filter), results});
}

const std::vector<Conv> kConvs = {{{2, 5, 6, 3}, {3, 3, 3, 4}, {2, 5, 6, 4}},
                                  {{2, 5, 6, 3}, {3, 2, 3, 4}, {2, 3, 5, 4}, {1, 1, 1, 1}, "VALID"},
                                  {{1, 7, 8, 2}, {3, 3, 2, 3}, {1, 4, 4, 3}, {1, 2, 2, 1}},
                                  {{1, 7, 8, 2}, {2, 3, 2, 3}, {1, 2, 3, 3}, {1, 3, 2, 1}, "VALID"},
                                  {{2, 4, 4, 3}, {1, 1, 3, 5}, {2, 4, 4, 5}},
                                  {{2, 4, 4, 3}, {1, 1, 3, 5}, {2, 2, 2, 5}, {1, 2, 2, 1}},
                                  {{1, 3, 3, 1}, {5, 5, 1, 2}, {1, 3, 3, 2}},
                                  {{1, 4, 3, 2},
                                   {2, 2, 2, 2},
                                   {1, 6, 4, 2},
                                   {1, 1, 1, 1},
                                   "EXPLICIT",
                                   {1, 1, 1, 1},
                                   {0, 0, 1, 2, 2, 0, 0, 0}}};

// The first gradients of volumes take a tensor for its shape.
void add_retired(std::vector<OpCase>& cases) {
  const AttrMap attrs{{"strides", Numbers(5, 1)}, {"padding", std::string("SAME")}};
  const Tensor images = random<float>({1, 2, 3, 3, 2}, 1),
               filter = random<float>({2, 2, 2, 2, 3}, 2);
  const Tensor results = random<float>({1, 2, 3, 3, 3}, 3);
  for (const char* op : {"Conv3DBackpropInput", "Conv3DBackpropFilter"})
    cases.push_back({.op = op, .in = {images, filter, results}, .attrs = attrs, .atol = 1e-5});
}

// TensorFlow's CPU has no gradients of dilated convolutions.
void add_dilated_conv(std::vector<OpCase>& cases) {
  for (const char* padding : {"SAME", "VALID"})
    cases.push_back({.op = "Conv2D",
                     .in = {random<float>({2, 8, 9, 2}, 1), random<float>({3, 2, 2, 3}, 2)},
                     .attrs = {{"strides", Numbers{1, 1, 1, 1}},
                               {"padding", std::string(padding)},
                               {"dilations", Numbers{1, 2, 3, 1}}},
                     .atol = 1e-5});
}

void add_conv_errors(std::vector<OpCase>& cases) {
  const auto add = [&](Shape images, Shape filter, Numbers strides, const char* error) {
    cases.push_back(
        {.op = "Conv2D",
         .in = {random<float>(std::move(images), 1), random<float>(std::move(filter), 2)},
         .attrs = {{"strides", std::move(strides)}, {"padding", std::string("VALID")}},
         .error = error});
  };
  add({1, 4, 4, 3}, {2, 2, 2, 1}, {1, 1, 1, 1},
      "input depth must be evenly divisible by filter depth");
  add({1, 4, 4, 3}, {6, 2, 3, 1}, {1, 1, 1, 1}, "Negative dimension size|output size");
  add({1, 4, 4, 3}, {2, 2, 3, 1}, {2, 1, 1, 1}, "batch and depth");
  add({1, 4, 4, 3}, {2, 2, 3, 1}, {1, 0, 1, 1}, "[Ss]tride");
  add({4, 4, 3}, {2, 2, 3, 1}, {1, 1, 1, 1}, "rank 4|4-dimensional");
  cases.push_back({.op = "Conv2DBackpropInput",
                   .in = {shape_vector({1, 4, 4, 2}), random<float>({2, 2, 2, 3}, 1),
                          random<float>({1, 4, 5, 3}, 2)},
                   .attrs = {{"strides", Numbers{1, 1, 1, 1}}, {"padding", std::string("SAME")}},
                   .error = "out_backprop"});
}

// What another data_format gives is told by transposing; TensorFlow's CPU refuses to.
void add_conv_channels_first(std::vector<OpCase>& cases) {
  cases.push_back({.op = "Conv2D",
                   .in = {sequence<float>({1, 2, 2, 3}), sequence<float>({1, 2, 2, 1}, 1)},
                   .attrs = {{"strides", Numbers{1, 1, 1, 1}},
                             {"padding", std::string("VALID")},
                             {"data_format", std::string("NCHW")}},
                   .name = "channels_first",
                   .want = {tensor<float>({1, 1, 2, 2}, {43, 53, 73, 83})}});
}

}  // namespace

extern const OpCases kConvCases{
    "conv", [] {
      std::vector<OpCase> cases;
      for (const Conv& conv : kConvs)
        for (const DType type : {DType::f32, DType::f64}) add_conv(cases, conv, type);
      add_conv(cases, kConvs[0], DType::f16);
      add_conv(cases, {{4, 28, 28, 8}, {5, 5, 8, 16}, {4, 28, 28, 16}}, DType::f32);
      const Numbers ones(5, 1);
      for (const DType type : {DType::f32, DType::f64}) {
        add_conv(cases, {{2, 3, 4, 5, 2}, {2, 3, 2, 2, 3}, {2, 3, 4, 5, 3}, ones, "SAME", ones},
                 type);
        add_conv(
            cases,
            {{1, 3, 4, 5, 2}, {2, 2, 2, 2, 3}, {1, 2, 2, 2, 3}, {1, 1, 2, 2, 1}, "VALID", ones},
            type);
      }
      add_retired(cases);
      add_dilated_conv(cases);
      add_conv_errors(cases);
      add_conv_channels_first(cases);
      return cases;
    }};

}  // namespace rill

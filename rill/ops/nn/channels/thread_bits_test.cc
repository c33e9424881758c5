// Sums over images have the same bits whatever the number of threads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/nn/tensor_testing.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

Tensor wave(const Shape& shape, double start) {
  Tensor t(DType::f32, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    t.data<float>()[i] = static_cast<float>(1.5 + std::sin(start + 1.7 * static_cast<double>(i)));
  return t;
}

struct Work {
  std::string op;
  AttrMap attrs;
  std::vector<Tensor> inputs;
  std::vector<Shape> outputs;
};

std::vector<Tensor> run_on(const Work& work, int threads) {
  std::vector<DType> types;
  for (const Tensor& input : work.inputs) types.push_back(input.dtype());
  std::vector<Tensor> outputs;
  for (const Shape& shape : work.outputs) outputs.emplace_back(DType::f32, shape);
  KernelRunner(work.op, work.attrs, types, std::vector<DType>(outputs.size(), DType::f32), threads)
      .run(work.inputs, outputs);
  return outputs;
}

void expect_same_bits(const Work& work) {
  const std::vector<Tensor> one = run_on(work, 1), three = run_on(work, 3);
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_EQ(std::memcmp(one[i].raw_data(), three[i].raw_data(), one[i].byte_size()), 0)
        << work.op << ", output " << i;
}

TEST(ThreadBits, batch_normalisation) {
  for (const char* format : {"NHWC", "NCHW"}) {
    const bool last = format == std::string_view("NHWC");
    for (const std::int64_t channels : {1, 3, 100}) {
      const Shape images = last ? Shape{5, 41, 43, channels} : Shape{5, channels, 41, 43};
      const Shape vector{channels}, none{0};
      const AttrMap attrs{{"T", DType::f32},
                          {"U", DType::f32},
                          {"epsilon", 1e-4F},
                          {"data_format", std::string(format)},
                          {"is_training", true}};
      const Tensor x = wave(images, 1), scale = wave(vector, 2), offset = wave(vector, 3);
      expect_same_bits({"FusedBatchNormV3",
                        attrs,
                        {x, scale, offset, wave(none, 0), wave(none, 0)},
                        {images, vector, vector, vector, vector, {}}});
      expect_same_bits({"FusedBatchNormGradV3",
                        attrs,
                        {wave(images, 4), x, scale, offset, wave(vector, 5), wave(none, 0)},
                        {images, vector, vector, none, none}});
    }
  }
}

TEST(ThreadBits, depthwise_convolution) {
  for (const std::int64_t multiplier : {1, 3}) {
    const Shape images{3, 40, 37, 19}, filter{3, 5, 19, multiplier},
        results{3, 20, 19, 19 * multiplier};
    const AttrMap attrs{{"T", DType::f32},
                        {"strides", Numbers{1, 2, 2, 1}},
                        {"padding", std::string("SAME")},
                        {"dilations", Numbers(4, 1)},
                        {"data_format", std::string("NHWC")}};
    const Tensor x = wave(images, 1), w = wave(filter, 2), dy = wave(results, 3);
    expect_same_bits({"DepthwiseConv2dNative", attrs, {x, w}, {results}});
    expect_same_bits(
        {"DepthwiseConv2dNativeBackpropInput", attrs, {shape_vector(images), w, dy}, {images}});
    expect_same_bits(
        {"DepthwiseConv2dNativeBackpropFilter", attrs, {x, shape_vector(filter), dy}, {filter}});
  }
}

TEST(ThreadBits, dilation) {
  const Shape images{7, 30, 31, 5}, filter{3, 3, 5};
  const AttrMap attrs{{"T", DType::f32},
                      {"strides", Numbers(4, 1)},
                      {"rates", Numbers{1, 2, 1, 1}},
                      {"padding", std::string("SAME")}};
  const Tensor x = wave(images, 1), w = wave(filter, 2), dy = wave(images, 3);
  expect_same_bits({"Dilation2D", attrs, {x, w}, {images}});
  expect_same_bits({"Dilation2DBackpropInput", attrs, {x, w, dy}, {images}});
  expect_same_bits({"Dilation2DBackpropFilter", attrs, {x, w, dy}, {filter}});
}

}  // namespace
}  // namespace rill

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/nn/conv/conv_shape.h"
#include "rill/ops/nn/tensor_testing.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

struct TestedConv {
  Shape images, filter, results;
  std::int64_t stride = 1;
  const char* padding = "SAME";
};

// Cut into bands of rows, groups of images, neither; odd channels; what oneDNN may leave to us;
// images of one channel, with rows that are and are not as long as a block of windows; a filter of
// points whose gradient is a product; Winograd's way, with tiles that reach beyond the results;
// strides and taps that make dense convolutions of a gradient, with and without pixels that no
// window sees; a few results, or a few channels, from many.
const TestedConv kTestedConvs[] = {
    {{1, 48, 40, 24}, {3, 3, 24, 40}, {1, 48, 40, 40}},
    {{1, 64, 40, 16}, {5, 4, 16, 32}, {1, 30, 19, 32}, 2, "VALID"},
    {{37, 14, 14, 16}, {3, 3, 16, 24}, {37, 14, 14, 24}},
    {{3, 56, 56, 3}, {7, 7, 3, 64}, {3, 28, 28, 64}, 2},
    {{2, 9, 9, 1}, {2, 2, 1, 3}, {2, 5, 5, 3}, 2},
    {{2, 28, 28, 40}, {1, 1, 40, 70}, {2, 28, 28, 70}},
    {{3, 5, 5, 256}, {3, 3, 256, 250}, {3, 3, 3, 250}, 2},
    {{3, 5, 5, 800}, {1, 1, 800, 700}, {3, 5, 5, 700}},
    {{3, 28, 28, 1}, {5, 5, 1, 32}, {3, 28, 28, 32}},
    {{2, 37, 31, 1}, {3, 5, 1, 37}, {2, 19, 16, 37}, 2},
    {{2, 40, 9, 1}, {3, 3, 1, 10}, {2, 38, 7, 10}, 1, "VALID"},
    {{1, 17, 50, 1}, {4, 7, 1, 70}, {1, 6, 17, 70}, 3},
    {{2, 50, 91, 1}, {7, 5, 1, 40}, {2, 50, 91, 40}},
    {{1, 37, 31, 3}, {3, 5, 3, 37}, {1, 19, 16, 37}, 2},
    {{2, 14, 14, 512}, {1, 1, 512, 300}, {2, 14, 14, 300}},
    {{7, 12, 12, 64}, {3, 3, 64, 72}, {7, 12, 12, 72}},
    {{5, 14, 15, 64}, {3, 3, 64, 96}, {5, 14, 15, 96}},
    {{1, 41, 37, 128}, {3, 3, 128, 32}, {1, 39, 35, 32}, 1, "VALID"},
    {{9, 14, 15, 32}, {5, 5, 32, 64}, {9, 14, 15, 64}},
    {{2, 39, 30, 48}, {7, 5, 48, 32}, {2, 33, 26, 32}, 1, "VALID"},
    {{3, 24, 25, 32}, {3, 7, 32, 64}, {3, 24, 25, 64}},
    {{2, 20, 28, 1}, {9, 9, 1, 64}, {2, 12, 20, 64}, 1, "VALID"},
    {{3, 13, 16, 32}, {5, 6, 32, 16}, {3, 7, 8, 16}, 2},
    {{2, 17, 20, 16}, {7, 5, 16, 48}, {2, 6, 7, 48}, 3},
    {{2, 15, 19, 16}, {5, 5, 16, 32}, {2, 6, 8, 32}, 2, "VALID"},
    {{2, 16, 20, 16}, {5, 5, 16, 32}, {2, 6, 8, 32}, 2, "VALID"},
    {{2, 18, 15, 3}, {4, 5, 3, 32}, {2, 9, 8, 32}, 2},
    {{3, 19, 23, 32}, {3, 3, 32, 1}, {3, 19, 23, 1}},
    {{2, 21, 13, 48}, {5, 4, 48, 3}, {2, 11, 7, 3}, 2},
    {{1, 9, 3, 16}, {7, 9, 16, 2}, {1, 9, 3, 2}},
    {{2, 12, 17, 4}, {4, 5, 4, 64}, {2, 9, 13, 64}, 1, "VALID"},
};

Tensor random_tensor(DType dtype, const Shape& shape, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t(dtype, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const auto value = static_cast<float>(numbers() % 2001) / 1000.0f - 1.0f;
    dtype == DType::f32 ? void(t.data<float>()[i] = value) : void(t.data<double>()[i] = value);
  }
  return t;
}

Tensor run_conv(const std::string& op, const TestedConv& p, DType dtype, int threads) {
  const AttrMap attrs{{"T", dtype},
                      {"strides", Numbers{1, p.stride, p.stride, 1}},
                      {"padding", std::string(p.padding)},
                      {"dilations", Numbers(4, 1)},
                      {"explicit_paddings", Numbers{}},
                      {"data_format", std::string("NHWC")},
                      {"use_cudnn_on_gpu", true}};
  const Tensor images = random_tensor(dtype, p.images, 1);
  const Tensor filter = random_tensor(dtype, p.filter, 2);
  const Tensor results = random_tensor(dtype, p.results, 3);
  if (op == "Conv2D") {
    const Tensor out(dtype, p.results);
    KernelRunner(op, attrs, {dtype, dtype}, {dtype}, threads).run({images, filter}, {out});
    return out;
  }
  KernelRunner runner(op, attrs, {DType::i32, dtype, dtype}, {dtype}, threads);
  if (op == "Conv2DBackpropInput") {
    const Tensor out(dtype, p.images);
    runner.run({shape_vector(p.images), filter, results}, {out});
    return out;
  }
  const Tensor out(dtype, p.filter);
  runner.run({images, shape_vector(p.filter), results}, {out});
  return out;
}

class ConvTest : public testing::TestWithParam<const char*> {};

// Doubles are computed by gathering patches, floats by oneDNN.
TEST_P(ConvTest, FloatsAgreeWithDoubles) {
  for (const TestedConv& p : kTestedConvs) {
    const Tensor quick = run_conv(GetParam(), p, DType::f32, 2);
    const Tensor exact = run_conv(GetParam(), p, DType::f64, 2);
    double worst = 0, largest = 1;
    for (std::int64_t i = 0; i < exact.element_count(); ++i) {
      worst = std::max(
          worst, std::abs(exact.data<double>()[i] - static_cast<double>(quick.data<float>()[i])));
      largest = std::max(largest, std::abs(exact.data<double>()[i]));
    }
    EXPECT_LT(worst, 1e-5 * largest) << str_cat(p.images, " with ", p.filter);
  }
}

TEST_P(ConvTest, ThreadsDoNotChangeBits) {
  for (const TestedConv& p : kTestedConvs) {
    const Tensor one = run_conv(GetParam(), p, DType::f32, 1),
                 three = run_conv(GetParam(), p, DType::f32, 3);
    EXPECT_EQ(std::memcmp(one.raw_data(), three.raw_data(), one.byte_size()), 0)
        << str_cat(p.images, " with ", p.filter);
  }
}

INSTANTIATE_TEST_SUITE_P(Conv, ConvTest,
                         testing::Values("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter"));

}  // namespace
}  // namespace rill

#include "rill/ops/nn/winograd/conv_winograd.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "rill/kernel/fast_paths.h"
#include "rill/ops/kernel_runner.h"
#include "rill/ops/nn/winograd/winograd_rows.h"

namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

ConvProblem problem(std::int64_t batch, std::int64_t side, std::int64_t in, std::int64_t out,
                    std::int64_t size = 3, std::int64_t stride = 1) {
  const WindowDim dim{.in = side,
                      .out = (side + stride - 1) / stride,
                      .size = size,
                      .stride = stride,
                      .dilation = 1,
                      .before = (size - 1) / 2};
  return {batch, in, out, {dim, dim}};
}

Tensor noise(const Shape& shape, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t(DType::f32, shape);
  for (float& x : t.flat<float>()) x = static_cast<float>(numbers() % 2001) / 1000.0f - 1.0f;
  return t;
}

KernelRunner conv_epilogue(bool prepack) {
  return KernelRunner("_Conv2DEpilogue",
                      {{"T", DType::f32},
                       {"num_args", std::int64_t{1}},
                       {"strides", Numbers(4, 1)},
                       {"padding", std::string("SAME")},
                       {"explicit_paddings", Numbers{}},
                       {"data_format", std::string("NHWC")},
                       {"dilations", Numbers(4, 1)},
                       {"epilogue", std::vector<std::string>{"BiasAdd", "Relu"}},
                       {"epsilon", 1e-4f},
                       {"alpha", 0.2f},
                       {"prepack", prepack},
                       {"lowered", false}},
                      {DType::f32, DType::f32, DType::f32}, {DType::f32}, 2);
}

bool is_on() {
  return winograd_kernel().panel_width >= kWinogradChunk && takes(FastPath::kConvWinograd);
}

TEST(Winograd, SuitsManyChannelsAndManyResults) {
  for (const std::int64_t size : {3, 5, 7})
    EXPECT_EQ(suits_winograd(problem(8, 28, 128, 128, size), false), is_on());
  EXPECT_FALSE(suits_winograd(problem(8, 28, 128, 128, 1), false));
  EXPECT_FALSE(suits_winograd(problem(8, 28, 128, 128, 3, 2), false));
  EXPECT_FALSE(suits_winograd(problem(8, 28, 3, 128), false));
  EXPECT_FALSE(suits_winograd(problem(8, 28, 128, 40), false));
  // Turning the filter takes as long as some results, unless it is kept.
  EXPECT_FALSE(suits_winograd(problem(1, 14, 128, 128), false));
  EXPECT_EQ(suits_winograd(problem(1, 14, 128, 128), true), is_on());
  EXPECT_FALSE(suits_winograd(problem(1, 10, 128, 128), true));
  // Nothing that takes much memory.
  EXPECT_FALSE(suits_winograd(problem(1, 4000, 512, 32), true));
  EXPECT_FALSE(suits_winograd(problem(1, 40, 2048, 2048, 7), true));
  EXPECT_FALSE(suits_winograd(problem(100, 5, 128, 128), false));  // tiles are half empty
}

// What follows a convolution is done to whole blocks of its results.
TEST(Winograd, WhatFollowsIsDoneToEveryResultOnce) {
  const Tensor images = noise({3, 15, 18, 32}, 1), filter = noise({3, 3, 32, 64}, 2);
  const Tensor bias = noise({64}, 3), out(DType::f32, {3, 15, 18, 64});
  conv_epilogue(false).run({images, filter, bias}, {out});
  const float *x = images.data<float>(), *w = filter.data<float>();
  for (std::int64_t i = 0; i < out.element_count(); ++i) {
    const std::int64_t o = i % 64, column = i / 64 % 18, row = i / 64 / 18 % 15,
                       n = i / 64 / 18 / 15;
    double sum = bias.data<float>()[o];
    for (std::int64_t t = 0; t < 9; ++t) {
      const std::int64_t y = row + t / 3 - 1, z = column + t % 3 - 1;
      if (y < 0 || y >= 15 || z < 0 || z >= 18) continue;
      for (std::int64_t c = 0; c < 32; ++c)
        sum += static_cast<double>(x[((n * 15 + y) * 18 + z) * 32 + c]) *
               static_cast<double>(w[(t * 32 + c) * 64 + o]);
    }
    ASSERT_NEAR(out.data<float>()[i], std::max(0.0, sum), 3e-5) << i;
  }
}

// Whoever writes to a filter behind the kernel's back sees that it does not read it again; nobody
// may.
TEST(Winograd, PrepackedFiltersAreTransformedOnce) {
  const Tensor images = noise({2, 14, 14, 64}, 1), filter = noise({3, 3, 64, 64}, 2);
  const Tensor bias = noise({64}, 3), first(DType::f32, {2, 14, 14, 64}),
               again(first.dtype(), first.shape());
  KernelRunner kept = conv_epilogue(true);
  kept.run({images, filter, bias}, {first});
  const auto blocks = [] { return cpu_allocator().stats().allocation_count; };
  std::ranges::fill(filter.flat<float>(), 0.0f);
  kept.run({images, filter, bias}, {again});
  EXPECT_EQ(std::memcmp(first.raw_data(), again.raw_data(), first.byte_size()), 0);
  const std::int64_t before = blocks();
  kept.run({images, filter, bias}, {again});
  // Values and products, for each of two threads at most.
  if (is_on()) {
    EXPECT_LE(blocks() - before, 4);
  }
}

}  // namespace
}  // namespace rill

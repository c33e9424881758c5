#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>

#include "rill/base/text.h"
#include "rill/base/tile_permission.h"
#include "rill/ops/kernel_runner.h"

// Products of bfloat16 and of bytes against plain loops. What is expected is the same whether the
// processor has tiles or not.
namespace rill {
namespace {

using Numbers = std::vector<std::int64_t>;

Tensor noise(DType dtype, const Shape& shape, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t(dtype, shape);
  for (std::int64_t i = 0; i < t.element_count(); ++i) {
    const float value = static_cast<float>(numbers() % 2001) / 1000.0f - 1.0f;
    dtype == DType::f32 ? void(t.data<float>()[i] = value)
                        : void(t.data<bfloat16>()[i] = static_cast<bfloat16>(value));
  }
  return t;
}
double at(const Tensor& t, std::int64_t i) {
  return static_cast<double>(t.dtype() == DType::f32 ? t.data<float>()[i]
                                                     : static_cast<float>(t.data<bfloat16>()[i]));
}

// `sum` and the sum of the terms' sizes; a float of `exact` bits may be this far away.
void expect_close(double got, double sum, double sizes, double rounding) {
  EXPECT_LE(std::abs(got - sum), rounding * std::abs(sum) + 1e-5 * sizes + 1e-30);
}
constexpr double kRounded = 1.0 / 256, kLowered = 1.0 / 200;

struct Sizes {
  std::int64_t m, n, k;
};
const Sizes kSizes[] = {{1, 768, 768}, {33, 17, 130}, {64, 100, 37},  {128, 64, 1}, {7, 48, 2050},
                        {31, 33, 31},  {200, 96, 64}, {97, 300, 513}, {1, 1, 1},    {3, 2, 5}};

TEST(Tiles, ProductsOfBfloat16AreThoseOfDouble) {
  for (const Sizes& s : kSizes)
    for (const bool ta : {false, true})
      for (const bool tb : {false, true}) {
        const Tensor a = noise(DType::bf16, ta ? Shape{s.k, s.m} : Shape{s.m, s.k}, 1);
        const Tensor b = noise(DType::bf16, tb ? Shape{s.n, s.k} : Shape{s.k, s.n}, 2);
        const Tensor c(DType::bf16, {s.m, s.n});
        KernelRunner("MatMul", {{"T", DType::bf16}, {"transpose_a", ta}, {"transpose_b", tb}},
                     {DType::bf16, DType::bf16}, {DType::bf16}, 2)
            .run({a, b}, {c});
        for (std::int64_t i = 0; i < s.m; ++i)
          for (std::int64_t j = 0; j < s.n; ++j) {
            double sum = 0, sizes = 0;
            for (std::int64_t d = 0; d < s.k; ++d) {
              const double term =
                  at(a, ta ? d * s.m + i : i * s.k + d) * at(b, tb ? j * s.k + d : d * s.n + j);
              sum += term;
              sizes += std::abs(term);
            }
            expect_close(at(c, i * s.n + j), sum, sizes, kRounded);
          }
        ASSERT_FALSE(HasFailure()) << s.m << " " << s.n << " " << s.k << " " << ta << tb;
      }
}

TEST(Tiles, EmptyProducts) {
  for (const Sizes& s : {Sizes{0, 32, 32}, {32, 0, 32}, {40, 40, 0}}) {
    const Tensor a(DType::bf16, {s.m, s.k}), b(DType::bf16, {s.k, s.n});
    const Tensor c = noise(DType::bf16, {s.m, s.n}, 1);
    KernelRunner("MatMul", {{"T", DType::bf16}, {"transpose_a", false}, {"transpose_b", false}},
                 {DType::bf16, DType::bf16}, {DType::bf16})
        .run({a, b}, {c});
    for (std::int64_t i = 0; i < c.element_count(); ++i) EXPECT_EQ(at(c, i), 0.0);
  }
}

TEST(Tiles, LoweredBatchesBroadcast) {
  for (const bool adj : {false, true}) {
    const Tensor a = noise(DType::f32, {3, 1, 50, 64}, 1);
    const Tensor b = noise(DType::f32, adj ? Shape{2, 70, 64} : Shape{2, 64, 70}, 2);
    const Tensor c(DType::f32, {3, 2, 50, 70});
    KernelRunner("_LoweredBatchMatMul", {{"T", DType::f32}, {"adj_x", false}, {"adj_y", adj}},
                 {DType::f32, DType::f32}, {DType::f32}, 2)
        .run({a, b}, {c});
    for (std::int64_t i = 0; i < c.element_count(); ++i) {
      const std::int64_t x = i % 70, y = i / 70 % 50, second = i / 3500 % 2, first = i / 7000;
      double sum = 0, sizes = 0;
      for (std::int64_t d = 0; d < 64; ++d) {
        const double term = at(a, (first * 50 + y) * 64 + d) *
                            at(b, second * 4480 + (adj ? x * 64 + d : d * 70 + x));
        sum += term;
        sizes += std::abs(term);
      }
      EXPECT_LE(std::abs(at(c, i) - sum), kLowered * sizes);
    }
  }
}

struct Conv {
  Shape images, filter, results;
  std::int64_t stride = 1;
  const char* padding = "SAME";
  std::int64_t down = 1;  // dilation of rows
};
const Conv kConvs[] = {
    {{2, 13, 11, 32}, {3, 3, 32, 40}, {2, 13, 11, 40}},
    {{1, 30, 29, 3}, {7, 7, 3, 64}, {1, 15, 15, 64}, 2},
    {{3, 7, 7, 64}, {3, 3, 64, 96}, {3, 7, 7, 96}},
    {{2, 14, 14, 24}, {1, 1, 24, 33}, {2, 14, 14, 33}},
    {{1, 15, 17, 48}, {1, 1, 48, 20}, {1, 8, 9, 20}, 2},
    {{1, 20, 18, 16}, {5, 4, 16, 17}, {1, 8, 8, 17}, 2, "VALID"},
    {{1, 12, 40, 32}, {3, 3, 32, 32}, {1, 12, 40, 32}, 1, "SAME", 2},
    {{2, 5, 6, 3}, {3, 2, 3, 4}, {2, 5, 6, 4}},
    {{1, 3, 3, 64}, {7, 7, 64, 16}, {1, 3, 3, 16}},
};

AttrMap attrs_of(const Conv& c) {
  return {{"strides", Numbers{1, c.stride, c.stride, 1}},
          {"padding", std::string(c.padding)},
          {"dilations", Numbers{1, c.down, 1, 1}}};
}

Tensor run_conv(const Conv& c, const Tensor& images, const Tensor& filter, int threads) {
  AttrMap attrs = attrs_of(c);
  attrs.insert({{"T", images.dtype()},
                {"explicit_paddings", Numbers{}},
                {"data_format", std::string("NHWC")},
                {"use_cudnn_on_gpu", true}});
  const Tensor out(images.dtype(), c.results);
  KernelRunner("Conv2D", attrs, {images.dtype(), images.dtype()}, {images.dtype()}, threads)
      .run({images, filter}, {out});
  return out;
}

std::int64_t padding_before(const Conv& c, int d) {
  if (std::string(c.padding) == "VALID") return 0;
  const std::int64_t reach = (c.filter.dim(d) - 1) * (d == 0 ? c.down : 1) + 1;
  return std::max<std::int64_t>(
             0, (c.results.dim(d + 1) - 1) * c.stride + reach - c.images.dim(d + 1)) /
         2;
}

// Calls tap(image element, filter element) for the taps of result `i` that lie inside.
template <class Tap>
void for_taps(const Conv& c, std::int64_t i, Tap tap) {
  const std::int64_t channels = c.filter.dim(2), out = c.filter.dim(3);
  const std::int64_t o = i % out, x = i / out % c.results.dim(2),
                     y = i / out / c.results.dim(2) % c.results.dim(1),
                     n = i / out / c.results.dim(2) / c.results.dim(1);
  for (std::int64_t h = 0; h < c.filter.dim(0); ++h)
    for (std::int64_t w = 0; w < c.filter.dim(1); ++w) {
      const std::int64_t row = y * c.stride - padding_before(c, 0) + h * c.down,
                         column = x * c.stride - padding_before(c, 1) + w;
      if (row < 0 || row >= c.images.dim(1) || column < 0 || column >= c.images.dim(2)) continue;
      for (std::int64_t k = 0; k < channels; ++k)
        tap(((n * c.images.dim(1) + row) * c.images.dim(2) + column) * channels + k,
            ((h * c.filter.dim(1) + w) * channels + k) * out + o);
    }
}

TEST(Tiles, ConvolutionsOfBfloat16AreThoseOfDouble) {
  for (const Conv& c : kConvs) {
    const Tensor images = noise(DType::bf16, c.images, 1), filter = noise(DType::bf16, c.filter, 2);
    const Tensor out = run_conv(c, images, filter, 2);
    for (std::int64_t i = 0; i < out.element_count(); ++i) {
      double sum = 0, sizes = 0;
      for_taps(c, i, [&](std::int64_t x, std::int64_t w) {
        sum += at(images, x) * at(filter, w);
        sizes += std::abs(at(images, x) * at(filter, w));
      });
      expect_close(at(out, i), sum, sizes, kRounded);
    }
    ASSERT_FALSE(HasFailure()) << str_cat(c.images, " ", c.filter);
  }
}

TEST(Tiles, NonFiniteValuesDoNotSpread) {
  for (const Conv& c : kConvs) {
    const Tensor images = noise(DType::bf16, c.images, 1), filter = noise(DType::bf16, c.filter, 2);
    const std::int64_t spoiled = images.element_count() / 2;
    images.data<bfloat16>()[spoiled] =
        static_cast<bfloat16>(std::numeric_limits<float>::quiet_NaN());
    const Tensor out = run_conv(c, images, filter, 2);
    for (std::int64_t i = 0; i < out.element_count(); ++i) {
      bool sees = false;
      for_taps(c, i, [&](std::int64_t x, std::int64_t) { sees = sees || x == spoiled; });
      EXPECT_EQ(std::isnan(at(out, i)), sees);
    }
    ASSERT_FALSE(HasFailure()) << str_cat(c.images, " ", c.filter);
  }
}

Tensor levels(const Shape& shape, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t(DType::qu8, shape);
  auto* data = static_cast<std::uint8_t*>(t.raw_data());
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    data[i] = static_cast<std::uint8_t>(numbers());
  return t;
}

Tensor run_bytes(const Conv& c, const Tensor& images, const Tensor& filter, float min, float max,
                 int threads) {
  AttrMap attrs = attrs_of(c);
  attrs.insert({{"Tinput", DType::qu8}, {"Tfilter", DType::qu8}, {"out_type", DType::qi32}});
  const Tensor out(DType::qi32, c.results), low(DType::f32, {}), high(DType::f32, {});
  KernelRunner("QuantizedConv2D", attrs,
               {DType::qu8, DType::qu8, DType::f32, DType::f32, DType::f32, DType::f32},
               {DType::qi32, DType::f32, DType::f32}, threads)
      .run({images, filter, Tensor::scalar(min), Tensor::scalar(max), Tensor::scalar(-0.75f),
            Tensor::scalar(1.25f)},
           {out, low, high});
  return out;
}

// The level that stands for zero in a range.
std::int32_t zero_of(float min, float max) {
  return static_cast<std::int32_t>(-std::round(min * 255 / (max - min)));
}

TEST(Tiles, BytesAreExact) {
  for (const Conv& c : kConvs)
    for (const auto& [min, max] : {std::pair{-1.5f, 2.5f}, {0.0f, 255.0f}, {1.0f, 4.0f}}) {
      if (c.down > 1) continue;  // the op has no dilation
      const Tensor images = levels(c.images, 1), filter = levels(c.filter, 2);
      const Tensor out = run_bytes(c, images, filter, min, max, 2);
      const std::int32_t p = zero_of(min, max), q = zero_of(-0.75f, 1.25f);
      const auto* x = static_cast<const std::uint8_t*>(images.raw_data());
      const auto* w = static_cast<const std::uint8_t*>(filter.raw_data());
      for (std::int64_t i = 0; i < out.element_count(); ++i) {
        std::int64_t sum = 0;
        for_taps(c, i, [&](std::int64_t a, std::int64_t b) { sum += (x[a] - p) * (w[b] - q); });
        ASSERT_EQ(static_cast<const std::int32_t*>(out.raw_data())[i],
                  static_cast<std::int32_t>(sum))
            << str_cat(c.images, " ", c.filter, " ", min, " ", i);
      }
    }
}

// Whoever writes to a tensor behind the kernel's back sees that it does not read it again; nobody
// may.
TEST(Tiles, KeptFactorsArePackedOnce) {
  const Tensor a = noise(DType::bf16, {40, 64}, 1), b = noise(DType::bf16, {64, 64}, 2);
  const Tensor c(DType::bf16, {40, 64}), again(DType::bf16, {40, 64});
  KernelRunner kept("_PrepackedMatMul",
                    {{"T", DType::bf16}, {"transpose_a", false}, {"transpose_b", false}},
                    {DType::bf16, DType::bf16}, {DType::bf16});
  kept.run({a, b}, {c});
  std::ranges::fill(b.flat<bfloat16>(), static_cast<bfloat16>(0.0f));
  kept.run({a, b}, {again});
  EXPECT_EQ(identical(c, again), may_use_tiles());
  kept.run({a, Tensor::zeros(DType::bf16, {64, 64})}, {again});
  EXPECT_TRUE(identical(again, Tensor::zeros(DType::bf16, {40, 64})));
}

TEST(Tiles, SameBitsWithEveryNumberOfThreads) {
  const auto product = [](int threads) {
    const Tensor c(DType::bf16, {300, 1000});
    KernelRunner("MatMul", {{"T", DType::bf16}, {"transpose_a", false}, {"transpose_b", false}},
                 {DType::bf16, DType::bf16}, {DType::bf16}, threads)
        .run({noise(DType::bf16, {300, 900}, 1), noise(DType::bf16, {900, 1000}, 2)}, {c});
    return c;
  };
  for (const int threads : {2, 4}) EXPECT_TRUE(identical(product(threads), product(1)));
  for (const Conv& c : kConvs) {
    const Tensor images = noise(DType::bf16, c.images, 1), filter = noise(DType::bf16, c.filter, 2);
    for (const int threads : {2, 4})
      EXPECT_TRUE(identical(run_conv(c, images, filter, threads), run_conv(c, images, filter, 1)));
  }
}

// The same tests without the instructions: on every processor results are right.
TEST(Tiles, TheWaysWithoutThemAreRightToo) {
  if (std::getenv("RILL_TILES") != nullptr) {
    EXPECT_FALSE(may_use_tiles());
    return;
  }
  for (const char* most : {"ALL", "AVX512_CORE_VNNI", "AVX2"}) {
    const std::string command = str_cat("RILL_TILES=0 ONEDNN_MAX_CPU_ISA=", most, " /proc/",
                                        getpid(), "/exe --gtest_filter='Tiles.*' > /dev/null");
    EXPECT_EQ(std::system(command.c_str()), 0) << command;
  }
}

}  // namespace
}  // namespace rill

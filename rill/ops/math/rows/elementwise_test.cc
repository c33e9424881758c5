#include "rill/ops/math/rows/elementwise.h"

#include <gtest/gtest.h>
#include <hwy/highway.h>

#include <cmath>
#include <limits>

#include "rill/base/flush_denormals.h"
#include "rill/ops/kernel_runner.h"
#include "rill/ops/math/random_testing.h"
#include "rill/ops/math/rows/float_rows.h"

namespace rill {
namespace {

AttrMap typed(DType type) { return {{"T", type}}; }

KernelRunner binary(const std::string& op, DType type, int threads = 1) {
  return KernelRunner(op, typed(type), {type, type}, {type}, threads);
}

TEST(Elementwise, WritesOverEitherOperand) {
  for (const bool over_x : {true, false}) {
    const Tensor x = random_floats({1000}, 1), y = random_floats({1000}, 2);
    const Tensor want(DType::f32, {1000});
    auto sub = binary("Sub", DType::f32);
    sub.run({x, y}, {want});
    sub.run({x, y}, {over_x ? x : y});
    EXPECT_TRUE(identical(over_x ? x : y, want));
  }
}

TEST(Elementwise, WritesOverABroadcastOperand) {
  const Tensor x = random_floats({50, 20}, 1), y = random_floats({20}, 2);
  const Tensor want(DType::f32, {50, 20});
  auto mul = binary("Mul", DType::f32);
  mul.run({x, y}, {want});
  mul.run({x, y}, {x});
  EXPECT_TRUE(identical(x, want));
}

TEST(Elementwise, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const Shape& y_shape : {Shape{600, 700}, Shape{700}, Shape{600, 1}, Shape{}}) {
    const Tensor x = random_floats({600, 700}, 1), y = random_floats(y_shape, 2);
    const Tensor one(DType::f32, {600, 700}), four(DType::f32, {600, 700});
    binary("RealDiv", DType::f32, 1).run({x, y}, {one});
    binary("RealDiv", DType::f32, 4).run({x, y}, {four});
    EXPECT_TRUE(identical(one, four));
  }
}

// Whole powers are products of doubles: what pow gives, up to rounding, for every kind of number.
TEST(Elementwise, WholePowersAreThoseOfPow) {
  const float infinity = std::numeric_limits<float>::infinity();
  const Tensor x = random_floats({1003}, 1, -50, 50);
  const float odd[] = {0.0f, -0.0f, infinity, -infinity, 1e30f, -1e30f, 1e-30f, 1e-45f, -1.0f};
  std::ranges::copy(odd, x.data<float>());
  for (const float exponent : {2.0f, 3.0f, 4.0f, 2.5f, -2.0f, 0.0f}) {
    const Tensor got(DType::f32, {1003}), want(DType::f32, {1003}), all(DType::f32, {1003});
    std::ranges::fill(all.flat<float>(), exponent);
    binary("Pow", DType::f32).run({x, Tensor::scalar(exponent)}, {got});
    binary("Pow", DType::f32).run({x, all}, {want});
    for (std::size_t i = 0; i < 1003; ++i) {
      const float a = got.flat<float>()[i], b = want.flat<float>()[i];
      if (std::isnan(b)) {
        EXPECT_TRUE(std::isnan(a)) << x.flat<float>()[i];
      } else {
        EXPECT_FLOAT_EQ(a, b) << x.flat<float>()[i] << " to " << exponent;
        EXPECT_EQ(std::signbit(a), std::signbit(b)) << x.flat<float>()[i];
      }
    }
  }
}

// Runs an op on the baseline instruction set and on the best one.
class EachTarget : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
#if HWY_ARCH_X86
    if ((hwy::SupportedTargets() & HWY_AVX2) == 0) GTEST_SKIP() << "no AVX2 here";
#else
    GTEST_SKIP() << "one target only";
#endif
  }
  void TearDown() override { hwy::DisableTargets(0); }

  static Tensor result(const std::vector<Tensor>& in, bool baseline) {
    hwy::DisableTargets(baseline ? HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL : 0);
    const Tensor out(DType::f32, in[0].shape());
    KernelRunner(GetParam(), typed(DType::f32), std::vector<DType>(in.size(), DType::f32),
                 {DType::f32})
        .run(in, {out});
    return out;
  }
};

class UnaryTarget : public EachTarget {};
TEST_P(UnaryTarget, GivesTheSameBits) {
  const Tensor x = random_floats({10007}, 3, -90, 90);
  EXPECT_TRUE(identical(result({x}, true), result({x}, false)));
}
INSTANTIATE_TEST_SUITE_P(Ops, UnaryTarget,
                         ::testing::Values("Exp", "Expm1", "Log", "Tanh", "Sigmoid", "Sqrt",
                                           "Rsqrt", "Reciprocal", "Floor", "Ceil", "Round", "Sign",
                                           "Square", "Elu", "Selu", "Softplus", "Softsign", "Relu",
                                           "Relu6", "Softmax", "LogSoftmax"));

class BinaryTarget : public EachTarget {};
TEST_P(BinaryTarget, GivesTheSameBits) {
  const Tensor x = random_floats({10007}, 4), y = random_floats({10007}, 5);
  EXPECT_TRUE(identical(result({x, y}, true), result({x, y}, false)));
}
INSTANTIATE_TEST_SUITE_P(Ops, BinaryTarget,
                         ::testing::Values("Add", "Sub", "Mul", "RealDiv", "FloorDiv", "Maximum",
                                           "Minimum", "SquaredDifference", "DivNoNan", "TanhGrad",
                                           "SigmoidGrad", "ReluGrad", "EluGrad", "SoftplusGrad"));

// The elementary functions against double precision, over their whole range.
double worst_ulps(const std::string& op, float low, float high, double (*exact)(double)) {
  const Tensor x = random_floats({200000}, 6, low, high), out(DType::f32, {200000});
  KernelRunner(op, typed(DType::f32), {DType::f32}, {DType::f32}).run({x}, {out});
  double worst = 0;
  for (std::size_t i = 0; i < out.flat<float>().size(); ++i) {
    const double want = exact(x.flat<float>()[i]);
    const double ulp = std::max(std::abs(want) * 0x1p-23, 0x1p-149);
    worst = std::max(worst, std::abs(out.flat<float>()[i] - want) / ulp);
  }
  return worst;
}

TEST(VectorMath, IsCloseToExact) {
  EXPECT_LT(worst_ulps("Exp", -86, 88, std::exp), 2);
  EXPECT_LT(worst_ulps("Exp", -1, 1, std::exp), 1.5);
  EXPECT_LT(worst_ulps("Expm1", -20, 88, std::expm1), 3);
  EXPECT_LT(worst_ulps("Expm1", -0.5, 0.5, std::expm1), 3);
  EXPECT_LT(worst_ulps("Log", 1e-6f, 100, std::log), 2);
  EXPECT_LT(worst_ulps("Log", 0.5, 2, std::log), 2);
  EXPECT_LT(worst_ulps("Tanh", -10, 10, std::tanh), 4);
  const auto rsqrt = [](double x) { return 1 / std::sqrt(x); };
  EXPECT_LT(worst_ulps("Rsqrt", 0.25f, 4, rsqrt), 1.5);
  EXPECT_LT(worst_ulps("Rsqrt", 1e-44f, 1e-37f, rsqrt), 1.5);
  EXPECT_LT(worst_ulps("Rsqrt", 1, 3e38f, rsqrt), 1.5);
  EXPECT_LT(worst_ulps("Tanh", -0.01f, 0.01f, std::tanh), 4);
}

TEST(VectorMath, RootsOfOddNumbersAreThoseOfADivision) {
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> odd = {0.0f,          -0.0f,  infinity, -infinity, -1.0f,
                                  std::nanf(""), 1e-45f, 1.0f,     4.0f};
  const Tensor x(DType::f32, {9}), out(DType::f32, {9});
  std::ranges::copy(odd, x.data<float>());
  KernelRunner("Rsqrt", typed(DType::f32), {DType::f32}, {DType::f32}).run({x}, {out});
  for (std::size_t i = 0; i < odd.size(); ++i) {
    const float want = 1 / std::sqrt(odd[i]), got = out.flat<float>()[i];
    if (std::isnan(want)) {
      EXPECT_TRUE(std::isnan(got)) << odd[i];
    } else {
      EXPECT_FLOAT_EQ(got, want) << odd[i];
    }
  }
}

// Kernels run where subnormal floats are zeros; halves that are subnormal must not become such.
TEST(FloatRows, KeepSubnormalHalves) {
  std::vector<std::uint16_t> bits(1024);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  std::vector<float> wide(bits.size());
  {
    const FlushDenormals flushed;
    widen_row(DType::f16)(wide.data(), bits.data(), bits.size());
  }
  for (std::size_t i = 0; i < bits.size(); ++i)
    ASSERT_EQ(wide[i], static_cast<float>(i) * 0x1p-24f);
}

// Every half there is, and floats around them.
TEST(FloatRows, AgreeWithTheScalarConversions) {
  std::vector<std::uint16_t> bits(65536);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = static_cast<std::uint16_t>(i);
  std::vector<float> wide(bits.size());
  widen_row(DType::f16)(wide.data(), bits.data(), bits.size());
  for (std::size_t i = 0; i < bits.size(); ++i)
    ASSERT_EQ(std::bit_cast<std::uint32_t>(wide[i]),
              std::bit_cast<std::uint32_t>(half_to_float(bits[i])));
  std::vector<float> floats;
  for (const float x : wide)
    for (const float factor : {1.0f, 1.0001f, 0.9999f, 1.00048828125f, 1.000732421875f})
      floats.push_back(x * factor);
  std::vector<std::uint16_t> narrow(floats.size());
  narrow_row(DType::f16)(narrow.data(), floats.data(), floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) ASSERT_EQ(narrow[i], float_to_half(floats[i]));
  narrow_row(DType::bf16)(narrow.data(), floats.data(), floats.size());
  for (std::size_t i = 0; i < floats.size(); ++i) ASSERT_EQ(narrow[i], bfloat16(floats[i]).bits);
}

}  // namespace
}  // namespace rill

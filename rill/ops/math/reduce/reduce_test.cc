#include "rill/ops/math/reduce/reduce.h"

#include <gtest/gtest.h>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/math/random_testing.h"

namespace rill {
namespace {

KernelRunner reduction(const std::string& op, DType type, int threads) {
  return KernelRunner(op, {{"T", type}, {"Tidx", DType::i32}, {"keep_dims", false}},
                      {type, DType::i32}, {type}, threads);
}

struct Case {
  Shape in, out;
  std::vector<int> axes;
};

std::vector<Case> patterns() {
  return {{{300, 200}, {300}, {1}},
          {{300, 200}, {200}, {0}},
          {{300, 200}, {}, {0, 1}},
          {{10, 30, 20, 10}, {10, 20}, {1, 3}},
          {{10, 30, 20, 10}, {30, 10}, {0, 2}},
          {{100000, 3}, {3}, {0}},
          {{3, 100000}, {3}, {1}},
          {{2, 9000, 5}, {2, 5}, {1}},
          {{200000}, {}, {0}},
          {{70, 5000}, {5000}, {0}},
          {{1, 7, 1}, {1, 1}, {1}},
          {{4, 1, 6}, {4, 6}, {1}}};
}

Tensor axes_of(const Case& c) {
  return Tensor::of<std::int32_t>({static_cast<std::int64_t>(c.axes.size())},
                                  std::span<const std::int32_t>(c.axes));
}

// Sums in double, element by element.
std::vector<double> plain_sums(const Tensor& in, const Case& c) {
  std::vector<double> sums(static_cast<std::size_t>(c.out.element_count()), 0);
  for (std::int64_t flat = 0; flat < in.element_count(); ++flat) {
    std::int64_t rest = flat, at = 0, scale = 1;
    for (int i = in.rank() - 1; i >= 0; --i) {
      const std::int64_t index = rest % in.dim(i);
      rest /= in.dim(i);
      if (std::find(c.axes.begin(), c.axes.end(), i) != c.axes.end()) continue;
      at += index * scale;
      scale *= in.dim(i);
    }
    sums[static_cast<std::size_t>(at)] += in.flat<float>()[static_cast<std::size_t>(flat)];
  }
  return sums;
}

TEST(Reduce, SumsEveryPatternOfAxes) {
  for (const Case& c : patterns()) {
    const Tensor in = random_floats(c.in, 1, 0, 1), out(DType::f32, c.out);
    reduction("Sum", DType::f32, 1).run({in, axes_of(c)}, {out});
    const auto want = plain_sums(in, c);
    for (std::size_t i = 0; i < want.size(); ++i)
      ASSERT_NEAR(out.flat<float>()[i], want[i], 2e-6 * want[i]) << to_text(c.in) << " at " << i;
  }
}

TEST(Reduce, GivesTheSameBitsOnAnyNumberOfThreads) {
  for (const char* op : {"Sum", "Mean", "Prod", "EuclideanNorm"})
    for (const Case& c : patterns()) {
      const Tensor in = random_floats(c.in, 2, 0, 1);
      const Tensor one(DType::f32, c.out), four(DType::f32, c.out);
      reduction(op, DType::f32, 1).run({in, axes_of(c)}, {one});
      reduction(op, DType::f32, 4).run({in, axes_of(c)}, {four});
      EXPECT_TRUE(identical(one, four)) << op << to_text(c.in);
    }
}

TEST(Reduce, SumsHalvesWithoutLosingSmallOnes) {
  Tensor in(DType::f16, {60000});
  for (half& x : in.flat<half>()) x = half(0.5f);
  const Tensor out(DType::f16, {});
  reduction("Sum", DType::f16, 1).run({in, Tensor::vector<std::int32_t>({0})}, {out});
  EXPECT_EQ(static_cast<float>(out.scalar_value<half>()), 30000);
}

}  // namespace
}  // namespace rill

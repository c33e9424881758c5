#include "rill/ops/random/fill.h"

#include <gtest/gtest.h>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/random/philox_rows.h"

namespace rill {
namespace {

Tensor draw(const std::string& op, DType type, std::int64_t size, int threads) {
  const AttrMap attrs{{"seed", 5}, {"seed2", 6}, {"dtype", type}, {"T", DType::i32}};
  KernelRunner runner(op, attrs, {DType::i32}, {type}, threads);
  Tensor out(type, {size});
  runner.run({Tensor::vector<std::int32_t>({static_cast<std::int32_t>(size)})}, {out});
  return out;
}

// Rows of any length, with any stride, are what the generator alone gives.
TEST(RandomRows, words_are_those_of_the_generator) {
  for (const std::uint64_t stride : {1, 3, 256})
    for (const std::size_t count : {1u, 31u, 32u, 33u, 69u, 70u, 100u}) {
      // Carries on the way, to the upper half or within the lower one.
      const std::uint32_t second = count < 70 ? 0xffffffff : 6;
      Philox at({1, 2}, {0xffffffe0, second, 7, 8});
      std::vector<std::uint32_t> words(4 * count);
      philox_words(at, stride, words.data(), count);
      for (std::size_t i = 0; i < count; ++i, at.skip(stride))
        for (std::size_t w = 0; w < 4; ++w) ASSERT_EQ(words[4 * i + w], at.block()[w]) << i;
    }
}

TEST(RandomRows, values_stay_below_one) {
  const std::uint32_t words[] = {0xffffffff, 0xffffffff, 0, 0};
  float f[4];
  uniform_row(f, words, 4);
  EXPECT_EQ(f[0], 0x1.fffffcp-1f);
  EXPECT_EQ(f[2], 0);
  double d[2];
  uniform_row(d, words, 2);
  EXPECT_EQ(d[0], 1 - 0x1p-52);
  EXPECT_EQ(d[1], 0);
}

TEST(RandomFill, threads_do_not_matter) {
  for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"})
    for (const DType type : {DType::f32, DType::f64, DType::f16, DType::bf16}) {
      const Tensor one = draw(op, type, 100'003, 1), four = draw(op, type, 100'003, 4);
      EXPECT_EQ(std::memcmp(one.raw_data(), four.raw_data(), one.byte_size()), 0)
          << op << to_text(type);
    }
}

// A shorter output is the beginning of a longer one.
TEST(RandomFill, values_depend_on_their_position_alone) {
  for (const char* op : {"RandomUniform", "RandomStandardNormal", "TruncatedNormal"}) {
    const Tensor all = draw(op, DType::f32, 1000, 1);
    for (const std::int64_t size : {1, 2, 3, 4, 63, 255, 257, 999}) {
      const Tensor some = draw(op, DType::f32, size, 1);
      EXPECT_EQ(std::memcmp(all.raw_data(), some.raw_data(), some.byte_size()), 0) << op << size;
    }
  }
}

TEST(RandomFill, truncated_values_are_near) {
  for (const float x : draw("TruncatedNormal", DType::f32, 100'000, 1).flat<float>())
    ASSERT_LT(std::abs(x), 2);
}

TEST(RandomFill, normal_values_have_mean_0_and_deviation_1) {
  double sum = 0, squares = 0;
  const Tensor values = draw("RandomStandardNormal", DType::f64, 100'000, 1);
  for (const double x : values.flat<double>()) {
    sum += x;
    squares += x * x;
  }
  EXPECT_NEAR(sum / 1e5, 0, 0.02);
  EXPECT_NEAR(squares / 1e5, 1, 0.02);
}

}  // namespace
}  // namespace rill

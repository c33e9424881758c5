#include "rill/ops/nn/top_k/order_keys.h"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "rill/ops/kernel_runner.h"
#include "rill/tensor/narrow_float.h"

namespace rill {
namespace {

constexpr std::int64_t kRows = 3;

// Few values, so that many are equal; floats with both zeros.
template <class T>
Tensor rows_of(std::int64_t width) {
  Tensor t(dtype_of<T>, {kRows, width});
  std::mt19937 bits(5);
  for (T& x : t.flat<T>()) {
    const auto number = static_cast<int>(bits() % 121) - (std::is_unsigned_v<T> ? 0 : 60);
    x = static_cast<T>(static_cast<float>(number));
    if constexpr (!std::is_integral_v<T>)
      if (number == 0 && bits() % 2 == 0) x = static_cast<T>(-0.0F);
  }
  return t;
}

template <class T>
std::vector<std::int32_t> sorted_places(const T* row, std::int64_t width) {
  std::vector<std::int32_t> places(static_cast<std::size_t>(width));
  std::iota(places.begin(), places.end(), 0);
  std::ranges::stable_sort(
      places, [row](std::int32_t a, std::int32_t b) { return widened(row[a]) > widened(row[b]); });
  return places;
}

template <class T>
class Order : public testing::Test {};
using Types = testing::Types<float, half, bfloat16, std::int8_t, std::int32_t, std::uint8_t,
                             std::uint32_t, double, std::int64_t>;
TYPED_TEST_SUITE(Order, Types);

TYPED_TEST(Order, finds_the_largest_the_first_of_equal_ones_first) {
  constexpr DType kType = dtype_of<TypeParam>;
  for (const std::int64_t width : {33, 255, 256, 1003})
    for (const std::int64_t k : {std::int64_t{31}, std::int64_t{32}, width - 1, width}) {
      const Tensor in = rows_of<TypeParam>(width), values(kType, {kRows, k}),
                   places(DType::i32, {kRows, k});
      KernelRunner top("TopKV2", {{"sorted", true}, {"T", kType}}, {kType, DType::i32},
                       {kType, DType::i32}, 2);
      top.run({in, Tensor::scalar(static_cast<std::int32_t>(k))}, {values, places});
      for (std::int64_t r = 0; r < kRows; ++r) {
        const TypeParam* row = in.data<TypeParam>() + r * width;
        auto wanted = sorted_places(row, width);
        wanted.resize(static_cast<std::size_t>(k));
        const auto found = places.flat<std::int32_t>().subspan(static_cast<std::size_t>(r * k),
                                                               static_cast<std::size_t>(k));
        EXPECT_TRUE(std::ranges::equal(found, wanted)) << width << " " << k;
        for (std::int64_t i = 0; i < k; ++i)
          EXPECT_EQ(widened(values.data<TypeParam>()[r * k + i]),
                    widened(row[wanted[static_cast<std::size_t>(i)]]));
      }
    }
}

TYPED_TEST(Order, finds_what_is_nth_from_either_end) {
  constexpr DType kType = dtype_of<TypeParam>;
  for (const std::int64_t width : {1, 40, 300, 1003})
    for (const std::int64_t n : {std::int64_t{0}, width / 3, width - 1})
      for (const bool reverse : {false, true}) {
        const Tensor in = rows_of<TypeParam>(width), out(kType, {kRows});
        KernelRunner nth("NthElement", {{"reverse", reverse}, {"T", kType}}, {kType, DType::i32},
                         {kType}, 2);
        nth.run({in, Tensor::scalar(static_cast<std::int32_t>(n))}, {out});
        for (std::int64_t r = 0; r < kRows; ++r) {
          const TypeParam* row = in.data<TypeParam>() + r * width;
          const auto order = sorted_places(row, width);
          EXPECT_EQ(widened(out.data<TypeParam>()[r]),
                    widened(row[order[static_cast<std::size_t>(reverse ? n : width - 1 - n)]]));
        }
      }
}

TEST(Order, in_top_k_looks_at_all_that_decides) {
  constexpr std::int64_t kClasses = 150;
  // Row r has r classes above the target, the last of them at the end; the last row has one that is
  // no number there.
  Tensor in(DType::f32, {7, kClasses}), targets(DType::i32, {7}), out(DType::boolean, {7});
  std::ranges::fill(in.flat<float>(), 0.5F);
  std::ranges::fill(targets.flat<std::int32_t>(), 70);
  for (std::int64_t r = 0; r < 7; ++r)
    for (std::int64_t k = 0; k < r; ++k)
      in.data<float>()[(r + 1) * kClasses - 1 - (k == 0 ? 0 : k * 20)] = 1;
  in.data<float>()[7 * kClasses - 1] = std::numeric_limits<float>::quiet_NaN();
  in.data<float>()[7 * kClasses - 21] = 0;
  for (const std::int64_t k : {0, 1, 4, 200}) {
    KernelRunner top("InTopK", {{"k", k}, {"T", DType::i32}}, {DType::f32, DType::i32},
                     {DType::boolean}, 2);
    top.run({in, targets}, {out});
    for (std::int64_t r = 0; r < 7; ++r) EXPECT_EQ(out.data<bool>()[r], r < k && r < 6) << r << k;
  }
}

}  // namespace
}  // namespace rill

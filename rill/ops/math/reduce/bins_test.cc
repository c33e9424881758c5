#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "rill/ops/kernel_runner.h"

namespace rill {
namespace {

template <class T>
Tensor random_in(Shape shape, double low, double high) {
  Tensor t(dtype_of<T>, std::move(shape));
  std::mt19937 bits(9);
  for (T& x : t.flat<T>())
    x = static_cast<T>(low + (high - low) * static_cast<double>(bits()) * 0x1p-32);
  return t;
}

TEST(Bins, counts_of_parts_add_up) {
  for (const std::int64_t total : {100, 40000, 300007})
    for (const std::int64_t size : {1, 100, 30000}) {
      const Tensor numbers = random_in<std::int32_t>({total}, 0, 150),
                   weights = random_in<std::int64_t>({total}, -9, 9), bins(DType::i64, {size});
      for (const bool weighted : {false, true}) {
        KernelRunner count("Bincount", {{"T", DType::i64}}, {DType::i32, DType::i32, DType::i64},
                           {DType::i64}, 3);
        count.run({numbers, Tensor::scalar(static_cast<std::int32_t>(size)),
                   weighted ? weights : Tensor(DType::i64, {0})},
                  {bins});
        std::vector<std::int64_t> wanted(static_cast<std::size_t>(size), 0);
        for (std::int64_t i = 0; i < total; ++i)
          if (const std::int32_t number = numbers.data<std::int32_t>()[i]; number < size)
            wanted[static_cast<std::size_t>(number)] +=
                weighted ? weights.data<std::int64_t>()[i] : 1;
        EXPECT_TRUE(std::ranges::equal(bins.flat<std::int64_t>(), wanted)) << total << " " << size;
      }
    }
}

TEST(Bins, a_negative_number_in_any_part_is_refused) {
  const Tensor numbers = random_in<std::int32_t>({100000}, 0, 9), bins(DType::f32, {9});
  numbers.data<std::int32_t>()[99999] = -1;
  KernelRunner count("Bincount", {{"T", DType::f32}}, {DType::i32, DType::i32, DType::f32},
                     {DType::f32}, 3);
  EXPECT_THROW(
      count.run({numbers, Tensor::scalar(std::int32_t{9}), Tensor(DType::f32, {0})}, {bins}),
      Error);
}

TEST(Bins, histograms_count_what_lies_outside_at_the_ends) {
  const Tensor values = random_in<float>({70001}, -2, 2), counts(DType::i64, {7});
  values.data<float>()[0] = std::numeric_limits<float>::quiet_NaN();
  values.data<float>()[1] = std::numeric_limits<float>::infinity();
  values.data<float>()[2] = -std::numeric_limits<float>::infinity();
  KernelRunner histogram("HistogramFixedWidth", {{"T", DType::f32}, {"dtype", DType::i64}},
                         {DType::f32, DType::f32, DType::i32}, {DType::i64}, 3);
  histogram.run({values, Tensor::vector<float>({-1, 1}), Tensor::scalar(std::int32_t{7})},
                {counts});
  std::vector<std::int64_t> wanted(7, 0);
  for (const float value : values.flat<float>()) {
    const double place = (static_cast<double>(value) + 1) / (2.0 / 7);
    ++wanted[place >= 6 ? 6 : place > 0 ? static_cast<std::size_t>(place) : 0];
  }
  EXPECT_TRUE(std::ranges::equal(counts.flat<std::int64_t>(), wanted));
}

TEST(Bins, bounds_are_those_of_the_standard_library) {
  for (const std::int64_t count : {0, 1, 2, 3, 64, 65, 1000})
    for (const std::int64_t width : {1, 7, 8, 9, 3001}) {
      const Tensor sorted = random_in<std::int32_t>({3, count}, 0, 99),
                   values = random_in<std::int32_t>({3, width}, -5, 105),
                   out(DType::i32, {3, width});
      for (std::int64_t r = 0; r < 3; ++r)
        std::sort(sorted.data<std::int32_t>() + r * count,
                  sorted.data<std::int32_t>() + (r + 1) * count);
      for (const bool upper : {false, true}) {
        KernelRunner bound(upper ? "UpperBound" : "LowerBound",
                           {{"T", DType::i32}, {"out_type", DType::i32}}, {DType::i32, DType::i32},
                           {DType::i32}, 3);
        bound.run({sorted, values}, {out});
        std::int64_t wrong = 0;
        for (std::int64_t i = 0; i < 3 * width; ++i) {
          const std::int32_t* begin = sorted.data<std::int32_t>() + i / width * count;
          const std::int32_t value = values.data<std::int32_t>()[i];
          const auto* at = upper ? std::upper_bound(begin, begin + count, value)
                                 : std::lower_bound(begin, begin + count, value);
          wrong += out.data<std::int32_t>()[i] != at - begin;
        }
        EXPECT_EQ(wrong, 0) << count << " " << width << " " << upper;
      }
    }
}

}  // namespace
}  // namespace rill

#include <gtest/gtest.h>

#include <random>

#include "rill/ops/kernel_runner.h"

// Products of bytes against plain loops. What is expected is the same whether the processor has
// tiles or not, and with every number of threads.
namespace rill {
namespace {

Tensor bytes(DType type, const Shape& shape, unsigned seed) {
  std::mt19937 numbers(seed);
  Tensor t(type, shape);
  auto* const data = static_cast<std::uint8_t*>(t.raw_data());
  for (std::int64_t i = 0; i < t.element_count(); ++i)
    data[i] = static_cast<std::uint8_t>(numbers());
  return t;
}

struct Product {
  std::int64_t m, n, k;
  bool transpose_a, transpose_b;
  float min_a, max_a, min_b, max_b;
  std::int32_t zero_a, zero_b;  // the levels of zero
};

const std::uint8_t* data(const Tensor& t) { return static_cast<const std::uint8_t*>(t.raw_data()); }

std::uint32_t expected(const Product& p, const Tensor& a, const Tensor& b, std::int64_t i,
                       std::int64_t j) {
  std::uint32_t sum = 0;
  for (std::int64_t d = 0; d < p.k; ++d) {
    const int x = data(a)[p.transpose_a ? d * p.m + i : i * p.k + d] - p.zero_a,
              y = data(b)[p.transpose_b ? j * p.k + d : d * p.n + j] - p.zero_b;
    sum += static_cast<std::uint32_t>(x) * static_cast<std::uint32_t>(y);
  }
  return sum;
}

Tensor multiplied(const Product& p, const Tensor& a, const Tensor& b, int threads) {
  const Tensor c(DType::qi32, {p.m, p.n});
  KernelRunner("QuantizedMatMul",
               {{"T1", DType::qu8},
                {"T2", DType::qu8},
                {"Toutput", DType::qi32},
                {"Tactivation", DType::qu8},
                {"transpose_a", p.transpose_a},
                {"transpose_b", p.transpose_b}},
               {DType::qu8, DType::qu8, DType::f32, DType::f32, DType::f32, DType::f32},
               {DType::qi32, DType::f32, DType::f32}, threads)
      .run({a, b, Tensor::scalar(p.min_a), Tensor::scalar(p.max_a), Tensor::scalar(p.min_b),
            Tensor::scalar(p.max_b)},
           {c, Tensor::scalar(0.0f), Tensor::scalar(0.0f)});
  return c;
}

TEST(MultiplyBytes, SumsAreExactForEveryShapeAndZero) {
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1},
                                {1, 700, 300},
                                {5, 33, 65},
                                {6, 16, 400},
                                {33, 47, 129},
                                {64, 32, 64},
                                {100, 3, 77}})
    for (const bool turn_a : {false, true})
      for (const bool turn_b : {false, true})
        for (const bool far : {false, true}) {
          const Product p{m,
                          n,
                          k,
                          turn_a,
                          turn_b,
                          far ? 51.0f : -51.0f,
                          far ? 306.0f : 204.0f,
                          far ? -1000.0f : 0.0f,
                          far ? -745.0f : 255.0f,
                          far ? -51 : 51,
                          far ? 1000 : 0};
          const Tensor a = bytes(DType::qu8, turn_a ? Shape{k, m} : Shape{m, k}, 1),
                       b = bytes(DType::qu8, turn_b ? Shape{n, k} : Shape{k, n}, 2);
          const Tensor one = multiplied(p, a, b, 1), three = multiplied(p, a, b, 3);
          const auto *got = static_cast<const std::uint32_t*>(one.raw_data()),
                     *again = static_cast<const std::uint32_t*>(three.raw_data());
          for (std::int64_t i = 0; i < m * n; ++i) {
            ASSERT_EQ(got[i], expected(p, a, b, i / n, i % n)) << m << " " << n << " " << k;
            ASSERT_EQ(got[i], again[i]);
          }
        }
}

// A depth at which 32 bits are not enough.
TEST(MultiplyBytes, SumsWrapAround) {
  const std::int64_t k = 40000;
  const Product p{8, 16, k, false, false, 0, 255, 0, 255, 0, 0};
  Tensor a(DType::qu8, {8, k}), b(DType::qu8, {k, 16});
  std::fill_n(static_cast<std::uint8_t*>(a.raw_data()), 8 * k, 255);
  std::fill_n(static_cast<std::uint8_t*>(b.raw_data()), 16 * k, 255);
  const Tensor c = multiplied(p, a, b, 2);
  for (std::int64_t i = 0; i < 8 * 16; ++i)
    EXPECT_EQ(static_cast<const std::uint32_t*>(c.raw_data())[i],
              static_cast<std::uint32_t>(k * 255 * 255));
}

}  // namespace
}  // namespace rill

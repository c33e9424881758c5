#include <gtest/gtest.h>

#include <complex>
#include <random>

#include "rill/ops/kernel_runner.h"
#include "rill/ops/math/matmul/gemm.h"

namespace rill {
namespace {

template <class T>
Tensor small_integers(Shape shape, unsigned seed) {
  Tensor t(dtype_of<T>, std::move(shape));
  std::mt19937 bits(seed);
  for (T& x : t.flat<T>()) x = T(static_cast<float>(static_cast<int>(bits() % 7) - 3));
  return t;
}

template <class T>
Tensor plain_product(const Tensor& a, const Tensor& b, bool ta, bool tb) {
  const std::int64_t m = a.dim(ta ? 1 : 0), k = a.dim(ta ? 0 : 1), n = b.dim(tb ? 0 : 1);
  Tensor c(dtype_of<T>, {m, n});
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T sum = T(0);
      for (std::int64_t d = 0; d < k; ++d)
        sum += a.data<T>()[ta ? d * m + i : i * k + d] * b.data<T>()[tb ? j * k + d : d * n + j];
      c.data<T>()[i * n + j] = sum;
    }
  return c;
}

KernelRunner matmul(DType type, bool ta, bool tb, int threads) {
  return KernelRunner("MatMul", {{"T", type}, {"transpose_a", ta}, {"transpose_b", tb}},
                      {type, type}, {type}, threads);
}

// Small integers make every order of summation exact.
template <class T>
void check_all(int threads) {
  for (const bool ta : {false, true})
    for (const bool tb : {false, true})
      for (const auto [m, n, k] : {std::array{1, 1, 1},
                                   {5, 3, 2},
                                   {64, 256, 256},
                                   {65, 257, 300},
                                   {1, 100, 50},
                                   {100, 1, 50},
                                   {1, 1030, 77},
                                   {515, 1, 163},
                                   {4, 4, 4},
                                   {7, 29, 11},
                                   {66, 61, 33},
                                   {3, 600, 40},
                                   {70, 130, 1300},
                                   {2, 3, 300},
                                   {300, 2, 31},
                                   {40, 1, 3},
                                   {20, 700, 800},
                                   {130, 150, 600},
                                   {49, 500, 33}}) {
        const Tensor a = small_integers<T>(ta ? Shape{k, m} : Shape{m, k}, 1);
        const Tensor b = small_integers<T>(tb ? Shape{n, k} : Shape{k, n}, 2);
        const Tensor c(dtype_of<T>, {m, n});
        matmul(dtype_of<T>, ta, tb, threads).run({a, b}, {c});
        ASSERT_TRUE(identical(c, plain_product<T>(a, b, ta, tb))) << m << " " << n << " " << k;
      }
}

TEST(MatMul, IsExactOnSmallIntegers) {
  check_all<float>(1);
  check_all<float>(3);
  check_all<double>(1);
  check_all<double>(3);
  check_all<std::int32_t>(1);
  check_all<std::int64_t>(1);
  check_all<std::complex<float>>(3);
  check_all<std::complex<double>>(1);
}

TEST(MatMul, IsExactWhereFactorsArePackedOneAfterTheOther) {
  const Tensor a = small_integers<float>({2100, 4000}, 1);
  const Tensor b = small_integers<float>({130, 4000}, 2);
  const Tensor c(DType::f32, {2100, 130});
  matmul(DType::f32, false, true, 3).run({a, b}, {c});
  EXPECT_TRUE(identical(c, plain_product<float>(a, b, false, true)));
}

TEST(MatMul, PrefersOneDnnForFloatAndHasAReferenceForAll) {
  EXPECT_STREQ(matmul(DType::f32, false, false, 1).label(), "matmul:onednn");
  EXPECT_STREQ(matmul(DType::f64, false, false, 1).label(), "matmul:ref");
  for (const DType type : {DType::f16, DType::bf16, DType::f32, DType::f64, DType::i32, DType::i64,
                           DType::c64, DType::c128})
    EXPECT_NE(reference_multiply(type), nullptr);
}

// A gradient of weights: the depth is cut, and a B this large makes tiles fewer.
TEST(MatMul, IsExactWhereADeepMatrixIsTransposed) {
  const std::int64_t m = 530, n = 515, k = 1030;
  const Tensor a = small_integers<float>({k, m}, 1), b = small_integers<float>({k, n}, 2);
  const Tensor wanted = plain_product<float>(a, b, true, false);
  for (const int threads : {1, 3}) {
    const Tensor c(DType::f32, {m, n});
    matmul(DType::f32, true, false, threads).run({a, b}, {c});
    EXPECT_TRUE(identical(c, wanted)) << threads;
  }
}

TEST(MatMul, GivesTheSameBitsOnAnyNumberOfThreads) {
  std::mt19937 bits(3);
  Tensor a(DType::f32, {700, 300}), b(DType::f32, {300, 500});
  for (float& x : a.flat<float>()) x = static_cast<float>(bits()) / 4294967296.0f;
  for (float& x : b.flat<float>()) x = static_cast<float>(bits()) / 4294967296.0f;
  const Tensor one(DType::f32, {700, 500}), four(DType::f32, {700, 500});
  matmul(DType::f32, false, false, 1).run({a, b}, {one});
  matmul(DType::f32, false, false, 4).run({a, b}, {four});
  EXPECT_TRUE(identical(one, four));
}

}  // namespace
}  // namespace rill

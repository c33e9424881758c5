// Values found without vectors are those that Eigen finds, on every instruction set the same bits.
#include "rill/ops/linalg/singular_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "hwy/highway.h"
#include "rill/ops/kernel_runner.h"
#include "rill/ops/linalg/eigen_doors.h"

namespace rill {
namespace {

template <class T>
std::vector<T> some_matrix(std::int64_t m, std::int64_t n, double scale) {
  std::vector<T> a(static_cast<std::size_t>(m * n));
  for (std::size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<T>(scale * std::sin(1.7 * static_cast<double>(i * i % 10007)));
  return a;
}

template <class T>
std::vector<T> bisected(const std::vector<T>& a, std::int64_t m, std::int64_t n) {
  std::vector<T> s(static_cast<std::size_t>(std::min(m, n)));
  singular_values(a.data(), m, n, s.data());
  return s;
}

template <class T>
void expect_eigens_values(const std::vector<T>& a, std::int64_t m, std::int64_t n) {
  const std::vector<T> s = bisected(a, m, n);
  std::vector<T> wanted(s.size());
  T* const none = nullptr;
  eigen_svd(a.data(), m, n, false, wanted.data(), none, none);
  const double error =
      100 * static_cast<double>(std::numeric_limits<T>::epsilon()) * static_cast<double>(wanted[0]);
  for (std::size_t i = 0; i < s.size(); ++i)
    EXPECT_NEAR(s[i], wanted[i], error) << m << " x " << n << ", value " << i;
  EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
}

template <class T>
class SingularValues : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(SingularValues, Types);

TYPED_TEST(SingularValues, are_those_of_eigen) {
  const std::pair<std::int64_t, std::int64_t> sizes[] = {
      {1, 1}, {1, 9}, {9, 1}, {2, 3}, {8, 8}, {16, 17}, {33, 31}, {32, 32}, {70, 53}, {20, 129}};
  for (const auto& [m, n] : sizes) expect_eigens_values(some_matrix<TypeParam>(m, n, 1), m, n);
}

TYPED_TEST(SingularValues, do_not_overflow) {
  const double most = static_cast<double>(std::numeric_limits<TypeParam>::max());
  for (const double scale : {most / 32, 1 / most, 1e30, 1e-30})
    expect_eigens_values(some_matrix<TypeParam>(9, 11, scale), 9, 11);
}

TYPED_TEST(SingularValues, of_diagonals_are_the_diagonals) {
  constexpr std::int64_t kSize = 12;
  std::vector<TypeParam> a(kSize * kSize), wanted;
  for (std::int64_t i = 0; i < kSize; ++i) {
    wanted.push_back(std::ldexp(TypeParam(1.5), static_cast<int>(-6 * i)));
    a[static_cast<std::size_t>((kSize - 1 - i) * (kSize + 1))] =
        i % 2 == 0 ? wanted.back() : -wanted.back();
  }
  const std::vector<TypeParam> s = bisected(a, kSize, kSize);
  for (std::size_t i = 0; i < s.size(); ++i)
    EXPECT_NEAR(s[i] / wanted[i], 1,
                4 * static_cast<double>(std::numeric_limits<TypeParam>::epsilon()))
        << i;
}

TYPED_TEST(SingularValues, of_matrices_without_full_rank_end_in_zeros) {
  const std::vector<TypeParam> nothing(35), ones(35, TypeParam(1));
  EXPECT_EQ(bisected(nothing, 5, 7), std::vector<TypeParam>(5));
  const std::vector<TypeParam> s = bisected(ones, 5, 7);
  EXPECT_NEAR(s[0], std::sqrt(35.0), 1e-5);
  for (std::size_t i = 1; i < s.size(); ++i) EXPECT_NEAR(s[i], 0, 1e-6);
}

TYPED_TEST(SingularValues, have_the_same_bits_on_every_target) {
  const std::vector<TypeParam> a = some_matrix<TypeParam>(61, 45, 3);
  const std::vector<TypeParam> best = bisected(a, 61, 45);
  for (const std::int64_t without : {HWY_AVX3 | HWY_AVX3_DL, HWY_AVX2 | HWY_AVX3 | HWY_AVX3_DL}) {
    hwy::DisableTargets(without);
    const std::vector<TypeParam> other = bisected(a, 61, 45);
    hwy::DisableTargets(0);
    EXPECT_EQ(std::memcmp(best.data(), other.data(), best.size() * sizeof(TypeParam)), 0);
  }
}

TYPED_TEST(SingularValues, are_found_so_only_without_vectors) {
  for (const bool vectors : {false, true}) {
    const DType type = dtype_of<TypeParam>;
    const AttrMap attrs{{"T", type}, {"compute_uv", vectors}, {"full_matrices", false}};
    EXPECT_STREQ(KernelRunner("Svd", attrs, {type}, {type, type, type}).label(),
                 vectors ? "svd:eigen" : "svd:bisection");
  }
}

TYPED_TEST(SingularValues, of_what_is_not_finite_are_not_numbers) {
  const DType type = dtype_of<TypeParam>;
  for (const std::int64_t size : {3, 9}) {
    const Tensor a(type, {2, size, size}), s(type, {2, size}), none(type, {0});
    std::fill_n(a.data<TypeParam>(), a.element_count(), TypeParam(1));
    a.data<TypeParam>()[3] = std::numeric_limits<TypeParam>::infinity();
    const AttrMap attrs{{"T", type}, {"compute_uv", false}, {"full_matrices", false}};
    KernelRunner("Svd", attrs, {type}, {type, type, type}).run({a}, {s, none, none});
    for (std::int64_t i = 0; i < size; ++i) EXPECT_TRUE(std::isnan(s.data<TypeParam>()[i]));
    EXPECT_NEAR(s.data<TypeParam>()[size], static_cast<double>(size), 1e-5);
  }
}

}  // namespace
}  // namespace rill

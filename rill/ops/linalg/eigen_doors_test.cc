// Both compilations of Eigen decompose matrices, whichever of them this machine would choose.
#include "rill/ops/linalg/eigen_doors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace rill {
namespace {

template <class T>
constexpr double kTolerance = 2e3 * static_cast<double>(std::numeric_limits<T>::epsilon());

// Row-major, with as many rows as are needed.
template <class T>
struct Rows {
  Rows(std::int64_t m, std::int64_t n) : m(m), n(n), values(static_cast<std::size_t>(m * n)) {}
  T& at(std::int64_t i, std::int64_t j) { return values[static_cast<std::size_t>(i * n + j)]; }
  T at(std::int64_t i, std::int64_t j) const { return values[static_cast<std::size_t>(i * n + j)]; }
  T* data() { return values.data(); }

  std::int64_t m, n;
  std::vector<T> values;
};

template <class T>
Rows<T> some_rows(std::int64_t m, std::int64_t n) {
  Rows<T> a(m, n);
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      a.at(i, j) = static_cast<T>(std::sin(1.7 * static_cast<double>(i * n + j + i * i)));
  return a;
}

// The greatest difference between `a` and left diag(scale) right, or right's transpose.
template <class T>
double difference(const Rows<T>& a, const Rows<T>& left, const std::vector<T>& scale,
                  const Rows<T>& right, bool transposed) {
  double greatest = 0;
  for (std::int64_t i = 0; i < a.m; ++i)
    for (std::int64_t j = 0; j < a.n; ++j) {
      double sum = 0;
      for (std::int64_t k = 0; k < left.n; ++k)
        sum += static_cast<double>(left.at(i, k)) *
               static_cast<double>(scale[static_cast<std::size_t>(k)]) *
               static_cast<double>(transposed ? right.at(j, k) : right.at(k, j));
      greatest = std::max(greatest, std::abs(sum - static_cast<double>(a.at(i, j))));
    }
  return greatest;
}

template <class Chosen>
class EigenEntryPoints : public testing::Test {
 protected:
  void SetUp() override {
    if (std::is_same_v<std::tuple_element_t<0, Chosen>, Avx*> && !has_avx())
      GTEST_SKIP() << "no AVX here";
  }
};

// The instruction sets are incomplete types, which a tuple holds as pointers.
using Choices = testing::Types<std::tuple<AnyX86*, float>, std::tuple<AnyX86*, double>,
                               std::tuple<Avx*, float>, std::tuple<Avx*, double>>;
TYPED_TEST_SUITE(EigenEntryPoints, Choices);

constexpr std::int64_t kRows = 70, kColumns = 53;

TYPED_TEST(EigenEntryPoints, qr_reconstructs_the_matrix) {
  using Isa = std::remove_pointer_t<std::tuple_element_t<0, TypeParam>>;
  using T = std::tuple_element_t<1, TypeParam>;
  Rows<T> a = some_rows<T>(kRows, kColumns);
  for (const bool full : {false, true}) {
    const std::int64_t k = full ? kRows : kColumns;
    Rows<T> q(kRows, k), r(k, kColumns);
    eigen_qr_on<Isa>(a.data(), kRows, kColumns, full, q.data(), r.data());
    const std::vector<T> ones(static_cast<std::size_t>(k), T(1));
    EXPECT_LT(difference(a, q, ones, r, false), kTolerance<T>);
    EXPECT_EQ(r.at(1, 0), T(0));
  }
}

TYPED_TEST(EigenEntryPoints, singular_vectors_reconstruct_the_matrix) {
  using Isa = std::remove_pointer_t<std::tuple_element_t<0, TypeParam>>;
  using T = std::tuple_element_t<1, TypeParam>;
  Rows<T> a = some_rows<T>(kRows, kColumns), u(kRows, kColumns), v(kColumns, kColumns);
  std::vector<T> s(kColumns);
  eigen_svd_on<Isa>(a.data(), kRows, kColumns, false, s.data(), u.data(), v.data());
  EXPECT_LT(difference(a, u, s, v, true), kTolerance<T>);
  EXPECT_TRUE(std::is_sorted(s.rbegin(), s.rend()));
}

TYPED_TEST(EigenEntryPoints, eigenvectors_reconstruct_the_matrix) {
  using Isa = std::remove_pointer_t<std::tuple_element_t<0, TypeParam>>;
  using T = std::tuple_element_t<1, TypeParam>;
  Rows<T> a = some_rows<T>(kColumns, kColumns), v(kColumns, kColumns);
  for (std::int64_t i = 0; i < kColumns; ++i)
    for (std::int64_t j = 0; j < i; ++j) a.at(j, i) = a.at(i, j);
  std::vector<T> values(kColumns);
  ASSERT_TRUE(eigen_self_adjoint_on<Isa>(a.data(), kColumns, values.data(), v.data()));
  EXPECT_LT(difference(a, v, values, v, true), kTolerance<T>);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
}

}  // namespace
}  // namespace rill

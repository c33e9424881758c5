#include "rill/ops/math/rows/trigonometry_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace rill {
namespace {

// How far `got` is from `want`, in units of the last place of a float there.
double distance(float got, double want) {
  if (std::isnan(want)) return std::isnan(got) ? 0 : INFINITY;
  const auto rounded = static_cast<float>(want);
  if (got == rounded) return std::signbit(got) == std::signbit(rounded) ? 0 : INFINITY;
  if (!std::isfinite(got) || !std::isfinite(rounded)) return INFINITY;
  const int exponent = std::max(std::ilogb(want), -126);
  return std::abs(static_cast<double>(got) - want) / std::ldexp(1.0, exponent - 23);
}

// Floats of every size and sign, infinities and NaN among them, and some near 1.
std::vector<float> all_kinds() {
  std::vector<float> x;
  for (std::uint64_t bits = 0; bits < 1ull << 32; bits += 40961)
    x.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  for (int i = -30000; i <= 30000; ++i) x.push_back(static_cast<float>(i) / 20000);
  for (const float special : {0.0f, -0.0f, INFINITY, -INFINITY, 1.0f, -1.0f, 1e-45f, -1e-45f})
    x.push_back(special);
  return x;
}

TEST(TrigonometryRows, are_near_the_functions_of_double) {
  using Function = double (*)(double);
  const std::pair<Trigonometric, Function> kFunctions[] = {
      {Trigonometric::kSin, std::sin},     {Trigonometric::kCos, std::cos},
      {Trigonometric::kTan, std::tan},     {Trigonometric::kAsin, std::asin},
      {Trigonometric::kAcos, std::acos},   {Trigonometric::kAtan, std::atan},
      {Trigonometric::kSinh, std::sinh},   {Trigonometric::kCosh, std::cosh},
      {Trigonometric::kAsinh, std::asinh}, {Trigonometric::kAcosh, std::acosh},
      {Trigonometric::kAtanh, std::atanh}};
  const std::vector<float> x = all_kinds();
  std::vector<float> y(x.size());
  for (const auto& [name, function] : kFunctions) {
    find_trigonometric_rows(name, DType::f32).row(y.data(), x.data(), x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
      ASSERT_LE(distance(y[i], function(static_cast<double>(x[i]))), 2)
          << "function " << static_cast<int>(name) << " of " << x[i] << " gives " << y[i];
  }
}

TEST(TrigonometryRows, angle_is_near_that_of_double) {
  const std::vector<float> y = all_kinds();
  std::vector<float> x(y.rbegin(), y.rend()), angles(y.size());
  std::rotate(x.begin(), x.begin() + 977, x.end());
  find_atan2_rows(DType::f32).both(angles.data(), y.data(), x.data(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i)
    ASSERT_LE(distance(angles[i], std::atan2(static_cast<double>(y[i]), static_cast<double>(x[i]))),
              2)
        << y[i] << " over " << x[i];
}

TEST(TrigonometryRows, atan_of_double_is_near_that_of_long_double) {
  std::vector<double> x;
  for (int i = 0; i < 20000; ++i)
    x.push_back(std::ldexp(1 + std::fmod(i * 0.618, 1), i % 80 - 40) * (i % 3 == 0 ? -1 : 1));
  for (const double special : {0.0, -0.0, 1.0, 1e308, 5e-324, double(INFINITY), -double(INFINITY)})
    x.push_back(special);
  std::vector<double> y(x.size());
  find_trigonometric_rows(Trigonometric::kAtan, DType::f64).row(y.data(), x.data(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const long double want = std::atan(static_cast<long double>(x[i]));
    const long double unit = std::max(std::ldexp(1.0L, std::ilogb(want) - 52), 0x1p-1074L);
    ASSERT_LE(std::abs(y[i] - want), (x[i] == 0 ? 0 : 2 * unit)) << x[i];
    ASSERT_EQ(std::signbit(y[i]), std::signbit(x[i])) << x[i];
  }
}

// An element is the same among large ones, which are computed otherwise, and alone.
TEST(TrigonometryRows, elements_do_not_depend_on_their_neighbours) {
  std::vector<float> x = all_kinds(), y(x.size());
  const UnaryRow row = find_trigonometric_rows(Trigonometric::kSin, DType::f32).row;
  row(y.data(), x.data(), x.size());
  for (std::size_t i = 0; i < x.size(); i += 7) {
    float alone = 0;
    row(&alone, &x[i], 1);
    ASSERT_EQ(std::bit_cast<std::uint32_t>(alone), std::bit_cast<std::uint32_t>(y[i])) << x[i];
  }
}

}  // namespace
}  // namespace rill

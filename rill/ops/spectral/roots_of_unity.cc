#include "rill/ops/spectral/roots_of_unity.h"

#include <cmath>
#include <numbers>

namespace rill {

std::complex<double> root_of_unity(std::size_t k, std::size_t n) {
  const std::size_t eighth = 8 * k / n;  // n fits: arrays of its size exist
  const auto angle = [n](std::size_t part) {
    return 2 * std::numbers::pi * static_cast<double>(part) / static_cast<double>(n);
  };
  // Distances to the nearest multiple of a quarter turn, in eighths of n.
  const std::size_t quarter = (eighth + 1) / 2;
  const bool is_before = 4 * k < quarter * n;
  const std::size_t distance = is_before ? quarter * n - 4 * k : 4 * k - quarter * n;
  const double a = angle(distance) / 4;
  const double c = std::cos(a), s = is_before ? -std::sin(a) : std::sin(a);
  switch (quarter % 4) {
    case 0:
      return {c, -s};
    case 1:
      return {-s, -c};
    case 2:
      return {-c, s};
    default:
      return {s, c};
  }
}

}  // namespace rill

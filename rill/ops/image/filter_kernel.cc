#include "rill/ops/image/filter_kernel.h"

#include <cmath>
#include <numbers>

#include "rill/base/error.h"

namespace rill {
namespace {

template <int kRadius>
float lanczos(float x) {
  constexpr float kPi = std::numbers::pi_v<float>;
  if (x > kRadius) return 0;
  // Here the quotient of two small numbers would lose its digits.
  if (x <= 1e-3F) return 1;
  return kRadius * std::sin(kPi * x) * std::sin(kPi * x / kRadius) / (kPi * kPi * x * x);
}

float gaussian(float x) {
  constexpr float kRadius = 1.5F, kSigma = kRadius / 3;
  return x >= kRadius ? 0 : std::exp(-x * x / (2 * kSigma * kSigma));
}

float box(float x) { return x < 0.5F ? 1.0F : x == 0.5F ? 0.5F : 0.0F; }

float triangle(float x) { return x < 1 ? 1 - x : 0; }

// Cubics through their values, and with the smoothness of Mitchell and Netravali.
float keys_cubic(float x) {
  if (x >= 2) return 0;
  if (x >= 1) return ((-0.5F * x + 2.5F) * x - 4) * x + 2;
  return ((1.5F * x - 2.5F) * x) * x + 1;
}
float mitchell_cubic(float x) {
  if (x >= 2) return 0;
  if (x >= 1) return (((-7.0F / 18) * x + 2) * x - 10.0F / 3) * x + 16.0F / 9;
  return (((7.0F / 6) * x - 2) * x) * x + 8.0F / 9;
}

struct NamedKernel {
  std::string_view name;
  FilterKernel kernel;
};
constexpr NamedKernel kKernels[] = {
    {"lanczos1", {1, lanczos<1>}},
    {"lanczos3", {3, lanczos<3>}},
    {"lanczos5", {5, lanczos<5>}},
    {"gaussian", {1.5F, gaussian}},
    {"box", {1, box}},
    {"triangle", {1, triangle}},
    {"keyscubic", {2, keys_cubic}},
    {"mitchellcubic", {2, mitchell_cubic}},
};

}  // namespace

FilterKernel filter_kernel(std::string_view name) {
  for (const NamedKernel& known : kKernels)
    if (known.name == name) return known.kernel;
  raise(Code::kInvalidArgument, "Unrecognized kernel type: ", name);
}

}  // namespace rill

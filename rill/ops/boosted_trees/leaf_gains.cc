#include "rill/ops/boosted_trees/leaf_gains.h"

#include <cmath>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr float kTiny = 1e-15F;

// By how much l1 lets a gradient count.
float shrunk(float gradient, float l1) {
  if (gradient > l1) return gradient - l1;
  return gradient < -l1 ? gradient + l1 : 0;
}

}  // namespace

LeafGain::LeafGain(std::size_t logits, std::size_t hessian, Regularization regularization)
    : logits_(logits), hessian_(hessian), regularization_(regularization) {
  require(logits > 0 && (hessian == logits || hessian == logits * logits), "There are ", hessian,
          " Hessians for ", logits, " logits.");
}

float LeafGain::best(std::span<const float> gradients, std::span<const float> hessians,
                     std::vector<float>& weights) {
  if (hessian_ != logits_) return best_whole(gradients, hessians, weights);
  weights.assign(logits_, 0);
  float gain = 0;
  for (std::size_t i = 0; i < logits_; ++i) {
    const float curvature = hessians[i] + regularization_.l2;
    if (!(curvature > kTiny)) continue;
    // TensorFlow heeds l1 only where there is one logit.
    const float gradient = logits_ == 1 ? shrunk(gradients[i], regularization_.l1) : gradients[i];
    weights[i] = gradient == 0 ? 0 : -gradient / curvature;  // never -0
    gain += -gradient * weights[i];
  }
  return gain;
}

// Gauss-Jordan elimination of (H + l2 I | -g); directions without curvature stay at zero.
float LeafGain::best_whole(std::span<const float> gradients, std::span<const float> hessians,
                           std::vector<float>& weights) {
  const std::size_t n = logits_, width = n + 1;
  system_.assign(n * width, 0);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) system_[i * width + j] = hessians[j * n + i];
    system_[i * width + i] += regularization_.l2;
    system_[i * width + n] = -gradients[i];
  }
  for (std::size_t pivot = 0; pivot < n; ++pivot) {
    std::size_t best_row = pivot;
    for (std::size_t i = pivot; i < n; ++i)
      if (std::fabs(system_[i * width + pivot]) > std::fabs(system_[best_row * width + pivot]))
        best_row = i;
    if (!(std::fabs(system_[best_row * width + pivot]) > static_cast<double>(kTiny))) continue;
    for (std::size_t j = 0; j < width; ++j)
      std::swap(system_[pivot * width + j], system_[best_row * width + j]);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == pivot) continue;
      const double factor = system_[i * width + pivot] / system_[pivot * width + pivot];
      for (std::size_t j = pivot; j < width; ++j)
        system_[i * width + j] -= factor * system_[pivot * width + j];
    }
  }
  weights.assign(n, 0);
  float gain = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double diagonal = system_[i * width + i];
    if (std::fabs(diagonal) > static_cast<double>(kTiny))
      weights[i] = static_cast<float>(system_[i * width + n] / diagonal);
    gain += -gradients[i] * weights[i];
  }
  return gain;
}

}  // namespace rill

#include "rill/ops/sdca/dual_losses.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rill/base/error.h"

namespace rill {
namespace {

constexpr double kInfeasible = std::numeric_limits<double>::max();
constexpr int kNewtonSteps = 10;  // which converge quadratically

// --- squares: (prediction - label)^2 / 2 --------------------------------------------------------

double squared_update(double label, double dual, double prediction, double scale) {
  return dual + (label - dual - prediction) / (1 + scale);
}
double squared_primal(double prediction, double label) {
  return 0.5 * (prediction - label) * (prediction - label);
}
double squared_dual(double dual, double label) { return dual * (0.5 * dual - label); }
double squared_slope(double prediction, double label) { return prediction - label; }

// --- hinge: max(0, 1 - label prediction)
// ----------------------------------------------------------

double between_zero_and_label(double candidate, double label) {
  return std::clamp(label * candidate, 0.0, 1.0) * label;
}
double hinge_update(double label, double dual, double prediction, double scale) {
  return between_zero_and_label(dual + (label - prediction) / scale, label);
}
double hinge_primal(double prediction, double label) {
  return std::max(0.0, 1 - label * prediction);
}
double hinge_dual(double dual, double label) {
  const double share = dual * label;
  return share < 0 || share > 1 ? kInfeasible : -share;
}
double hinge_slope(double prediction, double label) { return label * prediction < 1 ? -label : 0; }

// The same with a parabola of this width instead of the corner.
constexpr double kWidth = 1;

double smooth_update(double label, double dual, double prediction, double scale) {
  return between_zero_and_label(dual + (label - prediction - kWidth * dual) / (scale + kWidth),
                                label);
}
double smooth_primal(double prediction, double label) {
  const double margin = label * prediction;
  if (margin >= 1) return 0;
  return margin <= 1 - kWidth ? 1 - margin - kWidth / 2
                              : (1 - margin) * (1 - margin) * 0.5 / kWidth;
}
double smooth_dual(double dual, double label) {
  const double share = dual * label;
  return share < 0 || share > 1 ? kInfeasible : -share + 0.5 * kWidth * dual * dual;
}
double smooth_slope(double prediction, double label) {
  const double margin = label * prediction;
  if (margin >= 1) return 0;
  return margin <= 1 - kWidth ? -label : (margin - 1) * label / kWidth;
}

// --- logistic: log(1 + exp(-label prediction))
// ----------------------------------------------------

// With dual = label (1 + tanh x) / 2 the optimum is where a function of x is 0.
double logistic_update(double label, double dual, double prediction, double scale) {
  double x = 0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const double t = std::tanh(x);
    const double value = -2 * label * x - prediction - scale * (0.5 * (1 + t) / label - dual);
    x -= value / (-2 * label - scale * (1 - t * t) * 0.5 / label);
  }
  return 0.5 * (1 + std::tanh(x)) / label;
}
double logistic_primal(double prediction, double label) {
  const double margin = label * prediction;
  return std::log1p(std::exp(-std::fabs(margin))) + std::max(0.0, -margin);
}
double logistic_dual(double dual, double label) {
  const double share = dual * label;
  if (share < 0 || share > 1) return kInfeasible;
  if (share == 0 || share == 1) return 0;
  return (1 - share) * std::log1p(-share) + share * std::log(share);
}
double logistic_slope(double prediction, double label) {
  const double margin = label * prediction;
  const double small = std::exp(-std::fabs(margin));
  return -label * (margin > 0 ? small : 1) / (1 + small);
}

// --- Poisson: exp(prediction) - label prediction
// --------------------------------------------------

// With dual = label - exp(x).
double poisson_update(double label, double dual, double prediction, double scale) {
  double x = 0;
  for (int step = 0; step < kNewtonSteps; ++step) {
    const double rate = std::exp(x);
    const double value = x - prediction - scale * (label - dual - rate);
    x -= value / (1 + scale * rate);
  }
  return label - std::exp(x);
}
double poisson_primal(double prediction, double label) {
  return std::exp(prediction) - prediction * label;
}
double poisson_dual(double dual, double label) {
  const double rate = label - dual;
  if (rate < 0) return kInfeasible;
  return rate == 0 ? 0 : rate * (std::log(rate) - 1);
}
double poisson_slope(double prediction, double label) { return std::exp(prediction) - label; }

constexpr DualLoss kLosses[] = {
    {"logistic_loss", logistic_update, logistic_primal, logistic_dual, logistic_slope, 4, true,
     false},
    {"squared_loss", squared_update, squared_primal, squared_dual, squared_slope, 1, false, false},
    {"hinge_loss", hinge_update, hinge_primal, hinge_dual, hinge_slope, 0, true, false},
    {"smooth_hinge_loss", smooth_update, smooth_primal, smooth_dual, smooth_slope, 1, true, false},
    {"poisson_loss", poisson_update, poisson_primal, poisson_dual, poisson_slope, 0, false, true},
};

}  // namespace

const DualLoss& dual_loss(std::string_view name) {
  const auto* found = std::ranges::find(kLosses, name, &DualLoss::name);
  require(found != std::end(kLosses), "Unsupported loss type: ", name);
  return *found;
}

double checked_label(const DualLoss& loss, double label) {
  if (loss.is_binary) {
    require(label == 0 || label == 1,
            "Only labels of 0.0 or 1.0 are supported right now. Found example with label: ", label);
    return label == 0 ? -1 : 1;
  }
  require(!loss.needs_count_label || label >= 0,
          "Only non-negative labels can be used with the Poisson log loss. Found example with "
          "label: ",
          label);
  return label;
}

}  // namespace rill

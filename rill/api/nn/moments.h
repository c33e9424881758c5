#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/shape_input.h"

namespace rill::nn {

struct Moments {
  Output mean = {}, variance = {};
};
struct MomentsOptions {
  bool keepdims = false;  // the axes stay, with size 1
  std::string name{};
};
// Mean and variance (divided by n) over axes, which are numbers. Halves are computed as floats. For
// batch normalisation of images the axes are {0, 1, 2}.
Moments moments(const Input& x, const ShapeInput& axes, const MomentsOptions& options = {},
                std::source_location at = std::source_location::current());
// The same where each element counts as often as `frequency_weights` says.
Moments weighted_moments(const Input& x, const ShapeInput& axes, const Input& frequency_weights,
                         const MomentsOptions& options = {},
                         std::source_location at = std::source_location::current());

struct SufficientStatistics {
  Output counts = {}, mean_ss = {}, variance_ss = {};
  std::optional<Output> shift{};
};
struct StatisticsOptions {
  OptionalInput shift{};  // near the mean, so that less is lost
  bool keepdims = false;
  std::string name{};
};
// What moments can be computed from: how many elements there are over the axes, their sum and the
// sum of their squares, each after `shift` was subtracted.
SufficientStatistics sufficient_statistics(
    const Input& x, std::vector<std::int64_t> axes, const StatisticsOptions& options = {},
    std::source_location at = std::source_location::current());
// shift: the one that the sums were made with.
struct NormalizeOptions {
  OptionalInput shift{};
  std::string name{};
};
// The moments of those sums: mean_ss / counts + shift, and variance_ss / counts less the square of
// the first.
Moments normalize_moments(const Input& counts, const Input& mean_ss, const Input& variance_ss,
                          const NormalizeOptions& options = {},
                          std::source_location at = std::source_location::current());

}  // namespace rill::nn

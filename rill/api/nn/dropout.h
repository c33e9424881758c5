#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/shape_input.h"

namespace rill::nn {

struct DropoutOptions {
  std::optional<Input> keep_prob{};         // the older way to say rate = 1 - keep_prob
  std::optional<ShapeInput> noise_shape{};  // what is drawn; -1: the size that x has
  std::optional<std::int64_t> seed{};
  std::optional<Input> rate{};  // the share of elements that become 0
  std::string name{};
};
// x with some elements replaced by 0 at random, and the others made larger by as much as keeps the
// mean. Throws InvalidArgument when the rate is not in [0, 1) or x is not of floats.
Output dropout(const Input& x, const DropoutOptions& options,
               std::source_location at = std::source_location::current());

}  // namespace rill::nn

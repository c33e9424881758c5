#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/shape_input.h"

namespace rill::nn {

struct DropoutOptions {
  OptionalInput keep_prob{};    // the older way to say rate = 1 - keep_prob
  OptionalInput noise_shape{};  // what is drawn; -1: the size that x has
  std::optional<std::int64_t> seed{};
  OptionalInput rate{};  // the share of elements that become 0
  std::string name{};
};
// x with some elements replaced by 0 at random, and the others divided by 1 - rate, which keeps the
// mean. A rate that is known to be 0 gives x itself. Throws InvalidArgument when the rate is not in
// [0, 1), both rate and keep_prob or none of them are given, or x is not of floats.
//
//   nn::dropout(x, {.rate = 0.5});
//   nn::dropout(x, {.noise_shape = {-1, 1, 1, 3}, .rate = 0.2});  // whole channels at once
Output dropout(const Input& x, const DropoutOptions& options,
               std::source_location at = std::source_location::current());

}  // namespace rill::nn

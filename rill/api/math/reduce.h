#pragma once

#include <optional>
#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill {

// Values over axes. Without an axis all elements become one; axes are counted from the end where
// they are negative. Throws InvalidArgument when there is no such axis.
struct ReduceOptions {
  OptionalInput axis{};
  bool keepdims = false;  // the axes stay, with size 1
  std::string name{};
};

// Of no elements 0, as reduce_prod of none is 1.
//
//   reduce_sum(x, {.axis = -1, .keepdims = true});
Output reduce_sum(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
// Of integers an integer, as TensorFlow has it: the fraction is lost.
Output reduce_mean(const Input& input_tensor, const ReduceOptions& options = {},
                   std::source_location at = std::source_location::current());
// Of no elements minus infinity, or the lowest number of a type without infinities; the largest
// for reduce_min.
Output reduce_max(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
Output reduce_min(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
Output reduce_prod(const Input& input_tensor, const ReduceOptions& options = {},
                   std::source_location at = std::source_location::current());
// Of truth values; of none at all any is false and all is true.
Output reduce_any(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());
Output reduce_all(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());

// log(sum(exp(x))), without overflow: the largest finite value is taken out of the sum first.
Output reduce_logsumexp(const Input& input_tensor, const ReduceOptions& options = {},
                        std::source_location at = std::source_location::current());

struct CountNonzeroOptions {
  OptionalInput axis{};
  bool keepdims = false;
  DType dtype = DType::i64;
  std::string name{};
};
// How many elements are not zero, not false, not empty. NaN counts.
Output count_nonzero(const Input& input_tensor, const CountNonzeroOptions& options = {},
                     std::source_location at = std::source_location::current());

namespace math {
using rill::count_nonzero;
using rill::reduce_all;
using rill::reduce_any;
using rill::reduce_logsumexp;
using rill::reduce_max;
using rill::reduce_mean;
using rill::reduce_min;
using rill::reduce_prod;
using rill::reduce_sum;

// The root of the sum of squares.
Output reduce_euclidean_norm(const Input& input_tensor, const ReduceOptions& options = {},
                             std::source_location at = std::source_location::current());
// The mean square of the distance from the mean (divided by n, not by n - 1), and its root; of
// floats and complex numbers. Throws TypeError for integers.
Output reduce_variance(const Input& input_tensor, const ReduceOptions& options = {},
                       std::source_location at = std::source_location::current());
Output reduce_std(const Input& input_tensor, const ReduceOptions& options = {},
                  std::source_location at = std::source_location::current());

// The share of elements that are zero, as float32. NaN where there are no elements.
Output zero_fraction(const Input& value, const std::string& name = {},
                     std::source_location at = std::source_location::current());
}  // namespace math

namespace nn {
using math::zero_fraction;
}

}  // namespace rill

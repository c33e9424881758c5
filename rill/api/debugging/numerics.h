#pragma once

#include <source_location>
#include <string>

#include "rill/api/core/default_graph.h"

namespace rill::debugging {

struct CheckNumericsOptions {
  std::string name = {};
};
// `tensor`; the step fails with InvalidArgument and `message` where it holds NaN or infinity. Use
// the result, or nothing is checked.
Output check_numerics(const Input& tensor, const std::string& message,
                      const CheckNumericsOptions& options = {},
                      std::source_location at = std::source_location::current());

struct AllFiniteOptions {
  std::string name = {};
};
// The same as a check that stands beside the tensor, on its device; older programs call it
// verify_tensor_all_finite.
Output assert_all_finite(const Input& t, const std::string& msg,
                         const AllFiniteOptions& options = {},
                         std::source_location at = std::source_location::current());

struct OrderOptions {
  std::string name = {};
};
// Whether no element, in row-major order, is less than the one before; or each is greater. True for
// fewer than two elements.
Output is_non_decreasing(const Input& x, const OrderOptions& options = {},
                         std::source_location at = std::source_location::current());
Output is_strictly_increasing(const Input& x, const OrderOptions& options = {},
                              std::source_location at = std::source_location::current());

}  // namespace rill::debugging

namespace rill {

using debugging::check_numerics;
using debugging::is_non_decreasing;
using debugging::is_strictly_increasing;
inline constexpr auto& verify_tensor_all_finite = debugging::assert_all_finite;

// One operation that checks every half, float and double tensor of the graph, in the order in which
// they were made, so that the first bad one is named. Tensors that are added later are not checked.
// Throws InvalidArgument where the graph has branches or loops.
Node& add_check_numerics_ops(std::source_location at = std::source_location::current());

}  // namespace rill

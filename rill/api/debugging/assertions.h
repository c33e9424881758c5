#pragma once

#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/base/error.h"

namespace rill::debugging {

// A check that failed while the graph was built, with InvalidArgument, the code of one that fails
// in a step.
class FailedAssertion : public Error {
  using Error::Error;
};

// `data` takes the place of what a failure shows of the operands; an empty name is that of the
// function.
struct AssertionOptions {
  std::optional<std::vector<Input>> data = {};  // shown on failure; the operands where not given
  std::optional<int> summarize = {};            // how many elements of each are shown; 3
  std::string message = {};                     // shown first
  std::string name = {};
};
// Each returns an operation that fails the step with InvalidArgument unless the condition holds for
// every element of x and y, broadcast. It checks only where it runs:
//
//   ControlDependencies after(std::vector<Node*>{&assert_positive(x)});
//   Output y = log(x);
//
// Throws FailedAssertion at once where both are known and it does not hold. Empty tensors pass.
Node& assert_equal(const Input& x, const Input& y, const AssertionOptions& options = {},
                   std::source_location at = std::source_location::current());
Node& assert_none_equal(const Input& x, const Input& y, const AssertionOptions& options = {},
                        std::source_location at = std::source_location::current());
Node& assert_less(const Input& x, const Input& y, const AssertionOptions& options = {},
                  std::source_location at = std::source_location::current());
Node& assert_less_equal(const Input& x, const Input& y, const AssertionOptions& options = {},
                        std::source_location at = std::source_location::current());
Node& assert_greater(const Input& x, const Input& y, const AssertionOptions& options = {},
                     std::source_location at = std::source_location::current());
Node& assert_greater_equal(const Input& x, const Input& y, const AssertionOptions& options = {},
                           std::source_location at = std::source_location::current());
// The same against zero; 0 is neither negative nor positive.
Node& assert_negative(const Input& x, const AssertionOptions& options = {},
                      std::source_location at = std::source_location::current());
Node& assert_positive(const Input& x, const AssertionOptions& options = {},
                      std::source_location at = std::source_location::current());
Node& assert_non_negative(const Input& x, const AssertionOptions& options = {},
                          std::source_location at = std::source_location::current());
Node& assert_non_positive(const Input& x, const AssertionOptions& options = {},
                          std::source_location at = std::source_location::current());

// Tolerances are tensors or numbers; a default is 1.2e-6 for float32 and 2.2e-15 for float64.
struct AssertNearOptions {
  OptionalInput rtol = {}, atol = {};  // ten times the step of the type at 1
  std::optional<std::vector<Input>> data = {};
  std::optional<int> summarize = {};
  std::string message = {};
  std::string name = {};
};
// x - y| < atol + rtol * |y|; never decided while the graph is built. Throws InvalidArgument for
// integers without tolerances.
Node& assert_near(const Input& x, const Input& y, const AssertNearOptions& options = {},
                  std::source_location at = std::source_location::current());

// "" or the message as it begins longer ones: "message.  ".
std::string message_prefix(const std::string& message);

}  // namespace rill::debugging

namespace rill {
using debugging::assert_equal;
using debugging::assert_greater;
using debugging::assert_greater_equal;
using debugging::assert_less;
using debugging::assert_less_equal;
using debugging::assert_near;
using debugging::assert_negative;
using debugging::assert_non_negative;
using debugging::assert_non_positive;
using debugging::assert_none_equal;
using debugging::assert_positive;
}  // namespace rill

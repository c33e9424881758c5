#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/debugging/assertions.h"

namespace rill::debugging {

// Operations that fail the step unless x has the rank, a scalar of int32. Throw InvalidArgument at
// once where both ranks are known and do not fit, and a type error, of the same code, where `rank`
// is no int32. A known rank that fits costs nothing: the result is then a NoOp.
Node& assert_rank(const Input& x, const Input& rank, const AssertionOptions& options = {},
                  std::source_location at = std::source_location::current());
Node& assert_rank_at_least(const Input& x, const Input& rank, const AssertionOptions& options = {},
                           std::source_location at = std::source_location::current());
Node& assert_rank_in(const Input& x, const Inputs& ranks, const AssertionOptions& options = {},
                     std::source_location at = std::source_location::current());

struct AssertScalarOptions {
  std::string name = {};
  std::string message = {};
};
// `tensor`, which must be known to be a scalar while the graph is built; throws InvalidArgument
// otherwise. Nothing is left to the step.
Output assert_scalar(const Input& tensor, const AssertScalarOptions& options = {},
                     std::source_location at = std::source_location::current());

}  // namespace rill::debugging

namespace rill {
using debugging::assert_rank;
using debugging::assert_rank_at_least;
using debugging::assert_rank_in;
using debugging::assert_scalar;
}  // namespace rill

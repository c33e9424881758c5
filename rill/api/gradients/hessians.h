#pragma once

#include <source_location>
#include <vector>

#include "rill/api/core/gradients.h"

namespace rill {

// The second derivatives of the sum of `ys` by each of `xs`: for a tensor of shape S one of shape
// S + S. Of a variable its handle() is given, as to gradients(). Throws InvalidArgument where no y
// depends on an x.
std::vector<Output> hessians(const std::vector<Output>& ys, const std::vector<Output>& xs,
                             const GradientOptions& options = {},
                             std::source_location at = std::source_location::current());

// The derivatives of every element of `y` by each element of `x`: a tensor of y's shape + x's
// shape, or nothing where y does not depend on x.
Gradient jacobian(Output y, Output x, const GradientOptions& options = {},
                  std::source_location at = std::source_location::current());

// The derivatives of each row of `y` by the same row of `x`: a tensor of y's shape + the shape of
// a row of x. Rows must not depend on each other; throws InvalidArgument as hessians does.
Output batch_jacobian(Output y, Output x, const GradientOptions& options = {},
                      std::source_location at = std::source_location::current());

}  // namespace rill

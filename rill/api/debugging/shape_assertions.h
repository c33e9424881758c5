#pragma once

#include <cstdint>
#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/debugging/assertions.h"

namespace rill::debugging {

// What a dimension must be: anything (nothing given), of a size, or of the size that all dimensions
// of this symbol have, in whichever tensor they are.
using DimSpec = std::variant<std::monostate, std::int64_t, std::string>;
struct ShapeSpec {
  Input x;
  std::vector<DimSpec> dims = {};
  bool any_prefix = false;  // further dimensions may come before
};

// One operation that fails the step unless all tensors have their shapes; a scalar counts as a
// vector of one element. Throws InvalidArgument at once for what is known not to fit.
//
//   assert_shapes({{x, {"n", "d"}}, {y, {"n"}}, {w, {"d", 3}}});
Node& assert_shapes(const std::vector<ShapeSpec>& shapes, const AssertionOptions& options = {},
                    std::source_location at = std::source_location::current());

}  // namespace rill::debugging

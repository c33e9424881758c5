#pragma once

#include <string_view>

#include "rill/graph/scope.h"

namespace rill {

// `value` under `shape`, which may have more elements: the last one is repeated; none at all are
// zeros. Throws InvalidArgument when `shape` has fewer.
Tensor filled(const Tensor& value, const Shape& shape);

// A constant of that. Where values are repeated, GraphDefs hold only those that were given, which
// the attribute kGivenElements, kept to ourselves, counts.
Output filled_constant(Scope& scope, const Tensor& value, const Shape& shape,
                       std::string_view name = "Const");
inline constexpr std::string_view kGivenElements = "_given_elements";

}  // namespace rill

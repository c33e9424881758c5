#pragma once

#include <cstdint>
#include <optional>

#include "rill/api/array/extent.h"
#include "rill/api/core/default_graph.h"

namespace rill::signal {

// What the functions of this folder are made of. All build in current_scope().

// Throw InvalidArgument where the rank is known to be another one, or less.
void require_scalar(Output x);
void require_rank_at_least(Output x, int rank);

// The number that an integer scalar is known to be.
std::optional<std::int64_t> known_number(Output x);
// The same as a number or the tensor.
Extent extent_of(Output x);

// -(-a // b)
Output rounded_up_quotient(Output a, Output b);
Extent rounded_up_quotient(const Extent& a, const Extent& b);

// x[..., :size], x[..., :size, :], and of a vector x[:size].
Output first_of_last(Output x, const Extent& size);
Output rows_of_last_two(Output x, const Extent& size);
Output head_of(Output x, Output size);

// The greatest common divisor; known where both numbers are.
Output gcd(Output a, Output b);
// The least power of two that is not less.
Output enclosing_power_of_two(Output x);

}  // namespace rill::signal

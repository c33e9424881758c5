#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::math_parts {

// What the functions of this folder are made of. All build in current_scope().

// The second operand: a value takes the type of the first where it can.
inline Output like(const Input& value, std::string_view name, Output first) {
  return value.as_output(current_scope(), name, base_type(first.dtype()));
}

inline DType type_of(Output x) { return base_type(x.dtype()); }

// Throws InvalidArgument as a wrong kind unless both have one type.
void require_same_type(Output x, Output y);

// Numbers as a vector of int32, and one number of a type.
Tensor int_vector(const std::vector<std::int64_t>& values);
Tensor number(DType dtype, double value);

// The values of an integer tensor that is known before anything runs; throws InvalidArgument
// otherwise, naming `what`.
std::vector<std::int64_t> known_integers(const Input& value, std::string_view what);
bool is_known(const Input& value);

}  // namespace rill::math_parts

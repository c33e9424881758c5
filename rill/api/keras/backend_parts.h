#pragma once

#include <cstdint>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::keras::parts {

// What the functions of this folder are made of. All build in current_scope().

// The number of elements along a dimension: a value where it is known.
Input dim_of(Output x, int axis);
// A vector of such numbers as a tensor of int32: a constant where all are known.
Input dims(const Inputs& sizes);
Output reshape_to(Output x, const Inputs& sizes);
Output permuted(Output x, const std::vector<std::int64_t>& order);
// `x` as a tensor of the default graph.
Output tensor(const Input& x);
// A value of the type of `like`.
Output number(double value, Output like);

bool is_channels_first(const std::string& data_format);  // of image_data_format() when empty
// A shape with something in place of a dimension; axes may be negative.
int axis_in(int axis, Output x);
// a * b and a + b. They throw InvalidArgument where that is more than fits.
std::int64_t product(std::int64_t a, std::int64_t b);
std::int64_t sum(std::int64_t a, std::int64_t b);

}  // namespace rill::keras::parts

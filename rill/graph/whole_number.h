#pragma once

#include <cstdint>

#include "rill/graph/scope.h"

namespace rill {

// A size, index or axis, which has no type of its own: where no type is wanted it is int32 if it
// fits, else int64, as a number of Python's is. An Input made of a std::int64_t keeps that type.
Input whole_number(std::int64_t value);

}  // namespace rill

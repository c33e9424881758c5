#pragma once

#include <source_location>
#include <string>
#include <string_view>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/math/options.h"

namespace rill {

// Products of tensors in Einstein's notation: "ij,jk->ik" multiplies matrices. A letter names a
// dimension; one that is missing from the result is summed over; without "->" the result has, in
// the order of the alphabet, the letters that occur once. "..." stands for further dimensions,
// which broadcast. A letter that an input has twice stands for its diagonal: "ii->i", and "ii" is
// the trace. Throws InvalidArgument when the equation does not fit the inputs.
Output einsum(std::string_view equation, const Inputs& inputs, const MathOptions& options = {},
              std::source_location at = std::source_location::current());

namespace linalg {
using rill::einsum;
}

}  // namespace rill

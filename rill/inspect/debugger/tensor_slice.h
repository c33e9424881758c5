#pragma once

#include <string>

#include "rill/tensor/tensor.h"

namespace rill::debugger {

// What "[0:2, :, -1]" picks of a tensor, as NumPy does; "" is all of it. Throws InvalidArgument for
// a malformed text, OutOfRange for an index beyond its axis.
Tensor sliced(const Tensor& tensor, const std::string& slicing);

}  // namespace rill::debugger

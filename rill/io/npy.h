#pragma once

#include <string>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill {

// numpy's .npy format: one array. Texts are of fixed length there: zeros at their ends are lost.

// Reads numbers of either byte order and either order of dimensions, and texts as bytes ("S") or
// characters ("U"). Throws InvalidArgument when the bytes are no such file, or hold objects.
Tensor parse_npy(std::string_view bytes);

// Throws Unimplemented for types that numpy does not have.
std::string npy_bytes(const Tensor& tensor);

}  // namespace rill

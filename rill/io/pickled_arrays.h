#pragma once

#include <string_view>

#include "rill/io/pickled.h"
#include "rill/tensor/tensor.h"

namespace rill {

// The numbers of an array of NumPy's that pickle wrote. Throws as parse_npy() does.
Tensor pickled_array(const Pickled& array);

// The elements of an .npy file whose elements are objects. Throws InvalidArgument for other files.
Pickled::List parse_npy_objects(std::string_view bytes);

}  // namespace rill

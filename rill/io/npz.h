#pragma once

#include <map>
#include <string>
#include <string_view>

#include "rill/tensor/tensor.h"

namespace rill {

// NumPy's files. One array, as numpy.save writes it; `what` names it in errors. Numbers, booleans
// and byte strings in row-major order are read; anything else throws Unimplemented, and what is
// damaged InvalidArgument.
Tensor parse_npy(std::string_view bytes, std::string_view what);

// Arrays by name, as numpy.savez and savez_compressed write them.
std::map<std::string, Tensor> read_npz(const std::string& path);

}  // namespace rill

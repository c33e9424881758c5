#pragma once

#include <map>
#include <string>

#include "rill/tensor/tensor.h"

namespace rill {

// Arrays by name, as numpy.savez and savez_compressed write them.
std::map<std::string, Tensor> read_npz(const std::string& path);

}  // namespace rill

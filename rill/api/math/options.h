#pragma once

#include <string>

namespace rill {

// The keyword arguments of functions that have no others.
struct MathOptions {
  std::string name{};
};

}  // namespace rill

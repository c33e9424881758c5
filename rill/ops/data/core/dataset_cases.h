#pragma once

#include <string>

namespace rill {

// The statement that rows of datasets begin with: n, the numbers 0, 1, ... below `count`.
inline std::string numbers(int count) {
  return "n = RangeDataset(0, " + std::to_string(count) +
         ", 1, output_types=[int64], output_shapes=[[]])\n";
}

}  // namespace rill

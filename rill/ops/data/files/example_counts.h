#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rill {

// How many features a serialized Example has, and how many values those under `keys`. None in what
// is no Example.
struct ExampleCounts {
  ExampleCounts(const std::string& bytes, const std::vector<std::string>& keys);
  std::int64_t features = 0, values = 0;
};

}  // namespace rill

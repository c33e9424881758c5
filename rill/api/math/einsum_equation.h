#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rill {

// An equation of einsum, one letter per dimension. Where it had "...", the dimensions have capital
// letters that it does not use otherwise, the last one common to all.
struct EinsumEquation {
  std::vector<std::string> inputs = {};
  std::string output = {};
};

// `ranks` are those of the inputs, -1 where unknown. Throws InvalidArgument.
EinsumEquation parse_einsum(std::string_view equation, const std::vector<int>& ranks);

}  // namespace rill

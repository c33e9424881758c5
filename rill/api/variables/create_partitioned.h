#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <vector>

#include "rill/api/variables/get_variable.h"

namespace rill {

struct CreatePartitionedOptions {
  DType dtype = DType::f32;
  bool trainable = true;
  std::optional<std::vector<std::string>> collections = {};
  std::string name = {};  // empty: "PartitionedVariable", made unique
  Reuse reuse = Reuse::kUnset;
};
// The parts of a variable that is cut along one dimension: slicing {1, 3} makes three of columns.
// Throws InvalidArgument for scalars, and when `slicing` does not fit `shape`.
std::vector<Variable> create_partitioned_variables(
    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& slicing,
    const Initializer& initializer, const CreatePartitionedOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill

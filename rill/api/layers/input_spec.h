#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill::layers {

// What an input of a layer must be like. What is not said goes, and so does what is unknown while
// the graph is built.
struct InputSpec {
  DType dtype = DType::invalid;  // invalid: any
  std::optional<PartialShape> shape = {};
  std::optional<int> ndim = {}, max_ndim = {}, min_ndim = {};
  std::map<int, std::optional<std::int64_t>>
      axes;  // sizes of some dimensions; negative: from the end
};
using InputSpecs = std::vector<InputSpec>;  // none: anything goes

// Throws InvalidArgument with TensorFlow's words when there are more or fewer inputs than specs or
// one is not so. From the first input of unknown rank on nothing is checked.
void check_inputs(const InputSpecs& specs, const std::vector<Output>& inputs,
                  std::string_view name);

}  // namespace rill::layers

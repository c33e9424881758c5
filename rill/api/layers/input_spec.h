#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "rill/graph/scope.h"

namespace rill::layers {

// What an input of a layer must be like.
struct InputSpec {
  DType dtype = DType::invalid;  // invalid: any
  std::optional<PartialShape> shape;
  std::optional<int> ndim, max_ndim, min_ndim;
  std::map<int, std::optional<std::int64_t>>
      axes;  // sizes of some dimensions; negative: from the end
};
using InputSpecs = std::vector<InputSpec>;  // none: anything goes

// Throws InvalidArgument with TensorFlow's words when the inputs of the layer `name` are not so.
void check_inputs(const InputSpecs& specs, const std::vector<Output>& inputs,
                  std::string_view name);

}  // namespace rill::layers

#pragma once

#include <source_location>
#include <string>
#include <variant>
#include <vector>

#include "rill/api/ragged/ragged_tensor.h"

namespace rill::ragged {

using RaggedOrDense = std::variant<Output, RaggedTensor>;

struct JoinOptions {
  std::string name;
};
// A new dimension `axis` along which `values`, of one rank, stand side by side. Ragged, unless
// vectors become columns. Throws InvalidArgument for no values, ranks that are unknown or differ,
// and an axis that is not there.
RaggedOrDense stack(const std::vector<RaggedOrDense>& values, int axis = 0,
                    const JoinOptions& options = {},
                    std::source_location at = std::source_location::current());
// Those elements whose place in `mask` is true. The result is ragged where the mask has several
// dimensions. Throws InvalidArgument where the mask is a scalar or of unknown rank.
RaggedOrDense boolean_mask(const RaggedOrDense& data, const RaggedOrDense& mask,
                           const JoinOptions& options = {},
                           std::source_location at = std::source_location::current());
// Row p holds the slices of `data` whose partition is p, in order. The first dimensions of data are
// those of partitions, whose rank must be known (InvalidArgument). A partition outside of [0,
// num_partitions) fails the step.
RaggedTensor stack_dynamic_partitions(const Input& data, const Input& partitions,
                                      const Input& num_partitions, const JoinOptions& options = {},
                                      std::source_location at = std::source_location::current());

}  // namespace rill::ragged

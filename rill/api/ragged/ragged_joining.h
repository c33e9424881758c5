#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/ragged/ragged_or_dense.h"

// Dimensions of ragged tensors: joined, added, taken away, repeated. As with plain tensors axes may
// be negative; one that is not there throws InvalidArgument.
namespace rill::ragged {

struct JoinOptions {
  std::string name = {};
};
// One after the other along `axis`; the rows of dimensions before it must be equal, or the step
// fails. Throws InvalidArgument for no values and for ranks that are unknown or differ, as stack
// does.
RaggedOrDense concat(const std::vector<RaggedOrDense>& values, int axis,
                     const JoinOptions& options = {},
                     std::source_location at = std::source_location::current());
// A new dimension `axis` along which `values`, of one rank, stand side by side. Ragged, unless
// vectors become columns.
RaggedOrDense stack(const std::vector<RaggedOrDense>& values, int axis = 0,
                    const JoinOptions& options = {},
                    std::source_location at = std::source_location::current());

// A new dimension of size 1.
RaggedOrDense expand_dims(const RaggedOrDense& input, int axis, const JoinOptions& options = {},
                          std::source_location at = std::source_location::current());
// Without dimensions of size 1, which must be named.
RaggedOrDense squeeze(const RaggedOrDense& input, const std::vector<int>& axes,
                      const JoinOptions& options = {},
                      std::source_location at = std::source_location::current());
// Each dimension as often as `multiples` says, a vector with a number for each of them.
RaggedTensor tile(const RaggedTensor& input, const Input& multiples,
                  const JoinOptions& options = {},
                  std::source_location at = std::source_location::current());
RaggedTensor reverse(const RaggedTensor& input, const std::vector<int>& axes,
                     const JoinOptions& options = {},
                     std::source_location at = std::source_location::current());
// The number of dimensions; of values.
Output rank(const RaggedTensor& input, const JoinOptions& options = {},
            std::source_location at = std::source_location::current());
Output size(const RaggedTensor& input, DType out_type = DType::i32, const JoinOptions& options = {},
            std::source_location at = std::source_location::current());

}  // namespace rill::ragged

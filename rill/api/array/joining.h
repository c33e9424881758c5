#pragma once

#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill {

// Tensors put together and taken apart.
//
//   Output both = concat({a, b}, -1);                // [n, p] and [n, q] make [n, p + q]
//   std::vector<Output> halves = split(both, 2, {.axis = 1});
//
// Axes may be negative: from the end. Shapes that are known not to fit throw InvalidArgument when
// the node is made; others fail the step.

struct ConcatOptions {
  std::string name = "concat";
};
// One after the other along dimension `axis`; the other dimensions must be equal. Of one value it
// is an Identity.
Output concat(const Inputs& values, const Input& axis, const ConcatOptions& options = {},
              std::source_location at = std::source_location::current());

struct StackOptions {
  std::int64_t axis = 0;
  std::string name = "stack";
};
// Along a new dimension; all values have one shape. Throws InvalidArgument when there is no such
// axis or no value.
Output stack(const Inputs& values, const StackOptions& options = {},
             std::source_location at = std::source_location::current());

struct ParallelStackOptions {
  std::string name = "parallel_stack";
};
// Along a new first dimension, each value as soon as it is there. All shapes must be known.
Output parallel_stack(const Inputs& values, const ParallelStackOptions& options = {},
                      std::source_location at = std::source_location::current());

struct UnstackOptions {
  std::optional<std::int64_t> num = {};  // needed where the size of the dimension is not known
  std::int64_t axis = 0;
  std::string name = "unstack";
};
// The slices along a dimension, without it. Throws InvalidArgument when their number is unknown.
std::vector<Output> unstack(const Input& value, const UnstackOptions& options = {},
                            std::source_location at = std::source_location::current());

struct SplitOptions {
  Input axis = 0;
  std::optional<std::int64_t> num = {};  // needed where the number of sizes is not known
  std::string name = "split";
};
// Parts of equal size along a dimension, which num_splits must divide.
std::vector<Output> split(const Input& value, std::int64_t num_splits,
                          const SplitOptions& options = {},
                          std::source_location at = std::source_location::current());
// Parts of these sizes, of which one may be -1. Throws InvalidArgument when their number is
// unknown.
std::vector<Output> split_sizes(const Input& value, const Input& sizes,
                                const SplitOptions& options = {},
                                std::source_location at = std::source_location::current());

struct PadOptions {
  std::string mode = "CONSTANT";  // or "REFLECT", "SYMMETRIC", in any case
  OptionalInput constant_values = {};
  std::string name = {};
};
// paddings[i] are the numbers of elements to add before and after dimension i. "REFLECT" mirrors
// without the border, "SYMMETRIC" with it; their paddings cannot exceed the size. constant_values
// are 0 where absent. Throws InvalidArgument for another mode.
Output pad(const Input& tensor, const Input& paddings, const PadOptions& options = {},
           std::source_location at = std::source_location::current());

struct StridedSliceOptions {
  OptionalInput strides = {};  // ones when absent
  std::int64_t begin_mask = 0, end_mask = 0, ellipsis_mask = 0, new_axis_mask = 0,
               shrink_axis_mask = 0;
  std::string name = {};
};
// What x[begin:end:stride, ...] of Python makes; see core/slicing.h for a plainer form. Bit i of a
// mask speaks of part i: ignore begin or end, "...", a new axis, an index that removes its
// dimension.
Output strided_slice(const Input& input, const Input& begin, const Input& end,
                     const StridedSliceOptions& options = {},
                     std::source_location at = std::source_location::current());

struct RepeatOptions {
  std::optional<std::int64_t> axis = {};  // absent: the flattened tensor
  std::string name = {};
};
// Each element, or slice along `axis`, as often as `repeats` says: one number for all, or one for
// each. Throws InvalidArgument where the rank is unknown or lengths are known to differ.
Output repeat(const Input& input, const Input& repeats, const RepeatOptions& options = {},
              std::source_location at = std::source_location::current());

struct SpaceToBatchOptions {
  std::string name = {};
};
// Moves blocks of a padded image into the batch, and back; block_size must divide the padded height
// and width.
Output space_to_batch(const Input& input, const Input& paddings, std::int64_t block_size,
                      const SpaceToBatchOptions& options = {},
                      std::source_location at = std::source_location::current());
Output batch_to_space(const Input& input, const Input& crops, std::int64_t block_size,
                      const SpaceToBatchOptions& options = {},
                      std::source_location at = std::source_location::current());

struct RequiredPaddingsOptions {
  OptionalInput base_paddings = {};
  std::string name = {};
};
// The paddings that make a shape divisible by `block_shape`, and the crops that undo them.
// base_paddings are the least that there must be. Throws InvalidArgument where block_shape is no
// vector of known length or a block not positive.
std::pair<Output, Output> required_space_to_batch_paddings(
    const Input& input_shape, const Input& block_shape, const RequiredPaddingsOptions& options = {},
    std::source_location at = std::source_location::current());

}  // namespace rill

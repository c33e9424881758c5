#pragma once

#include <concepts>
#include <variant>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/api/ragged/ragged_tensor.h"

namespace rill::ragged {

// What functions take and give that also work on plain tensors; what is no tensor becomes one.
struct RaggedOrDense : std::variant<Output, RaggedTensor> {
  using variant::variant;
  template <class T>
  requires(std::constructible_from<Input, T> && !std::same_as<T, Output>)
      RaggedOrDense(const T& value)
      : variant(as_tensor(Input(value))) {}
};

// The lengths of dimension `axis`, in the rows of those before it. Throws InvalidArgument for other
// axes.
RaggedOrDense row_lengths(const RaggedTensor& input, int axis);
// from_tensor with lengths for several ragged dimensions, the outermost first.
RaggedTensor from_nested_lengths(const Input& tensor, std::vector<Input> lengths,
                                 const FromTensorOptions& options = {},
                                 std::source_location at = std::source_location::current());
// splits_of_rowids, for ids in any order: where the rows would be if they were sorted.
Output splits_of_segments(const Input& segment_ids, const OptionalInput& num_segments);

// As one variant, in which loops carry what has another size in each iteration; and all of a vector
// of them as rows, each with `ragged_rank` ragged dimensions of its own.
Output to_variant(const RaggedOrDense& input);
RaggedTensor from_variants(Output variants, int ragged_rank, DType dtype,
                           DType row_splits_dtype = DType::i64);

}  // namespace rill::ragged

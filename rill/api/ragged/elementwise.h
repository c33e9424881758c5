#pragma once

#include <utility>
#include <vector>

#include "rill/api/ragged/ragged_or_dense.h"

// Functions of single elements on ragged tensors: what they do to flat_values, in the same rows.
// elementwise_functions.h has TensorFlow's by their names.
namespace rill::ragged {

// Arguments that fit together element by element: flat_values of those that are ragged, others as
// they are. The step fails where rows differ.
struct FlatArguments {
  std::vector<Output> flat = {};
  std::vector<Output> nested_row_splits = {};  // of the result

  RaggedTensor in_rows(Output values) const { return {values, nested_row_splits}; }
};

// All ragged arguments must have the same rows; others are not looked at. Throws InvalidArgument
// where none is ragged or their numbers of ragged dimensions differ.
FlatArguments with_same_rows(const std::vector<RaggedOrDense>& arguments);
// Dimensions of size 1, and those that are missing in front, are repeated as needed; a ragged
// dimension fits one with the same rows alone. One of the arguments is ragged; ranks must be known
// (InvalidArgument).
FlatArguments broadcast(const std::vector<RaggedOrDense>& arguments);

// op of the innermost values, in their rows.
//
//   RaggedTensor doubled = map_flat_values([](Output x) { return 2 * x; }, ragged);
template <class Op, class... Args>
RaggedTensor map_flat_values(Op&& op, const Args&... args) {
  const FlatArguments all = with_same_rows({RaggedOrDense(args)...});
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return all.in_rows(op(all.flat[I]...));
  }
  (std::index_sequence_for<Args...>());
}

}  // namespace rill::ragged

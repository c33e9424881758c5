#include "rill/api/functional/element_loop.h"

#include "rill/api/core/control_flow.h"
#include "rill/api/core/row_shapes.h"
#include "rill/base/error.h"
#include "rill/graph/builders.h"

namespace rill {

Count Count::rows_of(Output x) {
  const PartialShape& shape = x.shape();
  if (shape.has_rank() && shape[0] > 0) return Count(shape[0]);
  Scope& scope = current_scope();
  return Count(strided_slice(scope, shape_of(scope, x), 0, 1, true));
}

Count Count::minus(std::int64_t less) const {
  if (known_) return Count(*known_ - less);
  return Count(current_scope().add("Sub", {tensor_, less}, {}, "sub").output());
}

ElementArrays ElementArrays::of(const Inputs& elems, ElementOrder order, bool with_shapes) {
  require(!elems.empty(), "elems must be a Tensor or (possibly nested) sequence of Tensors. Got ",
          "none.");
  std::vector<Output> tensors;
  for (const Input& elem : elems) tensors.push_back(as_tensor(elem, "elem"));
  for (const Output& tensor : tensors)
    require(!tensor.shape().has_rank() || tensor.shape().rank() > 0,
            "Elements in elems must be 1+ dimensional Tensors, not scalars");
  ElementArrays result{tensors, {}, Count::rows_of(tensors[0])};
  for (const Output& tensor : tensors) {
    TensorArrayOptions options;
    if (with_shapes) options.element_shape = shape_of_row(tensor.shape());
    result.arrays.emplace_back(base_type(tensor.dtype()), result.count.input(), options);
    if (order == ElementOrder::kOneByOne)
      result.arrays.back() = result.arrays.back().unstack(tensor);
  }
  if (order == ElementOrder::kArraysFirst)
    for (std::size_t i = 0; i < tensors.size(); ++i)
      result.arrays[i] = result.arrays[i].unstack(tensors[i]);
  return result;
}

std::vector<Output> ElementArrays::read(const Input& index) const {
  std::vector<Output> elements;
  for (const TensorArray& array : arrays) elements.push_back(array.read(index));
  return elements;
}

void ElementArrays::set_rows(const std::vector<Output>& results) const {
  std::int64_t rows = kUnknownDim;
  for (const Output& tensor : tensors) {
    if (!tensor.shape().has_rank() || tensor.shape()[0] < 0) continue;
    require(rows < 0 || rows == tensor.shape()[0], "Dimensions ", rows, " and ", tensor.shape()[0],
            " are not compatible");
    rows = tensor.shape()[0];
  }
  for (const Output& result : results)
    if (result.shape().has_rank() && rows >= 0)
      result.node->graph().refine_shape(result, result.shape().with_dim(0, rows));
}

ElementLoopResults loop_over_elements(const Count& count, const Input& first,
                                      const std::function<Output(Output index)>& go_on,
                                      const ElementIteration& iteration, const Inputs& carried,
                                      const std::vector<TensorArray>& arrays,
                                      const ElementLoopOptions& options) {
  std::vector<Input> variables{first};
  variables.insert(variables.end(), carried.begin(), carried.end());
  for (const TensorArray& array : arrays) variables.emplace_back(array.flow());
  // The variables apart: the index, the tensors, the arrays.
  const auto split = [&](const std::vector<Output>& flat) {
    const auto middle = flat.begin() + 1 + static_cast<std::ptrdiff_t>(carried.size());
    ElementLoopResults parts{{flat.begin() + 1, middle}, {}};
    for (std::size_t i = 0; i < arrays.size(); ++i)
      parts.arrays.push_back(arrays[i].with_flow(middle[static_cast<std::ptrdiff_t>(i)]));
    return parts;
  };
  WhileLoopOptions loop;
  loop.parallel_iterations = options.parallel_iterations;
  loop.back_prop = options.back_prop;
  loop.swap_memory = options.swap_memory;
  loop.maximum_iterations = count.input();
  const std::vector<Output> last = while_loop(
      [&](const std::vector<Output>& flat) {
        split(flat);
        return go_on(flat[0]);
      },
      [&](const std::vector<Output>& flat) {
        ElementLoopResults parts = split(flat);
        std::vector<Output> next{iteration(flat[0], parts.carried, parts.arrays)};
        next.insert(next.end(), parts.carried.begin(), parts.carried.end());
        for (const TensorArray& array : parts.arrays) next.push_back(array.flow());
        return next;
      },
      variables, loop);
  return split(last);
}

}  // namespace rill

#include "rill/graph/list_array.h"

#include "rill/graph/builders.h"

namespace rill {
namespace {

// The shape of elements as an input: -1 is what is not known.
Tensor as_input(const PartialShape& shape) {
  if (!shape.has_rank()) return Tensor::scalar<std::int32_t>(-1);
  Tensor dims(DType::i32, {shape.rank()});
  for (int d = 0; d < shape.rank(); ++d)
    dims.data<std::int32_t>()[d] = static_cast<std::int32_t>(shape[d]);
  return dims;
}

PartialShape rows_of(const PartialShape& shape) {
  return !shape.has_rank() || shape.rank() == 0 ? PartialShape()
                                                : PartialShape(shape.dims().subspan(1));
}

}  // namespace

Output ListArray::make(Scope& scope, const Input& size, const PartialShape& element) const {
  return scope
      .add("TensorListReserve", {as_input(element), size}, {{"element_dtype", dtype_}},
           "TensorArray")
      .output();
}

Output ListArray::read(Scope& scope, Output list, const Input& index,
                       const PartialShape& element) const {
  return scope
      .add("TensorListGetItem", {list, index, as_input(element)}, {{"element_dtype", dtype_}})
      .output();
}

Output ListArray::gather(Scope& scope, Output list, const Input& indices,
                         const PartialShape& element) const {
  return scope
      .add("TensorListGather", {list, indices, as_input(element)}, {{"element_dtype", dtype_}})
      .output();
}

Output ListArray::stack(Scope& scope, Output list, const PartialShape& element) const {
  return scope.add("TensorListStack", {list, as_input(element)}, {{"element_dtype", dtype_}})
      .output();
}

Output ListArray::concat(Scope& scope, Output list, const PartialShape& element) const {
  const Output lengths = scope.constant(Tensor(DType::i64, {0}), "leading_dims");
  return scope
      .add("TensorListConcatV2", {list, as_input(element), lengths}, {{"element_dtype", dtype_}})
      .output();
}

Output ListArray::size(Scope& scope, Output list) const {
  return scope.add("TensorListLength", {list}).output();
}

Output ListArray::write(Scope& scope, Output list, const Input& index, Output value) const {
  const Output at = index.as_output(scope, "index", DType::i32);
  if (dynamic_) {
    const Output wanted = scope.add("AddV2", {at, 1}).output();
    const Output longer = scope.add("Maximum", {size(scope, list), wanted}).output();
    list = scope.add("TensorListResize", {list, longer}).output();
  }
  return scope.add("TensorListSetItem", {list, at, value}).output();
}

Output ListArray::scatter(Scope& scope, Output list, const Input& indices, Output rows) const {
  const Output at = indices.as_output(scope, "indices", DType::i32);
  if (dynamic_) {
    const Output last = scope.add("Max", {at, 0}).output();
    const Output wanted = scope.add("AddV2", {last, 1}).output();
    const Output longer = scope.add("Maximum", {size(scope, list), wanted}).output();
    list = scope.add("TensorListResize", {list, longer}).output();
  }
  return scope.add("TensorListScatterIntoExistingList", {list, rows, at}).output();
}

Output ListArray::split(Scope& scope, Output rows, Output lengths) const {
  const PartialShape rest = rows_of(rows.shape());
  Tensor shape = as_input(PartialShape());
  if (rest.has_rank()) {
    PartialShape known{kUnknownDim};
    for (const std::int64_t dim : rest.dims()) known.add_dim(dim);
    shape = as_input(known);
  }
  return scope.add("TensorListSplit", {rows, shape, lengths}).output();
}

}  // namespace rill

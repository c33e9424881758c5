// Whole lists, or several elements at once, as one tensor.
#include <algorithm>

#include "rill/graph/op_decl.h"
#include "rill/ops/list/list_shape.h"

namespace rill {
namespace {

void check_read_type(const ShapeCtx& c) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype,
            "Trying to read from list with wrong element dtype. List has type ", list->dtype,
            " but expected type ", dtype);
}

Shapes stack_shape(const ShapeCtx& c) {
  check_read_type(c);
  const auto count = c.attr<std::int64_t>("num_elements");
  return {in_front(count < 0 ? kUnknownDim : count,
                   merge_shapes(stated_shape(c, 1), known_element_shape(c)))};
}

Shapes concat_shapes(const ShapeCtx& c, const PartialShape& stated) {
  check_read_type(c);
  const PartialShape rest = merge_shapes(rest_of(stated), rest_of(known_element_shape(c)));
  return {in_front(kUnknownDim, rest), PartialShape::of_rank(1)};
}
Shapes concat_shape(const ShapeCtx& c) {
  return concat_shapes(c, c.attr<PartialShape>("element_shape"));
}
Shapes concat_v2_shape(const ShapeCtx& c) {
  c.vector(2);
  return concat_shapes(c, stated_shape(c, 1));
}

Shapes gather_shape(const ShapeCtx& c) {
  check_element_type(c);
  const PartialShape& indices = c.input(1);
  if (!indices.has_rank() || indices.rank() != 1) return {PartialShape()};
  return {in_front(indices[0], merge_shapes(stated_shape(c, 2), known_element_shape(c)))};
}

// --- gradients ----------------------------------------------------------------------------------

// What is known of the shape, as an element shape is stated.
Tensor stated(const PartialShape& shape) {
  if (!shape.has_rank()) return Tensor::scalar<std::int32_t>(-1);
  Tensor dims(DType::i32, {shape.rank()});
  std::ranges::transform(shape.dims(), dims.data<std::int32_t>(),
                         [](std::int64_t dim) { return static_cast<std::int32_t>(dim); });
  return dims;
}

void stack_grad(GradCtx& g) {
  g.set(0, g.add("TensorListFromTensor", {g.dy(), stated(rest_of(g.dy().shape()))}));
}

void concat_grad(GradCtx& g) {
  g.set(0, g.add("TensorListSplit", {g.dy(), element_shape_of(g, g.input(0)), g.output(1)}));
}

void gather_grad(GradCtx& g) {
  const Output shape = element_shape_of(g, g.input(0));
  const Output length = g.add("TensorListLength", {g.input(0)});
  const Output none = g.add("TensorListReserve", {shape, length}, element_type(g));
  g.set(0, g.add("TensorListScatterIntoExistingList", {none, g.dy(), g.input(1)}));
}

}  // namespace

extern constexpr OpDecl kTensorListStack{
    .name = "TensorListStack",
    .doc = "All elements, stacked along a new first dimension.",
    .inputs = {"input_handle: variant", "element_shape: int32"},
    .outputs = {"tensor: element_dtype"},
    .attrs = {"element_dtype: type", "num_elements: int = -1"},
    .shape = stack_shape,
    .grad = stack_grad,
};
static_assert(well_formed(kTensorListStack));

extern constexpr OpDecl kTensorListConcat{
    .name = "TensorListConcat",
    .doc = "All elements, joined along their first dimension, and how long each was.",
    .inputs = {"input_handle: variant"},
    .outputs = {"tensor: element_dtype", "lengths: int64"},
    .attrs = {"element_dtype: type", "element_shape: shape = { unknown_rank: true }"},
    .shape = concat_shape,
    .grad = concat_grad,
};
static_assert(well_formed(kTensorListConcat));

extern constexpr OpDecl kTensorListConcatV2{
    .name = "TensorListConcatV2",
    .doc = "TensorListConcat; `leading_dims` are the lengths of elements that are not initialised.",
    .inputs = {"input_handle: variant", "element_shape: shape_type", "leading_dims: int64"},
    .outputs = {"tensor: element_dtype", "lengths: int64"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = concat_v2_shape,
    .grad = concat_grad,
};
static_assert(well_formed(kTensorListConcatV2));

extern constexpr OpDecl kTensorListGather{
    .name = "TensorListGather",
    .doc = "The elements at `indices`, stacked along a new first dimension.",
    .inputs = {"input_handle: variant", "indices: int32", "element_shape: int32"},
    .outputs = {"values: element_dtype"},
    .attrs = {"element_dtype: type"},
    .shape = gather_shape,
    .grad = gather_grad,
};
static_assert(well_formed(kTensorListGather));

}  // namespace rill

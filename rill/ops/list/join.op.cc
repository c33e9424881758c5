// Whole lists, or several elements at once, from and to one tensor.
#include <algorithm>

#include "rill/graph/gradient_parts.h"
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

void check_element_type(const ShapeCtx& c) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype, "Expected list with element dtype ", dtype,
            " but got list with element dtype ", list->dtype);
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

Shapes list_of(const ShapeCtx& c, const PartialShape& element_shape) {
  c.set_output_handle(0, {c.attr<DType>("element_dtype"), element_shape});
  return {PartialShape::scalar()};
}

Shapes from_tensor_shape(const ShapeCtx& c) {
  const PartialShape element = stated_shape(c, 1);
  merge_shapes(rest_of(c.input(0)), element);
  return list_of(c, element);
}

Shapes split_shape(const ShapeCtx& c) {
  const PartialShape element = stated_shape(c, 1);
  c.vector(2);
  merge_shapes(
      in_front(kUnknownDim, rest_of(c.with_rank_at_least(0, 1))),
      element.has_rank() && element.rank() > 0 ? element.with_dim(0, kUnknownDim) : PartialShape());
  return list_of(c, element);
}

Shapes gather_shape(const ShapeCtx& c) {
  check_element_type(c);
  const PartialShape& indices = c.input(1);
  if (!indices.has_rank() || indices.rank() != 1) return {PartialShape()};
  return {in_front(indices[0], merge_shapes(stated_shape(c, 2), known_element_shape(c)))};
}

Shapes scatter_shape(const ShapeCtx& c) { return list_of(c, stated_shape(c, 2)); }

Shapes scatter_into_shape(const ShapeCtx& c) {
  check_element_type(c);
  return list_of(c, known_element_shape(c));
}

Shapes concat_lists_shape(const ShapeCtx& c) {
  const PartialShape lists = merge_shapes(c.input(0), c.input(1));
  const auto dtype = c.attr<DType>("element_dtype");
  PartialShape element;
  for (const int i : {0, 1}) {
    const HandleInfo* list = c.handle(i);
    if (list == nullptr) continue;
    require(list->dtype == dtype, "input_", i == 0 ? "a" : "b",
            ".type != element_dtype: ", list->dtype, " vs. ", dtype);
    element = merge_shapes(element, list->shape);
  }
  c.set_output_handle(0, {dtype, element});
  return {lists};
}

Shapes push_batch_shape(const ShapeCtx& c) {
  PartialShape lists = c.vector(0);
  const PartialShape rows = c.with_rank_at_least(1, 1);
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype, "Trying to push to list with wrong element dtype. List has type ",
            list->dtype, " but trying to push element with type ", dtype);
  if (rows.has_rank()) {
    require(compatible(rows[0], lists[0]), "Dimensions must be equal, but are ", rows[0], " and ",
            lists[0]);
    lists = lists.with_dim(0, merge_dim(lists[0], rows[0]));
  }
  c.set_output_handle(0, {dtype, known_element_shape(c)});
  return {lists};
}

// --- gradients
// ------------------------------------------------------------------------------------

AttrMap element_type(GradCtx& g) { return {{"element_dtype", g.attr<DType>("element_dtype")}}; }

Output element_shape_of(GradCtx& g, Output list) {
  return g.add("TensorListElementShape", {list}, {{"shape_type", DType::i32}});
}

// The shape of a row of x.
Output row_shape(GradCtx& g, Output x) {
  return g.add("Slice", {shape_of(g, x), Tensor::vector<std::int32_t>({1}),
                         Tensor::vector<std::int32_t>({-1})});
}

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

void split_grad(GradCtx& g) {
  const Output shape = concat(g, {Tensor::vector<std::int32_t>({-1}), row_shape(g, g.input(0))});
  g.set(0, g.add("TensorListConcatV2", {g.dy(), shape, g.input(2)}, element_type(g)));
}

void from_tensor_grad(GradCtx& g) {
  const PartialShape& shape = g.input(0).shape();
  AttrMap attrs = element_type(g);
  if (shape.has_rank() && shape.rank() > 0 && shape[0] >= 0) attrs["num_elements"] = shape[0];
  g.set(0, g.add("TensorListStack", {g.dy(), row_shape(g, g.input(0))}, std::move(attrs)));
}

void gather_grad(GradCtx& g) {
  const Output shape = element_shape_of(g, g.input(0));
  const Output length = g.add("TensorListLength", {g.input(0)});
  const Output none = g.add("TensorListReserve", {shape, length}, element_type(g));
  g.set(0, g.add("TensorListScatterIntoExistingList", {none, g.dy(), g.input(1)}));
}

void scatter_grad(GradCtx& g) {
  g.set(0,
        g.add("TensorListGather", {g.dy(), g.input(1), row_shape(g, g.input(0))}, element_type(g)));
}

void scatter_into_grad(GradCtx& g) {
  g.set(1,
        g.add("TensorListGather", {g.dy(), g.input(2), row_shape(g, g.input(1))}, element_type(g)));
  const Output zeros = zeros_in_place_of(g, g.input(1));
  g.set(0, g.add("TensorListScatterIntoExistingList", {g.dy(), zeros, g.input(2)}));
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

extern constexpr OpDecl kTensorListFromTensor{
    .name = "TensorListFromTensor",
    .doc = "A list of the rows of `tensor`.",
    .inputs = {"tensor: element_dtype", "element_shape: shape_type"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = from_tensor_shape,
    .grad = from_tensor_grad,
};
static_assert(well_formed(kTensorListFromTensor));

extern constexpr OpDecl kTensorListSplit{
    .name = "TensorListSplit",
    .doc = "A list of `tensor`, cut along its first dimension into pieces of `lengths`.",
    .inputs = {"tensor: element_dtype", "element_shape: shape_type", "lengths: int64"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = split_shape,
    .grad = split_grad,
};
static_assert(well_formed(kTensorListSplit));

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

extern constexpr OpDecl kTensorListScatter{
    .name = "TensorListScatter",
    .doc = "A list with each row of `tensor` at the position that `indices` names for it.",
    .inputs = {"tensor: element_dtype", "indices: int32", "element_shape: shape_type"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = scatter_shape,
    .grad = scatter_grad,
};
static_assert(well_formed(kTensorListScatter));

extern constexpr OpDecl kTensorListScatterV2{
    .name = "TensorListScatterV2",
    .doc = "TensorListScatter into a list of `num_elements` elements; -1: as many as needed.",
    .inputs = {"tensor: element_dtype", "indices: int32", "element_shape: shape_type",
               "num_elements: int32"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = scatter_shape,
    .grad = scatter_grad,
};
static_assert(well_formed(kTensorListScatterV2));

extern constexpr OpDecl kTensorListScatterIntoExistingList{
    .name = "TensorListScatterIntoExistingList",
    .doc = "The list with each row of `tensor` at the position that `indices` names for it.",
    .inputs = {"input_handle: variant", "tensor: element_dtype", "indices: int32"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type"},
    .traits = kInPlace,
    .shape = scatter_into_shape,
    .grad = scatter_into_grad,
};
static_assert(well_formed(kTensorListScatterIntoExistingList));

extern constexpr OpDecl kTensorListConcatLists{
    .name = "TensorListConcatLists",
    .doc = "Lists of `input_a`, each with the elements of its partner of `input_b` behind its own.",
    .inputs = {"input_a: variant", "input_b: variant"},
    .outputs = {"output: variant"},
    .attrs = {"element_dtype: type"},
    .shape = concat_lists_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorListConcatLists));

extern constexpr OpDecl kTensorListPushBackBatch{
    .name = "TensorListPushBackBatch",
    .doc = "A vector of lists, each with its row of `tensor` as one more element.",
    .inputs = {"input_handles: variant", "tensor: element_dtype"},
    .outputs = {"output_handles: variant"},
    .attrs = {"element_dtype: type"},
    .shape = push_batch_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorListPushBackBatch));

}  // namespace rill

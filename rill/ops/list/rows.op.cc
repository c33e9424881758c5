// Lists made of the rows of a tensor.
#include "rill/graph/op_decl.h"
#include "rill/ops/list/list_shape.h"

namespace rill {
namespace {

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

Shapes scatter_shape(const ShapeCtx& c) { return list_of(c, stated_shape(c, 2)); }

Shapes scatter_into_shape(const ShapeCtx& c) {
  check_element_type(c);
  return list_of(c, known_element_shape(c));
}

// --- gradients ----------------------------------------------------------------------------------

// The shape of a row of x.
Output row_shape(GradCtx& g, Output x) {
  return g.add("Slice", {shape_of(g, x), Tensor::vector<std::int32_t>({1}),
                         Tensor::vector<std::int32_t>({-1})});
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

}  // namespace rill

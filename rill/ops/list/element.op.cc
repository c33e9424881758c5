// Lists and single elements of them.
#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/list/list_shape.h"

namespace rill {
namespace {

Shapes new_list_shape(const ShapeCtx& c) {
  c.set_output_handle(0, {c.attr<DType>("element_dtype"), stated_shape(c, 0)});
  return {PartialShape::scalar()};
}

Shapes push_shape(const ShapeCtx& c) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype, "Trying to push to list with wrong element dtype. List has type ",
            list->dtype, " but trying to push element with type ", dtype);
  c.set_output_handle(0, {dtype, known_element_shape(c)});
  return {PartialShape::scalar()};
}

Shapes pop_shape(const ShapeCtx& c) {
  const auto dtype = c.attr<DType>("element_dtype");
  if (const HandleInfo* list = c.handle(0))
    require(list->dtype == dtype,
            "Trying to read from list with wrong element dtype. List has type ", list->dtype,
            " but trying to push element with type ", dtype);
  c.set_output_handle(0, {dtype, known_element_shape(c)});
  return {PartialShape::scalar(), known_element_shape(c)};
}

Shapes length_shape(const ShapeCtx&) { return {PartialShape::scalar()}; }

Shapes element_shape_shape(const ShapeCtx& c) {
  const PartialShape element = known_element_shape(c);
  return {element.has_rank() ? PartialShape{element.rank()} : PartialShape()};
}

Shapes resize_shape(const ShapeCtx& c) {
  pass_list(c);
  return {PartialShape::scalar()};
}

Shapes get_shape(const ShapeCtx& c) {
  check_element_type(c);
  return {merge_shapes(stated_shape(c, 2), known_element_shape(c))};
}

Shapes set_shape(const ShapeCtx& c) {
  merge_shapes(c.input(2), known_element_shape(c));
  const HandleInfo* list = c.handle(0);
  c.set_output_handle(
      0, {list == nullptr ? c.attr<DType>("element_dtype") : list->dtype, known_element_shape(c)});
  return {PartialShape::scalar()};
}

// --- gradients: of a list, the list of its elements' gradients ----------------------------------

void push_grad(GradCtx& g) {
  Node& popped =
      g.scope().add("TensorListPopBack", {g.dy(), shape_of(g, g.input(1))}, element_type(g));
  g.set(0, popped.output(0));
  g.set(1, popped.output(1));
}

void pop_grad(GradCtx& g) { g.set(0, g.add("TensorListPushBack", {g.dy(0), g.dy(1)})); }

void get_grad(GradCtx& g) {
  const Output length = g.add("TensorListLength", {g.input(0)});
  const Output shape = g.add("TensorListElementShape", {g.input(0)}, {{"shape_type", DType::i32}});
  const Output none = g.add("TensorListReserve", {shape, length}, element_type(g));
  g.set(0, g.add("TensorListSetItem", {none, g.input(1), g.dy()}));
}

void set_grad(GradCtx& g) {
  g.set(0, g.add("TensorListSetItem", {g.dy(), g.input(1), zeros_in_place_of(g, g.input(2))}));
  g.set(2,
        g.add("TensorListGetItem", {g.dy(), g.input(1), shape_of(g, g.input(2))}, element_type(g)));
}

void resize_grad(GradCtx& g) {
  g.set(0, g.add("TensorListResize", {g.dy(), g.add("TensorListLength", {g.input(0)})}));
}

}  // namespace

extern constexpr OpDecl kEmptyTensorList{
    .name = "EmptyTensorList",
    .doc = "A list without elements, which may get `max_num_elements` of them; -1 sets no limit.",
    .inputs = {"element_shape: shape_type", "max_num_elements: int32"},
    .outputs = {"handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = new_list_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEmptyTensorList));

extern constexpr OpDecl kTensorListReserve{
    .name = "TensorListReserve",
    .doc = "A list of `num_elements` elements that are not initialised and read as zeros.",
    .inputs = {"element_shape: shape_type", "num_elements: int32"},
    .outputs = {"handle: variant"},
    .attrs = {"element_dtype: type", "shape_type: {int32, int64}"},
    .shape = new_list_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorListReserve));

extern constexpr OpDecl kTensorListPushBack{
    .name = "TensorListPushBack",
    .doc = "The list with `tensor` as one more element at its end.",
    .inputs = {"input_handle: variant", "tensor: element_dtype"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type"},
    .traits = kInPlace,
    .shape = push_shape,
    .grad = push_grad,
};
static_assert(well_formed(kTensorListPushBack));

extern constexpr OpDecl kTensorListPopBack{
    .name = "TensorListPopBack",
    .doc = "The list without its last element, and that element.",
    .inputs = {"input_handle: variant", "element_shape: int32"},
    .outputs = {"output_handle: variant", "tensor: element_dtype"},
    .attrs = {"element_dtype: type"},
    .traits = kInPlace,
    .shape = pop_shape,
    .grad = pop_grad,
};
static_assert(well_formed(kTensorListPopBack));

extern constexpr OpDecl kTensorListLength{
    .name = "TensorListLength",
    .doc = "How many elements the list has.",
    .inputs = {"input_handle: variant"},
    .outputs = {"length: int32"},
    .shape = length_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorListLength));

extern constexpr OpDecl kTensorListElementShape{
    .name = "TensorListElementShape",
    .doc = "What the list says of the shape of its elements; -1 where it says nothing.",
    .inputs = {"input_handle: variant"},
    .outputs = {"element_shape: shape_type"},
    .attrs = {"shape_type: {int32, int64}"},
    .shape = element_shape_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kTensorListElementShape));

extern constexpr OpDecl kTensorListResize{
    .name = "TensorListResize",
    .doc = "The list cut to `size` elements, or with more that are not initialised.",
    .inputs = {"input_handle: variant", "size: int32"},
    .outputs = {"output_handle: variant"},
    .traits = kStateful | kInPlace | kRepeatable,
    .shape = resize_shape,
    .grad = resize_grad,
};
static_assert(well_formed(kTensorListResize));

extern constexpr OpDecl kTensorListGetItem{
    .name = "TensorListGetItem",
    .doc = "The element at `index`.",
    .inputs = {"input_handle: variant", "index: int32", "element_shape: int32"},
    .outputs = {"item: element_dtype"},
    .attrs = {"element_dtype: type"},
    .shape = get_shape,
    .grad = get_grad,
};
static_assert(well_formed(kTensorListGetItem));

extern constexpr OpDecl kTensorListSetItem{
    .name = "TensorListSetItem",
    .doc = "The list with `item` at `index`.",
    .inputs = {"input_handle: variant", "index: int32", "item: element_dtype"},
    .outputs = {"output_handle: variant"},
    .attrs = {"element_dtype: type"},
    .traits = kInPlace,
    .shape = set_shape,
    .grad = set_grad,
};
static_assert(well_formed(kTensorListSetItem));

}  // namespace rill

// Several lists at once.
#include "rill/graph/op_decl.h"
#include "rill/ops/list/list_shape.h"

namespace rill {
namespace {

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

}  // namespace

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

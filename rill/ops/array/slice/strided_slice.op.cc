#include "rill/ops/array/slice/strided_slice_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

std::string list_refusal(const PartialShape& begin, const PartialShape& end,
                         const PartialShape& strides) {
  for (const PartialShape& list : {begin, end, strides})
    if (list.has_rank() && list.rank() != 1)
      return str_cat("Shape must be rank 1 but is rank ", list.rank());
  if (!begin.is_compatible(end)) return merge_refusal(begin, end);
  return merge_refusal(begin.merged(end), strides);
}

void check_lists(const ShapeCtx& c, int begin_input) {
  const PartialShape &begin = c.input(begin_input), &end = c.input(begin_input + 1),
                     &strides = c.input(begin_input + 2);
  const auto is_list = [](const PartialShape& s) { return !s.has_rank() || s.rank() == 1; };
  if (is_list(begin) && is_list(end) && is_list(strides) && begin.is_compatible(end) &&
      begin.is_compatible(strides) && end.is_compatible(strides))
    return;
  require(false,
          when_run("Expected begin, end, and strides to be 1D equal size tensors, but got shapes ",
                   begin, ", ", end, ", and ", strides, " instead."),
          when_built(list_refusal(begin, end, strides)));
}

Shapes strided_slice_shape(const ShapeCtx& c) {
  check_lists(c, 1);
  std::vector<std::int64_t> begin, end, strides;
  if (!c.input(0).has_rank() || !c.int_values(3, &strides)) return {PartialShape()};
  const bool begin_known = c.int_values(1, &begin), end_known = c.int_values(2, &end);
  return {strided_slice_view(c.input(0), begin_known ? &begin : nullptr, end_known ? &end : nullptr,
                             strides, slice_masks(c.attrs()))
              .shape};
}

Shapes strided_slice_grad_shape(const ShapeCtx& c) {
  check_lists(c, 1);
  return {known_dims(c, 0)};
}

Shapes strided_slice_assign_shape(const ShapeCtx& c) {
  check_lists(c, 1);
  return {c.input(0)};
}

constexpr const char* kMasks[] = {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask",
                                  "shrink_axis_mask"};

AttrMap same_masks(GradCtx& g) {
  AttrMap attrs;
  for (const char* mask : kMasks) attrs.emplace(mask, g.attr<std::int64_t>(mask));
  return attrs;
}

void strided_slice_grad(GradCtx& g) {
  const Output shape = shape_of(g, g.input(0), base_type(g.input(1).dtype()));
  g.set(0, g.add("StridedSliceGrad", {shape, g.input(1), g.input(2), g.input(3), g.dy()},
                 same_masks(g)));
}

void strided_slice_grad_grad(GradCtx& g) {
  g.set(4, g.add("StridedSlice", {g.dy(), g.input(1), g.input(2), g.input(3)}, same_masks(g)));
}

}  // namespace

extern constexpr OpDecl kStridedSlice{
    .name = "StridedSlice",
    .doc = "A slice as Python writes it: x[begin:end:stride, ..., newaxis, index].",
    .inputs = {"input: T", "begin: Index", "end: Index", "strides: Index"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
              "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
    .traits = kPure | kPicks,
    .shape = strided_slice_shape,
    .cost = no_flops,
    .grad = strided_slice_grad,
};
static_assert(well_formed(kStridedSlice));

extern constexpr OpDecl kStridedSliceGrad{
    .name = "StridedSliceGrad",
    .doc = "Zeros of shape `shape` with `dy` in the place that StridedSlice would read.",
    .inputs = {"shape: Index", "begin: Index", "end: Index", "strides: Index", "dy: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
              "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
    .traits = kPure,
    .shape = strided_slice_grad_shape,
    .grad = strided_slice_grad_grad,
};
static_assert(well_formed(kStridedSliceGrad));

extern constexpr OpDecl kStridedSliceAssign{
    .name = "StridedSliceAssign",
    .doc = "Writes `value` into the part of a variable that StridedSlice would read.",
    .inputs = {"ref: Ref(T)", "begin: Index", "end: Index", "strides: Index", "value: T"},
    .outputs = {"output_ref: Ref(T)"},
    .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
              "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
    .shape = strided_slice_assign_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kStridedSliceAssign));

extern constexpr OpDecl kResourceStridedSliceAssign{
    .name = "ResourceStridedSliceAssign",
    .doc = "Writes `value` into the part of a variable that StridedSlice would read.",
    .inputs = {"ref: resource", "begin: Index", "end: Index", "strides: Index", "value: T"},
    .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
              "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceStridedSliceAssign));

extern constexpr OpDecl kTensorStridedSliceUpdate{
    .name = "TensorStridedSliceUpdate",
    .doc = "`input` with `value` in the part that StridedSlice would read.",
    .inputs = {"input: T", "begin: Index", "end: Index", "strides: Index", "value: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
              "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
    .traits = kPure | kInPlace,
    .shape = strided_slice_assign_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kTensorStridedSliceUpdate));

}  // namespace rill

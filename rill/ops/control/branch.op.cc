#include <algorithm>

#include "rill/grad/flow_gradients.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// Every output is the first input, resource handles included.
Shapes switch_shape(const ShapeCtx& c) {
  c.scalar(1);
  if (const HandleInfo* handle = c.handle(0))
    for (int i = 0; i < c.output_count(); ++i) c.set_output_handle(i, *handle);
  return Shapes(static_cast<std::size_t>(c.output_count()), c.input(0));
}

// What every input agrees on: the rank if it is known of all, and each dimension likewise.
PartialShape common_shape(const ShapeCtx& c) {
  PartialShape common = c.input(0);
  for (int i = 1; i < c.input_count(); ++i) {
    const PartialShape& other = c.input(i);
    if (!common.has_rank() || other.rank() != common.rank()) return {};
    for (int d = 0; d < common.rank(); ++d)
      if (common[d] != other[d]) common = common.with_dim(d, kUnknownDim);
  }
  return common;
}

Shapes merge_shape(const ShapeCtx& c) { return {common_shape(c), PartialShape::scalar()}; }

// A shape is stated only when all candidates have the same full one.
Shapes ref_select_shape(const ShapeCtx& c) {
  c.scalar(0);
  const PartialShape& first = c.input(1);
  if (!first.is_full()) return {PartialShape()};
  for (int i = 2; i < c.input_count(); ++i)
    if (!(c.input(i) == first)) return {PartialShape()};
  return {first};
}

}  // namespace

extern constexpr OpDecl kSwitchOp{
    .name = "Switch",
    .doc = "Its data on output 1 if `pred` is true, on output 0 if not; the other output is dead.",
    .inputs = {"data: T", "pred: bool"},
    .outputs = {"output_false: T", "output_true: T"},
    .attrs = {"T: type"},
    .traits = kSwitch,
    .shape = switch_shape,
    .grad = switch_grad,
};
static_assert(well_formed(kSwitchOp));

extern constexpr OpDecl kRefSwitch{
    .name = "RefSwitch",
    .doc = "Switch for the variable itself.",
    .inputs = {"data: Ref(T)", "pred: bool"},
    .outputs = {"output_false: Ref(T)", "output_true: Ref(T)"},
    .attrs = {"T: type"},
    .traits = kSwitch | kUninitializedOk,
    .shape = switch_shape,
    .grad = switch_grad,
};
static_assert(well_formed(kRefSwitch));

extern constexpr OpDecl kSwitchN{
    .name = "_SwitchN",
    .doc =
        "Its data on the output that `output_index` names, the last one when there is none such;"
        " the others are dead.",
    .inputs = {"data: T", "output_index: int32"},
    .outputs = {"outputs: num_outs * T"},
    .attrs = {"num_outs: int >= 1", "T: type"},
    .traits = kSwitch,
    .shape = switch_shape,
    .cost = no_flops,
    .grad = no_gradient,
};
static_assert(well_formed(kSwitchN));

extern constexpr OpDecl kMergeOp{
    .name = "Merge",
    .doc = "The one input that is not dead, and which one that was.",
    .inputs = {"inputs: N * T"},
    .outputs = {"output: T", "value_index: int32"},
    .attrs = {"T: type", "N: int >= 1"},
    .traits = kMerge,
    .shape = merge_shape,
    .grad = merge_grad,
};
static_assert(well_formed(kMergeOp));

extern constexpr OpDecl kRefMerge{
    .name = "RefMerge",
    .doc = "Merge for variables themselves.",
    .inputs = {"inputs: Ref(N * T)"},
    .outputs = {"output: Ref(T)", "value_index: int32"},
    .attrs = {"T: type", "N: int >= 1"},
    .traits = kMerge,
    .shape = merge_shape,
    .grad = merge_grad,
};
static_assert(well_formed(kRefMerge));

extern constexpr OpDecl kRefSelect{
    .name = "RefSelect",
    .doc = "The variable at position `index` of the inputs.",
    .inputs = {"index: int32", "inputs: Ref(N * T)"},
    .outputs = {"output: Ref(T)"},
    .attrs = {"T: type", "N: int >= 1"},
    .shape = ref_select_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRefSelect));

}  // namespace rill

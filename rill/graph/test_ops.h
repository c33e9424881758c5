#pragma once

#include "rill/base/error.h"
#include "rill/graph/graph.h"
#include "rill/graph/shape_ctx.h"

// A few declarations for the tests and fuzz targets of this folder, which must not see ops/.
namespace rill::testing {

inline Shapes const_shape(const ShapeCtx& c) { return {c.attr<Tensor>("value").shape()}; }
inline Shapes shape_attr(const ShapeCtx& c) { return {c.attr<PartialShape>("shape")}; }
inline Shapes matmul_shape(const ShapeCtx& c) {
  const auto [m, k] = c.matrix(0, c.flag("transpose_a"));
  const auto [k2, n] = c.matrix(1, c.flag("transpose_b"));
  require(compatible(k, k2), "Dimensions must be equal, but are ", k, " and ", k2);
  return {{m, n}};
}
inline Shapes shape_shape(const ShapeCtx& c) {
  return {PartialShape{c.input(0).has_rank() ? c.input(0).rank() : kUnknownDim}};
}
inline Shapes reshape_shape(const ShapeCtx& c) { return {c.shape_value(1)}; }
inline Shapes pack_shape(const ShapeCtx& c) {
  for (int i = 0; i < c.input_count(); ++i)
    if (c.input(i).rank() != 0) return {PartialShape()};
  return {PartialShape{c.input_count()}};
}
inline Shapes concat_shape(const ShapeCtx& c) {
  std::int64_t size = 0;
  for (int i = 0; i + 1 < c.input_count(); ++i) {
    if (c.input(i).rank() != 1 || c.input(i)[0] < 0) return {PartialShape()};
    size += c.input(i)[0];
  }
  return {PartialShape{size}};
}
inline Shapes slice_shape(const ShapeCtx& c) {
  if ((c.attr<std::int64_t>("shrink_axis_mask") & 1) != 0) return {PartialShape::scalar()};
  return {PartialShape::of_rank(1)};
}
inline Shapes variable_shape(const ShapeCtx& c) {
  c.set_output_handle(0, {c.attr<DType>("dtype"), c.attr<PartialShape>("shape")});
  return {PartialShape::scalar()};
}
inline Shapes read_shape(const ShapeCtx& c) {
  return {c.handle(0) == nullptr ? PartialShape() : c.handle(0)->shape};
}
inline Shapes switch_shape(const ShapeCtx& c) { return {c.input(0), c.input(0)}; }
inline Shapes merge_shape(const ShapeCtx& c) {
  for (int i = 1; i < c.input_count(); ++i)
    if (!(c.input(i) == c.input(0))) return {PartialShape(), PartialShape::scalar()};
  return {c.input(0), PartialShape::scalar()};
}

inline constexpr OpDecl kTestOps[] = {
    {.name = "NoOp", .doc = "Nothing."},
    {.name = "Const",
     .doc = "A value.",
     .outputs = {"output: dtype"},
     .attrs = {"value: tensor", "dtype: type"},
     .shape = const_shape},
    {.name = "Placeholder",
     .doc = "To be fed.",
     .outputs = {"output: dtype"},
     .attrs = {"dtype: type", "shape: shape = { unknown_rank: true }"},
     .shape = shape_attr},
    {.name = "Identity",
     .doc = "Its input.",
     .inputs = {"input: T"},
     .outputs = {"output: T"},
     .attrs = {"T: type"},
     .traits = kIdentity,
     .shape = same_as_input},
    {.name = "Add",
     .doc = "x + y.",
     .inputs = {"x: T", "y: T"},
     .outputs = {"z: T"},
     .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
               "complex128, string}"},
     .shape = broadcast_inputs},
    {.name = "MatMul",
     .doc = "a b.",
     .inputs = {"a: T", "b: T"},
     .outputs = {"product: T"},
     .attrs = {"transpose_a: bool = false", "transpose_b: bool = false",
               "T: {bfloat16, half, float, double, int32, int64, complex64, complex128}"},
     .shape = matmul_shape},
    {.name = "Pack",
     .doc = "Stacks.",
     .inputs = {"values: N * T"},
     .outputs = {"output: T"},
     .attrs = {"N: int >= 1", "T: type", "axis: int = 0"},
     .shape = pack_shape},
    {.name = "ConcatV2",
     .doc = "Concatenates.",
     .inputs = {"values: N * T", "axis: Tidx"},
     .outputs = {"output: T"},
     .attrs = {"N: int >= 2", "T: type", "Tidx: {int32, int64} = DT_INT32"},
     .shape = concat_shape},
    {.name = "AddN",
     .doc = "Sums.",
     .inputs = {"inputs: N * T"},
     .outputs = {"sum: T"},
     .attrs = {"N: int >= 1", "T: {numbertype, variant}"},
     .traits = kCommutative | kAggregate,
     .shape = merge_inputs},
    {.name = "IdentityN",
     .doc = "Its inputs.",
     .inputs = {"input: T"},
     .outputs = {"output: T"},
     .attrs = {"T: list(type) >= 1"},
     .shape = unknown_outputs},
    {.name = "Split",
     .doc = "Parts.",
     .inputs = {"split_dim: int32", "value: T"},
     .outputs = {"output: num_split * T"},
     .attrs = {"num_split: int >= 1", "T: type"},
     .shape = unknown_outputs},
    {.name = "Shape",
     .doc = "The shape.",
     .inputs = {"input: T"},
     .outputs = {"output: out_type"},
     .attrs = {"T: type", "out_type: {int32, int64} = DT_INT32"},
     .traits = kMetadata,
     .shape = shape_shape},
    {.name = "StridedSlice",
     .doc = "A slice.",
     .inputs = {"input: T", "begin: Index", "end: Index", "strides: Index"},
     .outputs = {"output: T"},
     .attrs = {"T: type", "Index: {int32, int64}", "begin_mask: int = 0", "end_mask: int = 0",
               "ellipsis_mask: int = 0", "new_axis_mask: int = 0", "shrink_axis_mask: int = 0"},
     .shape = slice_shape},
    {.name = "Reshape",
     .doc = "Another shape.",
     .inputs = {"tensor: T", "shape: Tshape"},
     .outputs = {"output: T"},
     .attrs = {"T: type", "Tshape: {int32, int64} = DT_INT32"},
     .shape = reshape_shape},
    {.name = "Conv",
     .doc = "Attributes of several kinds.",
     .inputs = {"input: T"},
     .outputs = {"output: T"},
     .attrs = {"T: {half, float}", "strides: list(int) >= 2", "padding: {'SAME', 'VALID'}",
               "scale: float = 0.5"},
     .shape = unknown_outputs},
    {.name = "VariableV2",
     .doc = "A variable by reference.",
     .outputs = {"ref: Ref(dtype)"},
     .attrs = {"shape: shape", "dtype: type", "container: string = ''", "shared_name: string = ''"},
     .traits = kStateful,
     .shape = shape_attr},
    {.name = "Assign",
     .doc = "Assigns.",
     .inputs = {"ref: Ref(T)", "value: T"},
     .outputs = {"output_ref: Ref(T)"},
     .attrs = {"T: type", "validate_shape: bool = true", "use_locking: bool = true"},
     .traits = kUninitializedOk,
     .shape = same_as_input},
    {.name = "VarHandleOp",
     .doc = "A variable by handle.",
     .outputs = {"resource: resource"},
     .attrs = {"container: string = ''", "shared_name: string = ''", "dtype: type", "shape: shape"},
     .traits = kStateful,
     .shape = variable_shape},
    {.name = "ReadVariableOp",
     .doc = "Reads.",
     .inputs = {"resource: resource"},
     .outputs = {"value: dtype"},
     .attrs = {"dtype: type"},
     .traits = kStateful,
     .shape = read_shape},
    {.name = "Switch",
     .doc = "One of two ways.",
     .inputs = {"data: T", "pred: bool"},
     .outputs = {"output_false: T", "output_true: T"},
     .attrs = {"T: type"},
     .traits = kSwitch,
     .shape = switch_shape},
    {.name = "Merge",
     .doc = "The way taken.",
     .inputs = {"inputs: N * T"},
     .outputs = {"output: T", "value_index: int32"},
     .attrs = {"T: type", "N: int >= 1"},
     .traits = kMerge,
     .shape = merge_shape},
    {.name = "NextIteration",
     .doc = "The next iteration.",
     .inputs = {"data: T"},
     .outputs = {"output: T"},
     .attrs = {"T: type"},
     .traits = kNextIteration,
     .shape = same_as_input},
    {.name = "_Arg",
     .doc = "An argument.",
     .outputs = {"output: T"},
     .attrs = {"T: type", "index: int >= 0"},
     .traits = kStateful,
     .shape = unknown_outputs},
    {.name = "_Retval",
     .doc = "A result.",
     .inputs = {"input: T"},
     .attrs = {"T: type", "index: int >= 0"},
     .traits = kStateful,
     .shape = no_outputs},
    {.name = "OldOp", .doc = "Removed.", .deprecated = 14, .deprecated_why = "Use NoOp"},
};

inline void add_test_ops(Registry& registry) {
  for (const OpDecl& decl : kTestOps) registry.add(decl);
}

inline const Registry& test_registry() {
  static const Registry& registry = *[] {
    auto* filled = new Registry;
    add_test_ops(*filled);
    return filled;
  }();
  return registry;
}

inline const OpDecl& test_op(std::string_view name) {
  for (const OpDecl& decl : kTestOps)
    if (decl.name == name) return decl;
  raise(Code::kNotFound, "no test op ", name);
}

}  // namespace rill::testing

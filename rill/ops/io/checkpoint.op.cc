#include <algorithm>

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/io/tensor_slice.h"

namespace rill {
namespace {

Shapes save_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  return {};
}

PartialShape restored_shape(std::string_view shape_and_slice) {
  if (shape_and_slice.empty()) return {};
  return parse_shape_and_slice(shape_and_slice).part;
}

// A slice tells the shape; the whole of a tensor has whatever shape the file says.
Shapes restore_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  (void)merge_shapes(c.vector(1), c.vector(2));
  Shapes shapes = unknown_outputs(c);
  const Tensor* slices = c.value(2);
  if (slices == nullptr) return shapes;
  require(slices->element_count() == static_cast<std::int64_t>(shapes.size()),
          "The number of shape_and_slice doesn't match tensor outputs: ", slices->element_count(),
          " and ", shapes.size(), ".");
  std::ranges::transform(slices->flat<std::string>(), shapes.begin(), restored_shape);
  return shapes;
}

Shapes restore_slice_shape(const ShapeCtx& c) {
  for (const int i : {0, 1, 2}) (void)c.scalar(i);
  const Tensor* slice = c.value(2);
  return {slice == nullptr ? PartialShape() : restored_shape(*slice->data<std::string>())};
}

Shapes merge_shape(const ShapeCtx& c) {
  (void)c.vector(0);
  (void)c.scalar(1);
  return {};
}

}  // namespace

extern constexpr OpDecl kSaveV2{
    .name = "SaveV2",
    .doc = "Writes tensors, or slices of them, to a checkpoint.",
    .inputs = {"prefix: string", "tensor_names: string", "shape_and_slices: string",
               "tensors: dtypes"},
    .attrs = {"dtypes: list(type) >= 1"},
    .traits = kStateful | kWritesFiles | kLongRunning,
    .shape = save_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSaveV2));

extern constexpr OpDecl kRestoreV2{
    .name = "RestoreV2",
    .doc = "Reads tensors, or slices of them, from a checkpoint of either format.",
    .inputs = {"prefix: string", "tensor_names: string", "shape_and_slices: string"},
    .outputs = {"tensors: dtypes"},
    .attrs = {"dtypes: list(type) >= 1"},
    .traits = kStateful | kDataDependentShape | kFillsVariables | kReadsFiles | kForLoading |
              kLongRunning,
    .shape = restore_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRestoreV2));

extern constexpr OpDecl kMergeV2Checkpoints{
    .name = "MergeV2Checkpoints",
    .doc = "Makes one checkpoint of several; the others are gone afterwards.",
    .inputs = {"checkpoint_prefixes: string", "destination_prefix: string"},
    .attrs = {"delete_old_dirs: bool = true"},
    .traits = kStateful | kReadsFiles | kWritesFiles,
    .shape = merge_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kMergeV2Checkpoints));

extern constexpr OpDecl kSaveOp{
    .name = "Save",
    .doc = "Writes tensors to a checkpoint of the older format.",
    .inputs = {"filename: string", "tensor_names: string", "data: T"},
    .attrs = {"T: list(type) >= 1"},
    .traits = kStateful | kWritesFiles,
    .shape = save_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSaveOp));

extern constexpr OpDecl kSaveSlices{
    .name = "SaveSlices",
    .doc = "Writes slices of tensors to a checkpoint of the older format.",
    .inputs = {"filename: string", "tensor_names: string", "shapes_and_slices: string", "data: T"},
    .attrs = {"T: list(type) >= 1"},
    .traits = kStateful | kWritesFiles | kLongRunning,
    .shape = save_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSaveSlices));

extern constexpr OpDecl kRestoreOp{
    .name = "Restore",
    .doc = "Reads a tensor from a checkpoint of the older format.",
    .inputs = {"file_pattern: string", "tensor_name: string"},
    .outputs = {"tensor: dt"},
    .attrs = {"dt: type", "preferred_shard: int = -1"},
    .traits = kStateful | kDataDependentShape | kReadsFiles | kForLoading,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kRestoreOp));

extern constexpr OpDecl kRestoreSlice{
    .name = "RestoreSlice",
    .doc = "Reads a slice of a tensor from a checkpoint of the older format.",
    .inputs = {"file_pattern: string", "tensor_name: string", "shape_and_slice: string"},
    .outputs = {"tensor: dt"},
    .attrs = {"dt: type", "preferred_shard: int = -1"},
    .traits = kStateful | kDataDependentShape | kReadsFiles | kForLoading | kLongRunning,
    .shape = restore_slice_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kRestoreSlice));

}  // namespace rill

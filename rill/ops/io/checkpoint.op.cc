#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes save_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  return {};
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
    .shape = unknown_outputs,
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
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kRestoreSlice));

}  // namespace rill

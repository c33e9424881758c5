#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

// All but the number of rows is known.
PartialShape any_rows(const PartialShape& shape) {
  return shape.has_rank() && shape.rank() > 0 ? shape.with_dim(0, -1) : PartialShape();
}

Shapes batch_shapes(const ShapeCtx& c) {
  Shapes shapes;
  for (int i = 0; i < c.input_count(); ++i) shapes.push_back(any_rows(c.input(i)));
  shapes.push_back(PartialShape{-1, 3});
  shapes.push_back(PartialShape(Shape{}));
  return shapes;
}

Shapes unbatch_shape(const ShapeCtx& c) { return {any_rows(c.input(0))}; }
Shapes unbatch_grad_shape(const ShapeCtx& c) { return {any_rows(c.input(2))}; }

}  // namespace

extern constexpr OpDecl kBatchOp{
    .name = "Batch",
    .doc = "Joins the rows of calls that come at about the same time; one of them gets all.",
    .inputs = {"in_tensors: T"},
    .outputs = {"batched_tensors: T", "batch_index: int64", "id: int64"},
    .attrs = {"num_batch_threads: int", "max_batch_size: int", "max_enqueued_batches: int = 10",
              "batch_timeout_micros: int", "allowed_batch_sizes: list(int) = []",
              "grad_timeout_micros: int", "container: string = ''", "shared_name: string = ''",
              "batching_queue: string = ''", "T: list(type) >= 1"},
    .traits = kDataDependentShape,
    .shape = batch_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kBatchOp));

extern constexpr OpDecl kBatchFunction{
    .name = "BatchFunction",
    .doc = "Calls a function once for the rows of calls that come at about the same time.",
    .inputs = {"in_tensors: Tin", "captured_tensors: Tcaptured"},
    .outputs = {"out_tensors: Tout"},
    .attrs = {"f: func", "num_batch_threads: int", "max_batch_size: int",
              "batch_timeout_micros: int", "max_enqueued_batches: int = 10",
              "allowed_batch_sizes: list(int) = []", "container: string = ''",
              "shared_name: string = ''", "batching_queue: string = ''", "Tin: list(type) >= 1",
              "Tcaptured: list(type) >= 0", "Tout: list(type) >= 1"},
    .traits = kDataDependentShape,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kBatchFunction));

extern constexpr OpDecl kUnbatch{
    .name = "Unbatch",
    .doc = "The rows of a batch that belong to the call `id`.",
    .inputs = {"batched_tensor: T", "batch_index: int64", "id: int64"},
    .outputs = {"unbatched_tensor: T"},
    .attrs = {"timeout_micros: int", "container: string = ''", "shared_name: string = ''",
              "T: type"},
    .traits = kDataDependentShape,
    .shape = unbatch_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnbatch));

extern constexpr OpDecl kUnbatchGrad{
    .name = "UnbatchGrad",
    .doc = "The gradients of all calls of a batch, joined for the one that had the batch.",
    .inputs = {"original_input: T", "batch_index: int64", "grad: T", "id: int64"},
    .outputs = {"batched_grad: T"},
    .attrs = {"container: string = ''", "shared_name: string = ''", "T: type"},
    .traits = kDataDependentShape,
    .shape = unbatch_grad_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kUnbatchGrad));

}  // namespace rill

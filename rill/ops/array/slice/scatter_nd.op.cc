#include "rill/ops/array/slice/scatter_nd_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/array/values/shape_values.h"

namespace rill {
namespace {

Shapes scatter_nd_shape(const ShapeCtx& c) {
  const PartialShape out = known_dims(c, 2);
  check_scatter_nd(c.with_rank_at_least(0, 1), c.input(1), out);
  return {out};
}

// The target is input 0.
Shapes scatter_into_shape(const ShapeCtx& c) {
  check_scatter_nd(c.with_rank_at_least(1, 1), c.input(2), c.input(0));
  return {c.input(0)};
}

void scatter_nd_grad(GradCtx& g) { g.set(1, g.add("GatherNd", {g.dy(), g.input(0)})); }

void non_aliasing_add_grad(GradCtx& g) {
  g.set(0, g.dy());
  g.set(2, g.add("GatherNd", {g.dy(), g.input(1)}));
}

void tensor_scatter_add_grad(GradCtx& g) {
  g.set(2, g.add("GatherNd", {g.dy(), g.input(1)}));
  g.set(0, identity(g.scope(), g.dy()));
}

void tensor_scatter_sub_grad(GradCtx& g) {
  const Output rows = g.add("GatherNd", {g.dy(), g.input(1)});
  g.set(0, identity(g.scope(), g.dy()));
  g.set(2, neg(g, rows));
}

void tensor_scatter_update_grad(GradCtx& g) {
  g.set(2, g.add("GatherNd", {g.dy(), g.input(1)}));
  const Output dy = identity(g.scope(), g.dy());
  g.set(0, g.add("TensorScatterUpdate", {dy, g.input(1), zeros_like(g, g.input(2))}));
}

}  // namespace

extern constexpr OpDecl kScatterNd{
    .name = "ScatterNd",
    .doc =
        "Zeros of shape `shape` with `updates` added at the places that the rows of `indices` "
        "name.",
    .inputs = {"indices: Tindices", "updates: T", "shape: Tindices"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_nd_shape,
    .grad = scatter_nd_grad,
};
static_assert(well_formed(kScatterNd));

extern constexpr OpDecl kScatterNdNonAliasingAdd{
    .name = "ScatterNdNonAliasingAdd",
    .doc = "input with updates added at the places that the rows of indices name.",
    .inputs = {"input: T", "indices: Tindices", "updates: T"},
    .outputs = {"output: T"},
    .attrs = {"T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64, bool}",
              "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_into_shape,
    .grad = non_aliasing_add_grad,
};
static_assert(well_formed(kScatterNdNonAliasingAdd));

extern constexpr OpDecl kTensorScatterAdd{
    .name = "TensorScatterAdd",
    .doc = "tensor with updates added at the places that the rows of indices name.",
    .inputs = {"tensor: T", "indices: Tindices", "updates: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_into_shape,
    .grad = tensor_scatter_add_grad,
};
static_assert(well_formed(kTensorScatterAdd));

extern constexpr OpDecl kTensorScatterSub{
    .name = "TensorScatterSub",
    .doc = "tensor with updates subtracted at the places that the rows of indices name.",
    .inputs = {"tensor: T", "indices: Tindices", "updates: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_into_shape,
    .grad = tensor_scatter_sub_grad,
};
static_assert(well_formed(kTensorScatterSub));

extern constexpr OpDecl kTensorScatterUpdate{
    .name = "TensorScatterUpdate",
    .doc = "tensor with updates in place of what the rows of indices name.",
    .inputs = {"tensor: T", "indices: Tindices", "updates: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tindices: {int32, int64}"},
    .traits = kPure,
    .shape = scatter_into_shape,
    .grad = tensor_scatter_update_grad,
};
static_assert(well_formed(kTensorScatterUpdate));

}  // namespace rill

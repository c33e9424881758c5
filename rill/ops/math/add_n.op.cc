#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

void add_n_grad(GradCtx& g) {
  for (int i = 0; i < g.input_count(); ++i) g.set(i, g.dy());
}

}  // namespace

extern constexpr OpDecl kAddN{
    .name = "AddN",
    .doc = "The sum of all inputs, which have one shape.",
    .inputs = {"inputs: N * T"},
    .outputs = {"sum: T"},
    .attrs = {"N: int >= 1",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64, variant}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = merge_inputs,
    .grad = add_n_grad,
};
static_assert(well_formed(kAddN));

extern constexpr OpDecl kAccumulateNV2{
    .name = "AccumulateNV2",
    .doc = "The sum of all inputs, which have the shape `shape`.",
    .inputs = {"inputs: N * T"},
    .outputs = {"sum: T"},
    .attrs = {"N: int >= 1",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "shape: shape"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = merge_inputs,
    .grad = add_n_grad,
};
static_assert(well_formed(kAccumulateNV2));

}  // namespace rill

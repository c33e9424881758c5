#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

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
};
static_assert(well_formed(kAddN));

}  // namespace rill

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kAdd{
    .name = "Add",
    .doc = "x + y, element by element with broadcasting; strings are joined.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "complex128, string}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kAdd));

extern constexpr OpDecl kAddV2{
    .name = "AddV2",
    .doc = "x + y, element by element with broadcasting; numbers only.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, int16, int32, int64, complex64, "
              "complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kAddV2));

extern constexpr OpDecl kSub{
    .name = "Sub",
    .doc = "x - y, element by element with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kSub));

extern constexpr OpDecl kMul{
    .name = "Mul",
    .doc = "x * y, element by element with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, uint8, int8, uint16, int16, int32, int64, "
              "complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
};
static_assert(well_formed(kMul));

}  // namespace rill

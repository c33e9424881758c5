#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kBitwiseAnd{
    .name = "BitwiseAnd",
    .doc = "The bits that x and y both have, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kBitwiseAnd));

extern constexpr OpDecl kBitwiseOr{
    .name = "BitwiseOr",
    .doc = "The bits that x or y has, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kBitwiseOr));

extern constexpr OpDecl kBitwiseXor{
    .name = "BitwiseXor",
    .doc = "The bits that either x or y has but not both, with broadcasting.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kBitwiseXor));

extern constexpr OpDecl kLeftShift{
    .name = "LeftShift",
    .doc =
        "The bits of x moved up by y, which is taken as 0 when negative and as the last bit's "
        "place whenlarger.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kLeftShift));

extern constexpr OpDecl kRightShift{
    .name = "RightShift",
    .doc = "The bits of x moved down by y, the sign kept; y is limited as in LeftShift.",
    .inputs = {"x: T", "y: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = broadcast_inputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kRightShift));

extern constexpr OpDecl kInvert{
    .name = "Invert",
    .doc = "Every bit of x turned over.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kInvert));

extern constexpr OpDecl kPopulationCount{
    .name = "PopulationCount",
    .doc = "How many bits of each element are set.",
    .inputs = {"x: T"},
    .outputs = {"y: uint8"},
    .attrs = {"T: {int8, int16, int32, int64, uint8, uint16, uint32, uint64}"},
    .traits = kPure | kElementwise,
    .shape = same_as_input,
    .grad = not_differentiable,
};
static_assert(well_formed(kPopulationCount));

}  // namespace rill

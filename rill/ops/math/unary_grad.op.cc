#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kTanhGrad{
    .name = "TanhGrad",
    .doc = "dy * (1 - y * y): the gradient of y = Tanh(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kTanhGrad));

extern constexpr OpDecl kSigmoidGrad{
    .name = "SigmoidGrad",
    .doc = "dy * y * (1 - y): the gradient of y = Sigmoid(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kSigmoidGrad));

extern constexpr OpDecl kInvGrad{
    .name = "InvGrad",
    .doc = "-dy * y * y: the gradient of y = Inv(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kInvGrad));

extern constexpr OpDecl kReciprocalGrad{
    .name = "ReciprocalGrad",
    .doc = "-dy * y * y: the gradient of y = Reciprocal(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kReciprocalGrad));

extern constexpr OpDecl kSqrtGrad{
    .name = "SqrtGrad",
    .doc = "dy / 2 / y: the gradient of y = Sqrt(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kSqrtGrad));

extern constexpr OpDecl kRsqrtGrad{
    .name = "RsqrtGrad",
    .doc = "-dy / 2 * y * y * y: the gradient of y = Rsqrt(x).",
    .inputs = {"y: T", "dy: T"},
    .outputs = {"z: T"},
    .attrs = {"T: {bfloat16, half, float, double, complex64, complex128}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kRsqrtGrad));

}  // namespace rill

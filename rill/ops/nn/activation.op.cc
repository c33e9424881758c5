#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kElu{
    .name = "Elu",
    .doc = "x where it is above 0, else exp(x) - 1.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kElu));

extern constexpr OpDecl kEluGrad{
    .name = "EluGrad",
    .doc = "The gradients of Elu from its outputs.",
    .inputs = {"gradients: T", "outputs: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kEluGrad));

extern constexpr OpDecl kSelu{
    .name = "Selu",
    .doc = "Elu scaled so that activations keep mean 0 and variance 1.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSelu));

extern constexpr OpDecl kSeluGrad{
    .name = "SeluGrad",
    .doc = "The gradients of Selu from its outputs.",
    .inputs = {"gradients: T", "outputs: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kSeluGrad));

extern constexpr OpDecl kSoftplus{
    .name = "Softplus",
    .doc = "log(1 + exp(x)), computed without overflow.",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSoftplus));

extern constexpr OpDecl kSoftplusGrad{
    .name = "SoftplusGrad",
    .doc = "gradients / (1 + exp(-features)).",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kSoftplusGrad));

extern constexpr OpDecl kSoftsign{
    .name = "Softsign",
    .doc = "x / (1 + |x|).",
    .inputs = {"features: T"},
    .outputs = {"activations: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kSoftsign));

extern constexpr OpDecl kSoftsignGrad{
    .name = "SoftsignGrad",
    .doc = "gradients / (1 + |features|)^2.",
    .inputs = {"gradients: T", "features: T"},
    .outputs = {"backprops: T"},
    .attrs = {"T: {half, bfloat16, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = merge_inputs,
};
static_assert(well_formed(kSoftsignGrad));

}  // namespace rill

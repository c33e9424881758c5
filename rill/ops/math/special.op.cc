#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kErf{
    .name = "Erf",
    .doc = "The error function of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kErf));

extern constexpr OpDecl kErfc{
    .name = "Erfc",
    .doc = "1 - erf(x) without cancellation.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kErfc));

extern constexpr OpDecl kLgamma{
    .name = "Lgamma",
    .doc = "The logarithm of the absolute value of the gamma function of x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kLgamma));

extern constexpr OpDecl kDigamma{
    .name = "Digamma",
    .doc = "The derivative of Lgamma at x.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {bfloat16, half, float, double}"},
    .traits = kPure | kElementwise | kInPlace,
    .shape = same_as_input,
};
static_assert(well_formed(kDigamma));

}  // namespace rill

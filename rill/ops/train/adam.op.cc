#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyAdam{
    .name = "ApplyAdam",
    .doc = "m and v follow grad and its square; var -= lr * m / (sqrt(v) + epsilon), unbiased.",
    .inputs = {"var: Ref(T)", "m: Ref(T)", "v: Ref(T)", "beta1_power: T", "beta2_power: T", "lr: T",
               "beta1: T", "beta2: T", "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "use_nesterov: bool = false"},
    .traits = kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<10 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdam));

extern constexpr OpDecl kResourceApplyAdam{
    .name = "ResourceApplyAdam",
    .doc = "m and v follow grad and its square; var -= lr * m / (sqrt(v) + epsilon), unbiased.",
    .inputs = {"var: resource", "m: resource", "v: resource", "beta1_power: T", "beta2_power: T",
               "lr: T", "beta1: T", "beta2: T", "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "use_nesterov: bool = false"},
    .traits = kStateful | kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<10 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdam));

extern constexpr OpDecl kResourceApplyAdamWithAmsgrad{
    .name = "ResourceApplyAdamWithAmsgrad",
    .doc = "As Adam, dividing by the largest v so far, vhat.",
    .inputs = {"var: resource", "m: resource", "v: resource", "vhat: resource", "beta1_power: T",
               "beta2_power: T", "lr: T", "beta1: T", "beta2: T", "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdamWithAmsgrad));

extern constexpr OpDecl kApplyAdaMax{
    .name = "ApplyAdaMax",
    .doc =
        "m follows grad, v is the largest of recent |grad|; var -= lr * m / (v + epsilon), "
        "unbiased.",
    .inputs = {"var: Ref(T)", "m: Ref(T)", "v: Ref(T)", "beta1_power: T", "lr: T", "beta1: T",
               "beta2: T", "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdaMax));

extern constexpr OpDecl kResourceApplyAdaMax{
    .name = "ResourceApplyAdaMax",
    .doc =
        "m follows grad, v is the largest of recent |grad|; var -= lr * m / (v + epsilon), "
        "unbiased.",
    .inputs = {"var: resource", "m: resource", "v: resource", "beta1_power: T", "lr: T", "beta1: T",
               "beta2: T", "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdaMax));

}  // namespace rill

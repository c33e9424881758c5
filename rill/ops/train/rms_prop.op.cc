#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyRMSProp{
    .name = "ApplyRMSProp",
    .doc =
        "ms follows the square of grad; mom = mom * momentum + lr * grad / sqrt(ms + epsilon); var "
        "-= mom.",
    .inputs = {"var: Ref(T)", "ms: Ref(T)", "mom: Ref(T)", "lr: T", "rho: T", "momentum: T",
               "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<10 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyRMSProp));

extern constexpr OpDecl kResourceApplyRMSProp{
    .name = "ResourceApplyRMSProp",
    .doc =
        "ms follows the square of grad; mom = mom * momentum + lr * grad / sqrt(ms + epsilon); var "
        "-= mom.",
    .inputs = {"var: resource", "ms: resource", "mom: resource", "lr: T", "rho: T", "momentum: T",
               "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful | kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<10 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyRMSProp));

extern constexpr OpDecl kSparseApplyRMSProp{
    .name = "SparseApplyRMSProp",
    .doc =
        "ms follows the square of grad; mom = mom * momentum + lr * grad / sqrt(ms + epsilon); var "
        "-= mom, on the rows that indices name.",
    .inputs = {"var: Ref(T)", "ms: Ref(T)", "mom: Ref(T)", "lr: T", "rho: T", "momentum: T",
               "epsilon: T", "grad: T", "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyRMSProp));

extern constexpr OpDecl kResourceSparseApplyRMSProp{
    .name = "ResourceSparseApplyRMSProp",
    .doc =
        "ms follows the square of grad; mom = mom * momentum + lr * grad / sqrt(ms + epsilon); var "
        "-= mom, on the rows that indices name.",
    .inputs = {"var: resource", "ms: resource", "mom: resource", "lr: T", "rho: T", "momentum: T",
               "epsilon: T", "grad: T", "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyRMSProp));

extern constexpr OpDecl kApplyCenteredRMSProp{
    .name = "ApplyCenteredRMSProp",
    .doc = "As RMSProp, with the variance of grad in place of its square.",
    .inputs = {"var: Ref(T)", "mg: Ref(T)", "ms: Ref(T)", "mom: Ref(T)", "lr: T", "rho: T",
               "momentum: T", "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<15 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyCenteredRMSProp));

extern constexpr OpDecl kResourceApplyCenteredRMSProp{
    .name = "ResourceApplyCenteredRMSProp",
    .doc = "As RMSProp, with the variance of grad in place of its square.",
    .inputs = {"var: resource", "mg: resource", "ms: resource", "mom: resource", "lr: T", "rho: T",
               "momentum: T", "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<15 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyCenteredRMSProp));

extern constexpr OpDecl kSparseApplyCenteredRMSProp{
    .name = "SparseApplyCenteredRMSProp",
    .doc =
        "As RMSProp, with the variance of grad in place of its square, on the rows that indices "
        "name.",
    .inputs = {"var: Ref(T)", "mg: Ref(T)", "ms: Ref(T)", "mom: Ref(T)", "lr: T", "rho: T",
               "momentum: T", "epsilon: T", "grad: T", "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyCenteredRMSProp));

extern constexpr OpDecl kResourceSparseApplyCenteredRMSProp{
    .name = "ResourceSparseApplyCenteredRMSProp",
    .doc =
        "As RMSProp, with the variance of grad in place of its square, on the rows that indices "
        "name.",
    .inputs = {"var: resource", "mg: resource", "ms: resource", "mom: resource", "lr: T", "rho: T",
               "momentum: T", "epsilon: T", "grad: T", "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyCenteredRMSProp));

}  // namespace rill

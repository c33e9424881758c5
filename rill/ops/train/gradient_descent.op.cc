#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyGradientDescent{
    .name = "ApplyGradientDescent",
    .doc = "var -= alpha * delta.",
    .inputs = {"var: Ref(T)", "alpha: T", "delta: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<2>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyGradientDescent));

extern constexpr OpDecl kResourceApplyGradientDescent{
    .name = "ResourceApplyGradientDescent",
    .doc = "var -= alpha * delta.",
    .inputs = {"var: resource", "alpha: T", "delta: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful | kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<2>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyGradientDescent));

extern constexpr OpDecl kApplyProximalGradientDescent{
    .name = "ApplyProximalGradientDescent",
    .doc = "A step of gradient descent, then drawn to zero by l1 and l2.",
    .inputs = {"var: Ref(T)", "alpha: T", "l1: T", "l2: T", "delta: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyProximalGradientDescent));

extern constexpr OpDecl kResourceApplyProximalGradientDescent{
    .name = "ResourceApplyProximalGradientDescent",
    .doc = "A step of gradient descent, then drawn to zero by l1 and l2.",
    .inputs = {"var: resource", "alpha: T", "l1: T", "l2: T", "delta: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyProximalGradientDescent));

extern constexpr OpDecl kSparseApplyProximalGradientDescent{
    .name = "SparseApplyProximalGradientDescent",
    .doc =
        "A step of gradient descent, then drawn to zero by l1 and l2, on the rows that indices "
        "name.",
    .inputs = {"var: Ref(T)", "alpha: T", "l1: T", "l2: T", "grad: T", "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyProximalGradientDescent));

extern constexpr OpDecl kResourceSparseApplyProximalGradientDescent{
    .name = "ResourceSparseApplyProximalGradientDescent",
    .doc =
        "A step of gradient descent, then drawn to zero by l1 and l2, on the rows that indices "
        "name.",
    .inputs = {"var: resource", "alpha: T", "l1: T", "l2: T", "grad: T", "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyProximalGradientDescent));

}  // namespace rill

#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyAdadelta{
    .name = "ApplyAdadelta",
    .doc = "A step of the size of earlier steps over that of earlier gradients, times lr.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "accum_update: Ref(T)", "lr: T", "rho: T",
               "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<14 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdadelta));

extern constexpr OpDecl kResourceApplyAdadelta{
    .name = "ResourceApplyAdadelta",
    .doc = "A step of the size of earlier steps over that of earlier gradients, times lr.",
    .inputs = {"var: resource", "accum: resource", "accum_update: resource", "lr: T", "rho: T",
               "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<14 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdadelta));

extern constexpr OpDecl kSparseApplyAdadelta{
    .name = "SparseApplyAdadelta",
    .doc =
        "A step of the size of earlier steps over that of earlier gradients, times lr, on the rows "
        "that indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "accum_update: Ref(T)", "lr: T", "rho: T",
               "epsilon: T", "grad: T", "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyAdadelta));

extern constexpr OpDecl kResourceSparseApplyAdadelta{
    .name = "ResourceSparseApplyAdadelta",
    .doc =
        "A step of the size of earlier steps over that of earlier gradients, times lr, on the rows "
        "that indices name.",
    .inputs = {"var: resource", "accum: resource", "accum_update: resource", "lr: T", "rho: T",
               "epsilon: T", "grad: T", "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyAdadelta));

}  // namespace rill

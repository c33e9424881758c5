#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyMomentum{
    .name = "ApplyMomentum",
    .doc = "accum = accum * momentum + grad; var -= lr * accum.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "grad: T", "momentum: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "use_nesterov: bool = false"},
    .traits = kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<4>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyMomentum));

extern constexpr OpDecl kResourceApplyMomentum{
    .name = "ResourceApplyMomentum",
    .doc = "accum = accum * momentum + grad; var -= lr * accum.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T", "momentum: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "use_nesterov: bool = false"},
    .traits = kStateful | kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<4>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyMomentum));

extern constexpr OpDecl kSparseApplyMomentum{
    .name = "SparseApplyMomentum",
    .doc = "accum = accum * momentum + grad; var -= lr * accum, on the rows that indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "grad: T", "indices: Tindices",
               "momentum: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "use_nesterov: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyMomentum));

extern constexpr OpDecl kResourceSparseApplyMomentum{
    .name = "ResourceSparseApplyMomentum",
    .doc = "accum = accum * momentum + grad; var -= lr * accum, on the rows that indices name.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T", "indices: Tindices",
               "momentum: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "use_nesterov: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyMomentum));

extern constexpr OpDecl kResourceApplyKerasMomentum{
    .name = "ResourceApplyKerasMomentum",
    .doc = "accum = accum * momentum - lr * grad; var += accum.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T", "momentum: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "use_nesterov: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyKerasMomentum));

extern constexpr OpDecl kResourceSparseApplyKerasMomentum{
    .name = "ResourceSparseApplyKerasMomentum",
    .doc = "accum = accum * momentum - lr * grad; var += accum, on the rows that indices name.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T", "indices: Tindices",
               "momentum: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "use_nesterov: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyKerasMomentum));

}  // namespace rill

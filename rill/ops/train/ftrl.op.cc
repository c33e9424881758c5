#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyFtrl{
    .name = "ApplyFtrl",
    .doc = "Follow the regularised leader: var minimises the linear sum with l1 and l2 penalties.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "linear: Ref(T)", "grad: T", "lr: T", "l1: T",
               "l2: T", "lr_power: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<13 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyFtrl));

extern constexpr OpDecl kResourceApplyFtrl{
    .name = "ResourceApplyFtrl",
    .doc = "Follow the regularised leader: var minimises the linear sum with l1 and l2 penalties.",
    .inputs = {"var: resource", "accum: resource", "linear: resource", "grad: T", "lr: T", "l1: T",
               "l2: T", "lr_power: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<13 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyFtrl));

extern constexpr OpDecl kSparseApplyFtrl{
    .name = "SparseApplyFtrl",
    .doc =
        "Follow the regularised leader: var minimises the linear sum with l1 and l2 penalties, on "
        "the rows that indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "linear: Ref(T)", "grad: T", "indices: Tindices",
               "lr: T", "l1: T", "l2: T", "lr_power: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyFtrl));

extern constexpr OpDecl kResourceSparseApplyFtrl{
    .name = "ResourceSparseApplyFtrl",
    .doc =
        "Follow the regularised leader: var minimises the linear sum with l1 and l2 penalties, on "
        "the rows that indices name.",
    .inputs = {"var: resource", "accum: resource", "linear: resource", "grad: T",
               "indices: Tindices", "lr: T", "l1: T", "l2: T", "lr_power: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyFtrl));

extern constexpr OpDecl kApplyFtrlV2{
    .name = "ApplyFtrlV2",
    .doc = "As Ftrl, with a penalty l2_shrinkage that only the linear sum sees.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "linear: Ref(T)", "grad: T", "lr: T", "l1: T",
               "l2: T", "l2_shrinkage: T", "lr_power: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<15 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyFtrlV2));

extern constexpr OpDecl kResourceApplyFtrlV2{
    .name = "ResourceApplyFtrlV2",
    .doc = "As Ftrl, with a penalty l2_shrinkage that only the linear sum sees.",
    .inputs = {"var: resource", "accum: resource", "linear: resource", "grad: T", "lr: T", "l1: T",
               "l2: T", "l2_shrinkage: T", "lr_power: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<15 + 2 * kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyFtrlV2));

extern constexpr OpDecl kSparseApplyFtrlV2{
    .name = "SparseApplyFtrlV2",
    .doc =
        "As Ftrl, with a penalty l2_shrinkage that only the linear sum sees, on the rows that "
        "indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "linear: Ref(T)", "grad: T", "indices: Tindices",
               "lr: T", "l1: T", "l2: T", "l2_shrinkage: T", "lr_power: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyFtrlV2));

extern constexpr OpDecl kResourceSparseApplyFtrlV2{
    .name = "ResourceSparseApplyFtrlV2",
    .doc =
        "As Ftrl, with a penalty l2_shrinkage that only the linear sum sees, on the rows that "
        "indices name.",
    .inputs = {"var: resource", "accum: resource", "linear: resource", "grad: T",
               "indices: Tindices", "lr: T", "l1: T", "l2: T", "l2_shrinkage: T", "lr_power: T"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyFtrlV2));

}  // namespace rill

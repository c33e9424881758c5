#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyAdagrad{
    .name = "ApplyAdagrad",
    .doc = "accum += grad * grad; var -= lr * grad / sqrt(accum).",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "update_slots: bool = true"},
    .traits = kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<4 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdagrad));

extern constexpr OpDecl kResourceApplyAdagrad{
    .name = "ResourceApplyAdagrad",
    .doc = "accum += grad * grad; var -= lr * grad / sqrt(accum).",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "update_slots: bool = true"},
    .traits = kStateful | kFusableUpdate,
    .shape = update_shape,
    .cost = per_input<4 + kRoot>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdagrad));

extern constexpr OpDecl kSparseApplyAdagrad{
    .name = "SparseApplyAdagrad",
    .doc = "accum += grad * grad; var -= lr * grad / sqrt(accum), on the rows that indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "grad: T", "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "update_slots: bool = true"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyAdagrad));

extern constexpr OpDecl kResourceSparseApplyAdagrad{
    .name = "ResourceSparseApplyAdagrad",
    .doc = "accum += grad * grad; var -= lr * grad / sqrt(accum), on the rows that indices name.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "grad: T", "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "update_slots: bool = true"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyAdagrad));

extern constexpr OpDecl kApplyAdagradV2{
    .name = "ApplyAdagradV2",
    .doc = "accum += grad * grad; var -= lr * grad / (sqrt(accum) + epsilon).",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "epsilon: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "update_slots: bool = true"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdagradV2));

extern constexpr OpDecl kResourceApplyAdagradV2{
    .name = "ResourceApplyAdagradV2",
    .doc = "accum += grad * grad; var -= lr * grad / (sqrt(accum) + epsilon).",
    .inputs = {"var: resource", "accum: resource", "lr: T", "epsilon: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false", "update_slots: bool = true"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdagradV2));

extern constexpr OpDecl kSparseApplyAdagradV2{
    .name = "SparseApplyAdagradV2",
    .doc =
        "accum += grad * grad; var -= lr * grad / (sqrt(accum) + epsilon), on the rows that "
        "indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "epsilon: T", "grad: T",
               "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "update_slots: bool = true"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyAdagradV2));

extern constexpr OpDecl kResourceSparseApplyAdagradV2{
    .name = "ResourceSparseApplyAdagradV2",
    .doc =
        "accum += grad * grad; var -= lr * grad / (sqrt(accum) + epsilon), on the rows that "
        "indices name.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "epsilon: T", "grad: T",
               "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false",
              "update_slots: bool = true"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyAdagradV2));

extern constexpr OpDecl kApplyAdagradDA{
    .name = "ApplyAdagradDA",
    .doc = "Dual averaging: var follows from the sums of gradients and of their squares alone.",
    .inputs = {"var: Ref(T)", "gradient_accumulator: Ref(T)",
               "gradient_squared_accumulator: Ref(T)", "grad: T", "lr: T", "l1: T", "l2: T",
               "global_step: int64"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAdagradDA));

extern constexpr OpDecl kResourceApplyAdagradDA{
    .name = "ResourceApplyAdagradDA",
    .doc = "Dual averaging: var follows from the sums of gradients and of their squares alone.",
    .inputs = {"var: resource", "gradient_accumulator: resource",
               "gradient_squared_accumulator: resource", "grad: T", "lr: T", "l1: T", "l2: T",
               "global_step: int64"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAdagradDA));

extern constexpr OpDecl kSparseApplyAdagradDA{
    .name = "SparseApplyAdagradDA",
    .doc =
        "Dual averaging: var follows from the sums of gradients and of their squares alone, on the "
        "rows that indices name.",
    .inputs = {"var: Ref(T)", "gradient_accumulator: Ref(T)",
               "gradient_squared_accumulator: Ref(T)", "grad: T", "indices: Tindices", "lr: T",
               "l1: T", "l2: T", "global_step: int64"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyAdagradDA));

extern constexpr OpDecl kResourceSparseApplyAdagradDA{
    .name = "ResourceSparseApplyAdagradDA",
    .doc =
        "Dual averaging: var follows from the sums of gradients and of their squares alone, on the "
        "rows that indices name.",
    .inputs = {"var: resource", "gradient_accumulator: resource",
               "gradient_squared_accumulator: resource", "grad: T", "indices: Tindices", "lr: T",
               "l1: T", "l2: T", "global_step: int64"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyAdagradDA));

extern constexpr OpDecl kApplyProximalAdagrad{
    .name = "ApplyProximalAdagrad",
    .doc = "A step as of Adagrad, then drawn to zero by l1 and l2.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "l1: T", "l2: T", "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyProximalAdagrad));

extern constexpr OpDecl kResourceApplyProximalAdagrad{
    .name = "ResourceApplyProximalAdagrad",
    .doc = "A step as of Adagrad, then drawn to zero by l1 and l2.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "l1: T", "l2: T", "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyProximalAdagrad));

extern constexpr OpDecl kSparseApplyProximalAdagrad{
    .name = "SparseApplyProximalAdagrad",
    .doc = "A step as of Adagrad, then drawn to zero by l1 and l2, on the rows that indices name.",
    .inputs = {"var: Ref(T)", "accum: Ref(T)", "lr: T", "l1: T", "l2: T", "grad: T",
               "indices: Tindices"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseApplyProximalAdagrad));

extern constexpr OpDecl kResourceSparseApplyProximalAdagrad{
    .name = "ResourceSparseApplyProximalAdagrad",
    .doc = "A step as of Adagrad, then drawn to zero by l1 and l2, on the rows that indices name.",
    .inputs = {"var: resource", "accum: resource", "lr: T", "l1: T", "l2: T", "grad: T",
               "indices: Tindices"},
    .attrs = {"T: numbertype", "Tindices: {int32, int64}", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceSparseApplyProximalAdagrad));

}  // namespace rill

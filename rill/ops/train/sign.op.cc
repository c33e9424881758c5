#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/ops/train/update_shape.h"

namespace rill {

extern constexpr OpDecl kApplyAddSign{
    .name = "ApplyAddSign",
    .doc = "A larger step where the signs of grad and of its average m agree: a sum of both.",
    .inputs = {"var: Ref(T)", "m: Ref(T)", "lr: T", "alpha: T", "sign_decay: T", "beta: T",
               "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<11>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyAddSign));

extern constexpr OpDecl kResourceApplyAddSign{
    .name = "ResourceApplyAddSign",
    .doc = "A larger step where the signs of grad and of its average m agree: a sum of both.",
    .inputs = {"var: resource", "m: resource", "lr: T", "alpha: T", "sign_decay: T", "beta: T",
               "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<11>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyAddSign));

extern constexpr OpDecl kApplyPowerSign{
    .name = "ApplyPowerSign",
    .doc = "A larger step where the signs of grad and of its average m agree: a power of logbase.",
    .inputs = {"var: Ref(T)", "m: Ref(T)", "lr: T", "logbase: T", "sign_decay: T", "beta: T",
               "grad: T"},
    .outputs = {"out: Ref(T)"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .shape = update_shape,
    .cost = per_input<10 + kTranscendental>,
    .grad = no_gradient,
};
static_assert(well_formed(kApplyPowerSign));

extern constexpr OpDecl kResourceApplyPowerSign{
    .name = "ResourceApplyPowerSign",
    .doc = "A larger step where the signs of grad and of its average m agree: a power of logbase.",
    .inputs = {"var: resource", "m: resource", "lr: T", "logbase: T", "sign_decay: T", "beta: T",
               "grad: T"},
    .attrs = {"T: numbertype", "use_locking: bool = false"},
    .traits = kStateful,
    .shape = update_shape,
    .cost = per_input<10 + kTranscendental>,
    .grad = no_gradient,
};
static_assert(well_formed(kResourceApplyPowerSign));

}  // namespace rill

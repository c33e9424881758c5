#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kMutexV2{
    .name = "MutexV2",
    .doc = "A mutex that lives from step to step, named by container and shared_name.",
    .outputs = {"resource: resource"},
    .attrs = {"container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMutexV2));

extern constexpr OpDecl kMutexLock{
    .name = "MutexLock",
    .doc = "Waits for a mutex; it is held as long as the output is there.",
    .inputs = {"mutex: resource"},
    .outputs = {"mutex_lock: variant"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMutexLock));

extern constexpr OpDecl kConsumeMutexLock{
    .name = "ConsumeMutexLock",
    .doc = "The last reader of a lock: the mutex is free when it has run.",
    .inputs = {"mutex_lock: variant"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kConsumeMutexLock));

}  // namespace rill

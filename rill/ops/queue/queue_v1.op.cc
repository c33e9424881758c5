#include "rill/graph/op_decl.h"
#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {

extern constexpr OpDecl kQueueEnqueue{
    .name = "QueueEnqueue",
    .doc = "Puts one element into a queue, when there is room.",
    .inputs = {"handle: Ref(string)", "components: Tcomponents"},
    .attrs = {"Tcomponents: list(type) >= 1", "timeout_ms: int = -1"},
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueEnqueue));

extern constexpr OpDecl kQueueEnqueueMany{
    .name = "QueueEnqueueMany",
    .doc = "Puts the rows of the components into a queue, one by one as there is room.",
    .inputs = {"handle: Ref(string)", "components: Tcomponents"},
    .attrs = {"Tcomponents: list(type) >= 1", "timeout_ms: int = -1"},
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueEnqueueMany));

extern constexpr OpDecl kQueueDequeue{
    .name = "QueueDequeue",
    .doc = "Takes one element out of a queue, when there is one.",
    .inputs = {"handle: Ref(string)"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueDequeue));

extern constexpr OpDecl kQueueDequeueMany{
    .name = "QueueDequeueMany",
    .doc = "Takes n elements out of a queue and joins them along a new first dimension.",
    .inputs = {"handle: Ref(string)", "n: int32"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueDequeueMany));

extern constexpr OpDecl kQueueDequeueUpTo{
    .name = "QueueDequeueUpTo",
    .doc =
        "QueueDequeueMany that is content with fewer elements, at least one, once the queue is "
        "closed.",
    .inputs = {"handle: Ref(string)", "n: int32"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .shape = unknown_outputs,
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueDequeueUpTo));

extern constexpr OpDecl kQueueClose{
    .name = "QueueClose",
    .doc =
        "Says that nothing more will come, after those who wait to enqueue or, if asked for, "
        "instead of them.",
    .inputs = {"handle: Ref(string)"},
    .attrs = {"cancel_pending_enqueues: bool = false"},
    .shape = nothing_of_string_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueClose));

extern constexpr OpDecl kQueueIsClosed{
    .name = "QueueIsClosed",
    .doc = "Whether the queue is closed.",
    .inputs = {"handle: Ref(string)"},
    .outputs = {"is_closed: bool"},
    .shape = scalar_of_string_handle,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueIsClosed));

extern constexpr OpDecl kQueueSize{
    .name = "QueueSize",
    .doc = "How many elements are in the queue.",
    .inputs = {"handle: Ref(string)"},
    .outputs = {"size: int32"},
    .shape = scalar_of_string_handle,
    .grad = not_differentiable,
};
static_assert(well_formed(kQueueSize));

}  // namespace rill

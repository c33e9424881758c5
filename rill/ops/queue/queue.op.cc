#include "rill/ops/resource/handle_twin.h"

namespace rill {

extern constexpr OpDecl kQueueEnqueueV2{
    .name = "QueueEnqueueV2",
    .doc = "Puts one element into a queue, when there is room.",
    .inputs = {"handle: resource", "components: Tcomponents"},
    .attrs = {"Tcomponents: list(type) >= 1", "timeout_ms: int = -1"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueEnqueueV2));

extern constexpr OpDecl kQueueEnqueue =
    string_handle_user<kQueueEnqueueV2>({.name = "QueueEnqueue", .grad = not_differentiable});
static_assert(well_formed(kQueueEnqueue));

extern constexpr OpDecl kQueueEnqueueManyV2{
    .name = "QueueEnqueueManyV2",
    .doc = "Puts the rows of the components into a queue, one by one as there is room.",
    .inputs = {"handle: resource", "components: Tcomponents"},
    .attrs = {"Tcomponents: list(type) >= 1", "timeout_ms: int = -1"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueEnqueueManyV2));

extern constexpr OpDecl kQueueEnqueueMany = string_handle_user<kQueueEnqueueManyV2>(
    {.name = "QueueEnqueueMany", .grad = not_differentiable});
static_assert(well_formed(kQueueEnqueueMany));

extern constexpr OpDecl kQueueDequeueV2{
    .name = "QueueDequeueV2",
    .doc = "Takes one element out of a queue, when there is one.",
    .inputs = {"handle: resource"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueDequeueV2));

extern constexpr OpDecl kQueueDequeue =
    string_handle_user<kQueueDequeueV2>({.name = "QueueDequeue", .grad = not_differentiable});
static_assert(well_formed(kQueueDequeue));

extern constexpr OpDecl kQueueDequeueManyV2{
    .name = "QueueDequeueManyV2",
    .doc = "Takes n elements out of a queue and joins them along a new first dimension.",
    .inputs = {"handle: resource", "n: int32"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueDequeueManyV2));

extern constexpr OpDecl kQueueDequeueMany = string_handle_user<kQueueDequeueManyV2>(
    {.name = "QueueDequeueMany", .grad = not_differentiable});
static_assert(well_formed(kQueueDequeueMany));

extern constexpr OpDecl kQueueDequeueUpToV2{
    .name = "QueueDequeueUpToV2",
    .doc =
        "QueueDequeueMany that is content with fewer elements, at least one, once the queue is "
        "closed.",
    .inputs = {"handle: resource", "n: int32"},
    .outputs = {"components: component_types"},
    .attrs = {"component_types: list(type) >= 1", "timeout_ms: int = -1"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueDequeueUpToV2));

extern constexpr OpDecl kQueueDequeueUpTo = string_handle_user<kQueueDequeueUpToV2>(
    {.name = "QueueDequeueUpTo", .grad = not_differentiable});
static_assert(well_formed(kQueueDequeueUpTo));

extern constexpr OpDecl kQueueCloseV2{
    .name = "QueueCloseV2",
    .doc =
        "Says that nothing more will come, after those who wait to enqueue or, if asked for, "
        "instead of them.",
    .inputs = {"handle: resource"},
    .attrs = {"cancel_pending_enqueues: bool = false"},
    .traits = kStateful,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueCloseV2));

extern constexpr OpDecl kQueueClose = string_handle_user<kQueueCloseV2>(
    {.name = "QueueClose", .shape = nothing_of_string_handle, .grad = not_differentiable});
static_assert(well_formed(kQueueClose));

extern constexpr OpDecl kQueueIsClosedV2{
    .name = "QueueIsClosedV2",
    .doc = "Whether the queue is closed.",
    .inputs = {"handle: resource"},
    .outputs = {"is_closed: bool"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueIsClosedV2));

extern constexpr OpDecl kQueueIsClosed = string_handle_user<kQueueIsClosedV2>(
    {.name = "QueueIsClosed", .shape = scalar_of_string_handle});
static_assert(well_formed(kQueueIsClosed));

extern constexpr OpDecl kQueueSizeV2{
    .name = "QueueSizeV2",
    .doc = "How many elements are in the queue.",
    .inputs = {"handle: resource"},
    .outputs = {"size: int32"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kQueueSizeV2));

extern constexpr OpDecl kQueueSize = string_handle_user<kQueueSizeV2>(
    {.name = "QueueSize", .shape = scalar_of_string_handle, .grad = not_differentiable});
static_assert(well_formed(kQueueSize));

}  // namespace rill

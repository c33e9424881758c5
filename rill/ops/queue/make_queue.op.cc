#include "rill/ops/resource/handle_twin.h"

namespace rill {

extern constexpr OpDecl kFIFOQueueV2{
    .name = "FIFOQueueV2",
    .doc = "A queue that gives elements out in the order in which they came.",
    .outputs = {"handle: resource"},
    .attrs = {"component_types: list(type) >= 1", "shapes: list(shape) >= 0 = []",
              "capacity: int = -1", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFIFOQueueV2));

extern constexpr OpDecl kFIFOQueue = string_handle_maker<kFIFOQueueV2>({.name = "FIFOQueue"});
static_assert(well_formed(kFIFOQueue));

extern constexpr OpDecl kPaddingFIFOQueueV2{
    .name = "PaddingFIFOQueueV2",
    .doc =
        "A FIFOQueue whose components may differ in size and are padded with zeros when many are "
        "dequeued at once.",
    .outputs = {"handle: resource"},
    .attrs = {"component_types: list(type) >= 1", "shapes: list(shape) >= 0 = []",
              "capacity: int = -1", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPaddingFIFOQueueV2));

extern constexpr OpDecl kPaddingFIFOQueue =
    string_handle_maker<kPaddingFIFOQueueV2>({.name = "PaddingFIFOQueue"});
static_assert(well_formed(kPaddingFIFOQueue));

extern constexpr OpDecl kPriorityQueueV2{
    .name = "PriorityQueueV2",
    .doc =
        "A queue that gives out the element with the lowest priority first, which is an int64 in "
        "front of the components.",
    .outputs = {"handle: resource"},
    .attrs = {"component_types: list(type) >= 0 = []", "shapes: list(shape) >= 0",
              "capacity: int = -1", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kPriorityQueueV2));

extern constexpr OpDecl kPriorityQueue =
    string_handle_maker<kPriorityQueueV2>({.name = "PriorityQueue"});
static_assert(well_formed(kPriorityQueue));

extern constexpr OpDecl kRandomShuffleQueueV2{
    .name = "RandomShuffleQueueV2",
    .doc =
        "A queue that gives out elements at random and keeps min_after_dequeue of them until it is "
        "closed.",
    .outputs = {"handle: resource"},
    .attrs = {"component_types: list(type) >= 1", "shapes: list(shape) >= 0 = []",
              "capacity: int = -1", "min_after_dequeue: int = 0", "seed: int = 0", "seed2: int = 0",
              "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kRandomShuffleQueueV2));

extern constexpr OpDecl kRandomShuffleQueue =
    string_handle_maker<kRandomShuffleQueueV2>({.name = "RandomShuffleQueue"});
static_assert(well_formed(kRandomShuffleQueue));

extern constexpr OpDecl kFakeQueue{
    .name = "FakeQueue",
    .doc = "A handle in the form of strings of the queue that a resource handle names.",
    .inputs = {"resource: resource"},
    .outputs = {"handle: Ref(string)"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = no_gradient,
};
static_assert(well_formed(kFakeQueue));

}  // namespace rill

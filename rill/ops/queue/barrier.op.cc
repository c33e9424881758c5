#include "rill/graph/op_decl.h"
#include "rill/ops/resource/string_handle_shapes.h"

namespace rill {
namespace {

Shapes insert_shape(const ShapeCtx& c) {
  check_string_handle(c, 0);
  const PartialShape keys = c.vector(1), values = c.with_rank_at_least(2, 1);
  if (values.has_rank()) (void)merge_shapes(keys, PartialShape{values[0]});
  return {};
}

}  // namespace

extern constexpr OpDecl kBarrier{
    .name = "Barrier",
    .doc =
        "Elements whose components come apart and are given out together; they are known by keys.",
    .outputs = {"handle: Ref(string)"},
    .attrs = {"component_types: list(type) >= 1", "shapes: list(shape) >= 0 = []",
              "capacity: int = -1", "container: string = ''", "shared_name: string = ''"},
    .traits = kStateful,
    .shape = string_handle_output,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrier));

extern constexpr OpDecl kBarrierInsertMany{
    .name = "BarrierInsertMany",
    .doc = "Gives one component to each of some keys.",
    .inputs = {"handle: Ref(string)", "keys: string", "values: T"},
    .attrs = {"T: type", "component_index: int"},
    .shape = insert_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrierInsertMany));

extern constexpr OpDecl kBarrierTakeMany{
    .name = "BarrierTakeMany",
    .doc =
        "Takes complete elements, joined along a new first dimension; waits until there are "
        "enough.",
    .inputs = {"handle: Ref(string)", "num_elements: int32"},
    .outputs = {"indices: int64", "keys: string", "values: component_types"},
    .attrs = {"component_types: list(type) >= 1", "allow_small_batch: bool = false",
              "wait_for_incomplete: bool = false", "timeout_ms: int = -1"},
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrierTakeMany));

extern constexpr OpDecl kBarrierClose{
    .name = "BarrierClose",
    .doc = "Says that no new keys will come and, if asked for, gives up incomplete elements.",
    .inputs = {"handle: Ref(string)"},
    .attrs = {"cancel_pending_enqueues: bool = false"},
    .shape = nothing_of_string_handle,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrierClose));

extern constexpr OpDecl kBarrierReadySize{
    .name = "BarrierReadySize",
    .doc = "How many elements are complete.",
    .inputs = {"handle: Ref(string)"},
    .outputs = {"size: int32"},
    .shape = scalar_of_string_handle,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrierReadySize));

extern constexpr OpDecl kBarrierIncompleteSize{
    .name = "BarrierIncompleteSize",
    .doc = "How many elements are incomplete.",
    .inputs = {"handle: Ref(string)"},
    .outputs = {"size: int32"},
    .shape = scalar_of_string_handle,
    .grad = no_gradient,
};
static_assert(well_formed(kBarrierIncompleteSize));

}  // namespace rill

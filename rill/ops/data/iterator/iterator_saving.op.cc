// Where an iterator stands, as a value.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {

extern constexpr OpDecl kSerializeIterator{
    .name = "SerializeIterator",
    .doc = "The position of an iterator, which checkpoints can hold.",
    .inputs = {"resource_handle: resource"},
    .outputs = {"serialized: variant"},
    .traits = kStateful,
    .shape = unknown_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kSerializeIterator));

extern constexpr OpDecl kDeserializeIterator{
    .name = "DeserializeIterator",
    .doc = "Takes an iterator to a position.",
    .inputs = {"resource_handle: resource", "serialized: variant"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDeserializeIterator));

}  // namespace rill

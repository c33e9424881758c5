// Iterators that deal their elements out to several devices.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/element_shapes.h"

namespace rill {
namespace {

Shapes handle_and_deleter(const ShapeCtx&) {
  return {PartialShape::scalar(), PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kMultiDeviceIterator{
    .name = "MultiDeviceIterator",
    .doc = "A handle of an iterator with one output per device.",
    .outputs = {"handle: resource"},
    .attrs = {"devices: list(string) >= 1", "shared_name: string", "container: string",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMultiDeviceIterator));

extern constexpr OpDecl kAnonymousMultiDeviceIterator{
    .name = "AnonymousMultiDeviceIterator",
    .doc = "The same, living as long as its handle.",
    .outputs = {"handle: resource", "deleter: variant"},
    .attrs = {"devices: list(string) >= 1", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = handle_and_deleter,
    .grad = no_gradient,
};
static_assert(well_formed(kAnonymousMultiDeviceIterator));

extern constexpr OpDecl kDeleteMultiDeviceIterator{
    .name = "DeleteMultiDeviceIterator",
    .doc = "Stops such an iterator and the iterators of its devices.",
    .inputs = {"multi_device_iterator: resource", "iterators: N * resource", "deleter: variant"},
    .attrs = {"N: int >= 0"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDeleteMultiDeviceIterator));

extern constexpr OpDecl kMultiDeviceIteratorInit{
    .name = "MultiDeviceIteratorInit",
    .doc = "Lets the iterator begin; the answer tells this walk from others.",
    .inputs = {"dataset: variant", "multi_device_iterator: resource", "max_buffer_size: int64"},
    .outputs = {"incarnation_id: int64"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMultiDeviceIteratorInit));

extern constexpr OpDecl kMultiDeviceIteratorGetNextFromShard{
    .name = "MultiDeviceIteratorGetNextFromShard",
    .doc = "The next element for device `shard_num`.",
    .inputs = {"multi_device_iterator: resource", "shard_num: int32", "incarnation_id: int64"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = stated_element_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kMultiDeviceIteratorGetNextFromShard));

extern constexpr OpDecl kMultiDeviceIteratorToStringHandle{
    .name = "MultiDeviceIteratorToStringHandle",
    .doc = "A string that stands for the iterator.",
    .inputs = {"multi_device_iterator: resource"},
    .outputs = {"string_handle: string"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMultiDeviceIteratorToStringHandle));

extern constexpr OpDecl kMultiDeviceIteratorFromStringHandle{
    .name = "MultiDeviceIteratorFromStringHandle",
    .doc = "The iterator that a string stands for.",
    .inputs = {"string_handle: string"},
    .outputs = {"multi_device_iterator: resource"},
    .attrs = {"output_types: list(type) >= 0 = []", "output_shapes: list(shape) >= 0 = []"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kMultiDeviceIteratorFromStringHandle));

}  // namespace rill

// How iterators come to be and are passed around.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {
namespace {

Shapes scalar_outputs(const ShapeCtx& c) {
  return Shapes(static_cast<std::size_t>(c.output_count()), PartialShape::scalar());
}

}  // namespace

extern constexpr OpDecl kOneShotIterator{
    .name = "OneShotIterator",
    .doc = "An iterator that runs once through the dataset that `dataset_factory` makes.",
    .outputs = {"handle: resource"},
    .attrs = {"dataset_factory: func", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1", "container: string = ''",
              "shared_name: string = ''"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kOneShotIterator));

extern constexpr OpDecl kAnonymousIterator{
    .name = "AnonymousIterator",
    .doc = "A handle of an iterator that lives as long as its handle.",
    .outputs = {"handle: resource"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kAnonymousIterator));

extern constexpr OpDecl kAnonymousIteratorV2{
    .name = "AnonymousIteratorV2",
    .doc = "A handle of an iterator that lives as long as its handle, and what deletes it.",
    .outputs = {"handle: resource", "deleter: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kAnonymousIteratorV2));

extern constexpr OpDecl kDeleteIterator{
    .name = "DeleteIterator",
    .doc = "Stops an iterator.",
    .inputs = {"handle: resource", "deleter: variant"},
    .traits = kStateful,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kDeleteIterator));

extern constexpr OpDecl kIteratorToStringHandle{
    .name = "IteratorToStringHandle",
    .doc = "A string that stands for the iterator, to be fed.",
    .inputs = {"resource_handle: resource"},
    .outputs = {"string_handle: string"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorToStringHandle));

extern constexpr OpDecl kIteratorFromStringHandle{
    .name = "IteratorFromStringHandle",
    .doc = "The iterator that a string stands for.",
    .inputs = {"string_handle: string"},
    .outputs = {"resource_handle: resource"},
    .attrs = {"output_types: list(type) >= 0 = []", "output_shapes: list(shape) >= 0 = []"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorFromStringHandle));

extern constexpr OpDecl kIteratorFromStringHandleV2{
    .name = "IteratorFromStringHandleV2",
    .doc = "The iterator that a string stands for.",
    .inputs = {"string_handle: string"},
    .outputs = {"resource_handle: resource"},
    .attrs = {"output_types: list(type) >= 0 = []", "output_shapes: list(shape) >= 0 = []"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorFromStringHandleV2));

extern constexpr OpDecl kIteratorGetDevice{
    .name = "IteratorGetDevice",
    .doc = "The name of the device that the iterator is on.",
    .inputs = {"resource: resource"},
    .outputs = {"device: string"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorGetDevice));

extern constexpr OpDecl kExperimentalIteratorGetDevice =
    experimental_twin(kIteratorGetDevice, "ExperimentalIteratorGetDevice");
static_assert(well_formed(kExperimentalIteratorGetDevice));

}  // namespace rill

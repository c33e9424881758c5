// Iterators: what steps take the elements of a dataset from.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/element_shapes.h"

namespace rill {

extern constexpr OpDecl kIterator{
    .name = "Iterator",
    .doc = "A handle of an iterator.",
    .outputs = {"handle: resource"},
    .attrs = {"shared_name: string", "container: string", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIterator));

extern constexpr OpDecl kIteratorV2{
    .name = "IteratorV2",
    .doc = "A handle of an iterator.",
    .outputs = {"handle: resource"},
    .attrs = {"shared_name: string", "container: string", "output_types: list(type) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorV2));

extern constexpr OpDecl kMakeIterator{
    .name = "MakeIterator",
    .doc = "Lets `iterator` begin at the first element of `dataset`.",
    .inputs = {"dataset: variant", "iterator: resource"},
    .traits = kStateful | kNoLastingEffect,
    .shape = no_outputs,
    .grad = no_gradient,
};
static_assert(well_formed(kMakeIterator));

extern constexpr OpDecl kIteratorGetNext{
    .name = "IteratorGetNext",
    .doc = "The next element; OutOfRange when there is none left.",
    .inputs = {"iterator: resource"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kNoLastingEffect,
    .shape = stated_element_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorGetNext));

extern constexpr OpDecl kIteratorGetNextSync{
    .name = "IteratorGetNextSync",
    .doc = "The next element, taken on the thread of the step; OutOfRange when there is none left.",
    .inputs = {"iterator: resource"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = stated_element_shapes,
    .grad = no_gradient,
};
static_assert(well_formed(kIteratorGetNextSync));

}  // namespace rill

// Elements that may be missing.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/element_shapes.h"

namespace rill {

extern constexpr OpDecl kOptionalFromValue{
    .name = "OptionalFromValue",
    .doc = "An element that is there.",
    .inputs = {"components: Toutput_types"},
    .outputs = {"optional: variant"},
    .attrs = {"Toutput_types: list(type) >= 1"},
    .shape = scalar_output,
};
static_assert(well_formed(kOptionalFromValue));

extern constexpr OpDecl kOptionalNone{
    .name = "OptionalNone",
    .doc = "An element that is missing.",
    .outputs = {"optional: variant"},
    .shape = scalar_output,
};
static_assert(well_formed(kOptionalNone));

extern constexpr OpDecl kOptionalHasValue{
    .name = "OptionalHasValue",
    .doc = "Whether the element is there.",
    .inputs = {"optional: variant"},
    .outputs = {"has_value: bool"},
    .shape = scalar_output,
};
static_assert(well_formed(kOptionalHasValue));

extern constexpr OpDecl kOptionalGetValue{
    .name = "OptionalGetValue",
    .doc = "The element; InvalidArgument when it is missing.",
    .inputs = {"optional: variant"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = stated_element_shapes,
};
static_assert(well_formed(kOptionalGetValue));

extern constexpr OpDecl kIteratorGetNextAsOptional{
    .name = "IteratorGetNextAsOptional",
    .doc = "The next element, missing when there is none left.",
    .inputs = {"iterator: resource"},
    .outputs = {"optional: variant"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = scalar_output,
};
static_assert(well_formed(kIteratorGetNextAsOptional));

extern constexpr OpDecl kDatasetToSingleElement{
    .name = "DatasetToSingleElement",
    .doc = "The only element of a dataset.",
    .inputs = {"dataset: variant"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .traits = kStateful,
    .shape = stated_element_shapes,
};
static_assert(well_formed(kDatasetToSingleElement));

}  // namespace rill

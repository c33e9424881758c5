// Elements that may be missing.
#include "rill/graph/grad_ctx.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/element_shapes.h"

namespace rill {
namespace {

// The gradient of an element that may be missing is one as well.
void from_value_grad(GradCtx& g) {
  std::vector<PartialShape> shapes;
  for (int i = 0; i < g.input_count(); ++i) shapes.push_back(g.input(i).shape());
  Node& gradients = g.scope().add("OptionalGetValue", {g.dy()},
                                  {{"output_types", g.attr<std::vector<DType>>("Toutput_types")},
                                   {"output_shapes", std::move(shapes)}});
  for (int i = 0; i < g.input_count(); ++i) g.set(i, gradients.output(i));
}

void get_value_grad(GradCtx& g) {
  std::vector<Input> gradients;
  for (int i = 0; i < g.node().output_count(); ++i) gradients.push_back(g.dy(i));
  g.set(0, g.scope().add("OptionalFromValue", {std::move(gradients)}));
}

}  // namespace

extern constexpr OpDecl kOptionalFromValue{
    .name = "OptionalFromValue",
    .doc = "An element that is there.",
    .inputs = {"components: Toutput_types"},
    .outputs = {"optional: variant"},
    .attrs = {"Toutput_types: list(type) >= 1"},
    .shape = scalar_output,
    .grad = from_value_grad,
};
static_assert(well_formed(kOptionalFromValue));

extern constexpr OpDecl kOptionalNone{
    .name = "OptionalNone",
    .doc = "An element that is missing.",
    .outputs = {"optional: variant"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kOptionalNone));

extern constexpr OpDecl kOptionalHasValue{
    .name = "OptionalHasValue",
    .doc = "Whether the element is there.",
    .inputs = {"optional: variant"},
    .outputs = {"has_value: bool"},
    .shape = scalar_output,
    .grad = no_gradient,
};
static_assert(well_formed(kOptionalHasValue));

extern constexpr OpDecl kOptionalGetValue{
    .name = "OptionalGetValue",
    .doc = "The element; InvalidArgument when it is missing.",
    .inputs = {"optional: variant"},
    .outputs = {"components: output_types"},
    .attrs = {"output_types: list(type) >= 1", "output_shapes: list(shape) >= 1"},
    .shape = stated_element_shapes,
    .grad = get_value_grad,
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
    .grad = no_gradient,
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
    .grad = no_gradient,
};
static_assert(well_formed(kDatasetToSingleElement));

}  // namespace rill

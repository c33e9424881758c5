#include "rill/graph/gradient_parts.h"
#include "rill/graph/kernel_work.h"
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

PartialShape sum_shape(const ShapeCtx& c) {
  PartialShape merged;
  for (int i = c.input_count() - 1; i >= 0; --i) {
    if (!c.input(i).is_compatible(merged)) {
      const std::string refusal = merge_refusal(c.input(i), merged);
      require(false,
              when_run("Inputs to operation AddN of type AddN must have the same size and shape.  ",
                       "Input 0: ", c.input(0), " != input ", i == 0 ? 1 : i, ": ",
                       c.input(i == 0 ? 1 : i)),
              when_built(refusal, "\n\tFrom merging shape ", i, " with other shapes."));
    }
    merged = c.input(i).merged(merged);
  }
  return merged;
}

// Also tells what is known of the elements of lists.
Shapes add_n_shape(const ShapeCtx& c) {
  const HandleInfo* known = nullptr;
  HandleInfo merged;
  for (int i = 0; i < c.input_count(); ++i) {
    const HandleInfo* list = c.handle(i);
    if (list == nullptr) continue;
    if (known != nullptr)
      require(list->dtype == merged.dtype, "lists of ", merged.dtype, " and of ", list->dtype,
              " cannot be added");
    merged = {list->dtype,
              known == nullptr ? list->shape : merge_shapes(merged.shape, list->shape)};
    known = list;
  }
  if (known != nullptr) c.set_output_handle(0, merged);
  return {sum_shape(c)};
}

void add_n_grad(GradCtx& g) {
  for (int i = 0; i < g.input_count(); ++i) g.set(i, g.dy());
}

double add_n_flops(const KernelWork& work) {
  return static_cast<double>(work.inputs.size()) * work.output_elements();
}

}  // namespace

extern constexpr OpDecl kAddN{
    .name = "AddN",
    .doc = "The sum of all inputs, which have one shape.",
    .inputs = {"inputs: N * T"},
    .outputs = {"sum: T"},
    .attrs = {"N: int >= 1",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64, variant}"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = add_n_shape,
    .cost = add_n_flops,
    .grad = add_n_grad,
};
static_assert(well_formed(kAddN));

extern constexpr OpDecl kAccumulateNV2{
    .name = "AccumulateNV2",
    .doc = "The sum of all inputs, which have the shape `shape`.",
    .inputs = {"inputs: N * T"},
    .outputs = {"sum: T"},
    .attrs = {"N: int >= 1",
              "T: {float, double, int32, uint8, int16, int8, complex64, int64, qint8, quint8, "
              "qint32, bfloat16, uint16, complex128, half, uint32, uint64}",
              "shape: shape"},
    .traits = kPure | kElementwise | kInPlace | kCommutative | kAggregate,
    .shape = merge_inputs,
    .grad = add_n_grad,
};
static_assert(well_formed(kAccumulateNV2));

}  // namespace rill

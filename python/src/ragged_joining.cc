#include "rill/api/ragged/ragged_joining.h"
#include "ragged_tensors.h"
#include "rill/api/ragged/ragged_picking.h"

namespace rill::python {
namespace {

nb::object stack_ragged(const Call& call) {
  const nb::handle values = call["values"];
  std::vector<ragged::RaggedOrDense> all;
  if (is_sequence(values)) {
    for (nb::handle value : values) all.push_back(ragged_or_dense(value));
  } else {
    all.push_back(ragged_or_dense(values));
  }
  return give(ragged::stack(all, static_cast<int>(call.integer("axis")), {.name = call.name()}));
}

constexpr Function kFunctions[] = {
    {"ragged.stack(values, axis=0, name=None)", stack_ragged, "Tensors along a new dimension."},
    {"ragged.boolean_mask(data, mask, name=None)",
     [](const Call& c) {
       return give(ragged::boolean_mask(ragged_or_dense(c["data"]),
                                        ragged_or_dense(c["mask"], DType::boolean),
                                        {.name = c.name()}));
     },
     "The elements where the mask is true, with the dimensions of the mask."},
    {"ragged.stack_dynamic_partitions(data, partitions, num_partitions, name=None)",
     [](const Call& c) {
       return give(ragged::stack_dynamic_partitions(ragged_or_dense(c["data"]),
                                                    ragged_or_dense(c["partitions"]),
                                                    c.input("num_partitions"), {.name = c.name()}));
     },
     "A row of slices for each partition."},
};

}  // namespace

void bind_ragged_joining() { add_functions(kFunctions); }

}  // namespace rill::python

#include "rill/api/ragged/ragged_joining.h"

#include "class_call.h"
#include "ragged_tensors.h"
#include "train_inputs.h"

namespace rill::python {
namespace {

using ragged::RaggedOrDense;

RaggedOrDense ragged_or_dense(nb::handle value, DType dtype = DType::invalid) {
  if (!nb::hasattr(value, "nested_row_splits"))
    return as_tensor(input_of(value, dtype, "", "rt_input"), "rt_input", dtype);
  RaggedTensor result;  // of a RaggedTensorValue the parts are arrays
  result.flat_values = as_tensor(input_of(value.attr("flat_values"), dtype, "", "flat_values"),
                                 "flat_values", dtype);
  for (nb::handle splits : value.attr("nested_row_splits"))
    result.nested_row_splits.push_back(converted_tensor(splits, "row_splits"));
  return result;
}

nb::object give_either(const RaggedOrDense& value) {
  if (const auto* rows = std::get_if<RaggedTensor>(&value)) return give(*rows);
  return give(std::get<Output>(value));
}

nb::object stack_ragged(const Call& call) {
  const nb::handle values = call["values"];
  std::vector<RaggedOrDense> all;
  if (is_sequence(values)) {
    for (nb::handle value : values) all.push_back(ragged_or_dense(value));
  } else {
    all.push_back(ragged_or_dense(values));
  }
  return give_either(
      ragged::stack(all, static_cast<int>(call.integer("axis")), {.name = call.name()}));
}

constexpr Function kFunctions[] = {
    {"ragged.stack(values, axis=0, name=None)", stack_ragged, "Tensors along a new dimension."},
    {"ragged.boolean_mask(data, mask, name=None)",
     [](const Call& c) {
       return give_either(ragged::boolean_mask(ragged_or_dense(c["data"]),
                                               ragged_or_dense(c["mask"], DType::boolean),
                                               {.name = c.name()}));
     },
     "The elements where the mask is true, with the dimensions of the mask."},
    {"ragged.stack_dynamic_partitions(data, partitions, num_partitions, name=None)",
     [](const Call& c) {
       return give(ragged::stack_dynamic_partitions(c.input("data"), c.input("partitions"),
                                                    c.input("num_partitions"), {.name = c.name()}));
     },
     "A row of slices for each partition."},
};

}  // namespace

void bind_ragged_joining() { add_functions(kFunctions); }

}  // namespace rill::python

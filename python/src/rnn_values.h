#pragma once

#include <optional>
#include <vector>

#include "class_call.h"
#include "layers.h"
#include "plain_values.h"
#include "rill/api/rnn/cell.h"

// How sizes, states and options of cells come from Python.
namespace rill::python {

layers::ScopeChoice scope_choice_of(nb::handle given);  // of layers.cc

inline nb::object option(const nb::dict& options, const char* name) {
  return options.contains(name) ? nb::object(options[name]) : nb::object(nb::none());
}

inline nn::rnn_cell::Sizes cell_sizes_of(nb::handle list) {
  nn::rnn_cell::Sizes sizes;
  for (nb::handle size : list) sizes.push_back(as_shape(size));
  return sizes;
}

inline std::vector<Output> tensor_list(nb::handle list) {
  std::vector<Output> tensors;
  for (nb::handle value : list) tensors.push_back(tensor_of(value));
  return tensors;
}

inline std::optional<std::vector<Input>> optional_inputs(nb::handle list, const char* name) {
  if (list.is_none()) return {};
  return input_list(list, name);
}

inline DType optional_dtype(nb::handle value) {
  return value.is_none() ? DType::invalid : base_type(as_dtype(value));
}

inline nn::BatchSize batch_size_of(nb::handle value) {
  if (is_tensor(value)) return tensor_object(value).output;
  if (PyIndex_Check(value.ptr())) return integer_of(nb::int_(value));
  if (nb::hasattr(value, "value"))  // a Dimension
    return integer_of(nb::object(value.attr("value")));
  return tensor_of(value);
}

inline nb::object give(const nn::BatchSize& batch) {
  return batch.known() ? nb::object(nb::int_(*batch.known())) : give(batch.tensor());
}

inline nb::object give(const nn::rnn_cell::CellOutput& step) {
  return nb::make_tuple(give(step.outputs), give(step.state));
}

}  // namespace rill::python

#pragma once

#include "call.h"
#include "rill/api/core/shape_input.h"

namespace rill::python {

// A shape argument: a TensorShape, numbers, a tensor, or a list with tensors.
ShapeInput shape_input(nb::handle value);

// A list of numbers, or a single one; none for None.
std::vector<std::int64_t> integers(nb::handle value);
bool is_count(nb::handle value);  // a number rather than a list, an array or a tensor
// The value of whichever of the two names is given; both raise ValueError.
nb::handle either(const Call& call, const char* name, const char* deprecated);
// Tensors, of which the first that is one already decides the type of the others.
std::vector<Input> same_typed(nb::handle list, std::string_view name);
Input input_from(nb::handle value, std::string_view name, DType dtype = DType::invalid);

inline Input text_input(const Call& call, const char* name) {
  return call.input(name, DType::string);
}

void bind_array_functions();
void bind_picking_functions();
void bind_string_functions();
void bind_parse_functions();
void bind_quantize_functions();
void bind_samplers();

}  // namespace rill::python

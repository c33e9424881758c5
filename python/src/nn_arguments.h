#pragma once

#include <initializer_list>
#include <optional>

#include "call.h"
#include "rill/api/nn/window_sizes.h"

namespace rill::python {

// Arguments of tf.nn's functions.
nn::Sizes sizes_of(nb::handle value);      // None, a number, or numbers
nn::Padding padding_of(nb::handle value);  // a text, or pairs of numbers
nn::Filter filter_of(nb::handle value, std::string_view name);
// Of whichever of an argument's two names was used.
Input renamed_input(const Call& call, const char* name, const char* old_name);
inline OptionalInput optional_operand(const Call& call, const char* name) {
  return call.has(name) ? std::optional(call.operand(name)) : std::nullopt;
}
// keepdims, or keep_dims as it was called.
bool keeps_dims(const Call& call);

// A namedtuple `type` of tensors; `fields` are their names, with spaces between.
nb::object give_named(const char* type, const char* fields, std::initializer_list<Output> outputs);

}  // namespace rill::python

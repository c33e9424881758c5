#include "nn_arguments.h"

#include "array_functions.h"
#include "errors.h"
#include "plain_values.h"
#include "truth.h"
#include "variables.h"

namespace rill::python {
namespace {}  // namespace

nn::Sizes sizes_of(nb::handle value) { return integers(value); }

nn::Padding padding_of(nb::handle value) {
  if (is_text(value)) return text_of(value);
  if (!is_sequence(value))
    type_error("Expected string for argument 'padding' not ", repr_of(value), ".");
  std::vector<std::vector<std::int64_t>> around;
  for (nb::handle pair : nb::object(nb::borrow(value))) {
    if (!is_sequence(pair))
      value_error(
          "When `padding` is a list, each element of `padding` must be a list/tuple of size 2. "
          "Received: padding=",
          repr_of(value));
    around.push_back(integers(pair));
  }
  return around;
}

nn::Filter filter_of(nb::handle value, std::string_view name) {
  if (is_variable(value)) return variable_object(value).variable;
  return input_from(value, name);
}

Input renamed_input(const Call& call, const char* name, const char* old_name) {
  return input_from(either(call, name, old_name), name);
}

bool keeps_dims(const Call& call) { return truth_of(either(call, "keepdims", "keep_dims")); }

nb::object give_named(const char* type, const char* fields, std::initializer_list<Output> outputs) {
  nb::object tuple = nb::module_::import_("collections").attr("namedtuple")(type, fields);
  nb::list items;
  for (const Output& output : outputs) items.append(give(output));
  return tuple.attr("_make")(items);
}

}  // namespace rill::python

#include <nanobind/stl/string.h>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "gradient_values.h"
#include "in_place.h"
#include "inputs.h"
#include "optimizers.h"
#include "rill/api/train/moving_averages.h"
#include "rill/api/train/slots.h"
#include "shapes.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

using train::ExponentialMovingAverage;
using Averaged = ExponentialMovingAverage::Averaged;

struct AverageObject {
  ExponentialMovingAverage average;
  nb::object decay, num_updates;  // as they were given
  bool zero_debias = false;
  std::vector<nb::object> held = {};  // graphs of what is averaged
};

Averaged averaged_of(nb::handle value) {
  if (is_variable(value)) return variable_of(value);
  if (is_tensor(value)) return tensor_object(value).output;
  type_error("Expected a Variable or a Tensor, got ", repr_of(value));
}

void create_moving_average(AverageObject* self, nb::handle decay, nb::handle num_updates,
                           bool zero_debias, const std::string& name) {
  train::ExponentialMovingAverageOptions options{.zero_debias = zero_debias, .name = name};
  if (!num_updates.is_none())
    options.num_updates = input_of(num_updates, DType::invalid, "", "num_updates");
  new (self)
      AverageObject{ExponentialMovingAverage(input_of(decay, DType::invalid, "", "decay"), options),
                    nb::borrow(decay), nb::borrow(num_updates), zero_debias};
}

nb::object apply_average(AverageObject& self, nb::handle var_list) {
  return in_place(var_list, [&] {
    std::optional<std::vector<Averaged>> all;
    if (!var_list.is_none()) {
      all.emplace();
      for (nb::handle item : var_list) all->push_back(averaged_of(item));
    }
    self.held.push_back(wrap(default_graph()));
    return give(self.average.apply(all));
  });
}

nb::object average(AverageObject& self, nb::handle var) {
  const Variable found = self.average.average(averaged_of(var));
  return found ? give(found) : nb::none();
}

nb::dict variables_to_restore(AverageObject& self, nb::handle variables) {
  std::optional<std::vector<Variable>> given;
  if (!variables.is_none()) given = variables_of(variables);
  nb::dict names;
  for (const auto& [name, variable] : self.average.variables_to_restore(given))
    names[name.c_str()] = give(variable);
  return names;
}

// --- slots ---------------------------------------------------------------------------------------

nb::object create_slot(nb::handle primary, nb::handle value, const std::string& name,
                       bool colocate) {
  return in_place(primary, [&] {
    const Input input = input_of(value, DType::invalid, "", "val");
    const train::SlotOptions options{.colocate_with_primary = colocate};
    if (is_variable(primary))
      return give(train::create_slot(variable_of(primary), input, name, options));
    return give(train::create_slot(gradient_of(primary).dense(), input, name, options));
  });
}

nb::object create_zeros_slot(nb::handle primary, const std::string& name, nb::handle dtype,
                             bool colocate) {
  return in_place(primary, [&] {
    const DType type = dtype.is_none() ? DType::invalid : base_type(as_dtype(dtype));
    const train::SlotOptions options{.colocate_with_primary = colocate};
    if (is_variable(primary))
      return give(train::create_zeros_slot(variable_of(primary), name, type, options));
    return give(train::create_zeros_slot(gradient_of(primary).dense(), name, type, options));
  });
}

nb::object create_slot_with_initializer(nb::handle primary, nb::handle initializer,
                                        nb::handle shape, nb::handle dtype, const std::string& name,
                                        bool colocate) {
  return in_place(primary, [&] {
    return give(train::create_slot_with_initializer(
        variable_of(primary), initializer_of(initializer), as_shape(shape),
        base_type(as_dtype(dtype)), name, {.colocate_with_primary = colocate}));
  });
}

}  // namespace

void bind_moving_averages(nb::module_& m) {
  nb::class_<AverageObject> c(m, "ExponentialMovingAverage", nb::dynamic_attr());
  c.attr("__doc__") = "Keeps moving averages of variables and tensors.";
  c.def("__init__", create_moving_average, nb::arg("decay"), nb::arg("num_updates") = nb::none(),
        nb::arg("zero_debias") = false, nb::arg("name") = "ExponentialMovingAverage");
  c.def_prop_ro("name", [](AverageObject& self) { return self.average.name(); });
  c.def_prop_ro("_decay", [](AverageObject& self) { return self.decay; });
  c.def_prop_ro("_num_updates", [](AverageObject& self) { return self.num_updates; });
  c.def_prop_ro("_zero_debias", [](AverageObject& self) { return self.zero_debias; });
  c.def_prop_ro("_name", [](AverageObject& self) { return self.average.name(); });
  c.def("apply", apply_average, nb::arg("var_list") = nb::none());
  c.def("average", average, nb::arg("var"));
  c.def(
      "average_name",
      [](AverageObject& self, nb::handle var) {
        return self.average.average_name(averaged_of(var));
      },
      nb::arg("var"));
  c.def("variables_to_restore", variables_to_restore, nb::arg("moving_avg_variables") = nb::none());
  m.def("create_slot", create_slot, nb::arg("primary"), nb::arg("val"), nb::arg("name"),
        nb::arg("colocate_with_primary") = true);
  m.def("create_slot_with_initializer", create_slot_with_initializer, nb::arg("primary"),
        nb::arg("initializer"), nb::arg("shape"), nb::arg("dtype"), nb::arg("name"),
        nb::arg("colocate_with_primary") = true);
  m.def("create_zeros_slot", create_zeros_slot, nb::arg("primary"), nb::arg("name"),
        nb::arg("dtype") = nb::none(), nb::arg("colocate_with_primary") = true);
}

}  // namespace rill::python

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "gradients.h"
#include "kept.h"
#include "keras.h"
#include "keras_optimizer_object.h"
#include "optimizers.h"
#include "variables.h"

namespace rill::python {
namespace {

// A number, or a function of the number of steps.
keras::HyperValue hyper_of(const Settings& s, const char* name, double otherwise) {
  if (!s.has(name)) return otherwise;
  const nb::object value = s[name];
  if (!PyCallable_Check(value.ptr())) return s.number(name);
  const auto held = keep(value);
  return keras::Schedule([held](Output step) {
    return as_tensor(input_of(kept(held)(give(step)), DType::invalid, "", "learning_rate"));
  });
}

keras::OptimizerOptions keras_optimizer_options(const Settings& s) {
  keras::OptimizerOptions o{
      .name = s.text("name"),
      .learning_rate = {},
      .decay = s.optional_number("decay"),
      .clipnorm = s.optional_number("clipnorm"),
      .clipvalue = s.optional_number("clipvalue"),
      .momentum = hyper_of(s, "momentum", 0),
      .beta_1 = hyper_of(s, "beta_1", 0.9),
      .beta_2 = hyper_of(s, "beta_2", 0.999),
      .rho = {},
      .epsilon = s.optional_number("epsilon"),
      .nesterov = s.flag("nesterov"),
      .centered = s.flag("centered"),
      .amsgrad = s.flag("amsgrad"),
      .initial_accumulator_value = s.number("initial_accumulator_value", 0.1),
      .learning_rate_power = s.number("learning_rate_power", -0.5),
      .l1_regularization_strength = s.number("l1_regularization_strength"),
      .l2_regularization_strength = s.number("l2_regularization_strength"),
      .l2_shrinkage_regularization_strength = s.number("l2_shrinkage_regularization_strength")};
  if (s.has("learning_rate")) o.learning_rate = hyper_of(s, "learning_rate", 0);
  if (s.has("rho")) o.rho = hyper_of(s, "rho", 0);
  return o;
}

template <class Build>
nb::object on_keras_optimizer(KerasOptimizerObject& o, nb::handle seen, Build build) {
  PyObject* const arguments[] = {seen.ptr()};
  const InCallersPlace place(arguments);
  o.graph = wrap(default_graph());
  return building([&]() -> nb::object { return build(*o.optimizer); });
}

nb::object loss_gradients(KerasOptimizerObject& o, nb::handle loss, nb::handle params) {
  return on_keras_optimizer(o, loss, [&](keras::Optimizer& optimizer) -> nb::object {
    const Output tensor = as_tensor(input_of(loss, DType::invalid, "", "loss"));
    std::vector<Gradient> found;
    differentiating(graph_object(o.graph),
                    [&] { found = optimizer.get_gradients(tensor, variables_of(params)); });
    nb::list list;
    for (const Gradient& gradient : found) list.append(give(gradient));
    return list;
  });
}

}  // namespace

void bind_keras_optimizers(nb::module_& m) {
  nb::class_<KerasOptimizerObject> c(m, "KerasOptimizer");
  c.def("__init__",
        [](KerasOptimizerObject* self, const std::string& class_name, nb::dict settings) {
          building([&] {
            new (self) KerasOptimizerObject{
                keras::optimizers::make(class_name, keras_optimizer_options(Settings(settings))),
                nb::none()};
          });
        });
  c.def_prop_ro("name", [](KerasOptimizerObject& o) { return o.optimizer->name(); });
  c.def("iterations", [](KerasOptimizerObject& o) {
    return on_keras_optimizer(o, nb::none(),
                              [](keras::Optimizer& x) { return give(x.iterations()); });
  });
  c.def("hyper_names", [](KerasOptimizerObject& o) { return o.optimizer->hyper_names(); });
  c.def("hyper_variable", [](KerasOptimizerObject& o, const std::string& name) {
    return give_or_none(o.optimizer->hyper_variable(name));
  });
  c.def("set_hyper", [](KerasOptimizerObject& o, const std::string& name, nb::object value) {
    nb::dict one;
    one[name.c_str()] = value;
    o.optimizer->set_hyper(name, hyper_of(Settings(one), name.c_str(), 0));
  });
  c.def("create_hypers", [](KerasOptimizerObject& o) {
    return on_keras_optimizer(o, nb::none(), [](keras::Optimizer& x) {
      x.create_hypers();
      return nb::object(nb::none());
    });
  });
  c.def("get_gradients", loss_gradients);
  c.def(
      "apply_gradients",
      [](KerasOptimizerObject& o, nb::handle items, nb::handle name) {
        const nb::tuple list(nb::steal(PySequence_Tuple(items.ptr())));
        if (nb::len(list) == 0) value_error("No variables provided.");
        return on_keras_optimizer(
            o, nb::object(list[0][1]), [&](keras::Optimizer& x) -> nb::object {
              return give(x.apply_gradients(grads_and_vars_of(list), text_or_empty(name)));
            });
      },
      nb::arg("items"), nb::arg("name").none());
  c.def("get_slot", [](KerasOptimizerObject& o, nb::handle var, const std::string& name) {
    return building([&] { return give(o.optimizer->get_slot(variable_of(var), name)); });
  });
  c.def("slot_names", [](KerasOptimizerObject& o) { return o.optimizer->slot_names(); });
  c.def("weights", [](KerasOptimizerObject& o) {
    nb::list list;
    for (const Variable& variable : o.optimizer->weights()) list.append(give(variable));
    return list;
  });
}

}  // namespace rill::python

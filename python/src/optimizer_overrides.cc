#include "optimizer_overrides.h"

#include "dtypes.h"
#include "errors.h"
#include "package.h"

namespace rill::python {

nb::object PythonSide::overridden(const char* name) {
  if (skipped_ == name) {
    skipped_ = nullptr;
    return {};
  }
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(self_)));
  if (nb::object(type.attr(name)).is(nb::object(package::optimizer.get().attr(name)))) return {};
  return self().attr(name);
}

void PythonSide::read_tensors() {
  const nb::dict attributes = nb::cast<nb::dict>(self().attr("__dict__"));
  for (auto& [name, hyper] : tensors) {
    if (!attributes.contains(name.c_str())) continue;
    const Gradient value = gradient_of(attributes[name.c_str()]);
    if (!value.empty() && !value.is_slices()) hyper->tensor = value.dense();
  }
}

nb::list give_all(const std::vector<Variable>& variables) {
  nb::list list;
  for (const Variable& variable : variables) list.append(give(variable));
  return list;
}

nb::object give(const std::vector<train::GradientAndVariable>& items) {
  nb::list list;
  for (const auto& item : items)
    list.append(nb::make_tuple(give(item.gradient), give(item.variable)));
  return list;
}

namespace {

void refuse_tensor(nb::handle value) {
  if (is_tensor(value))
    throw_python(PyExc_NotImplementedError,
                 str_cat("('Trying to update a Tensor ', ", repr_of(value), ")"));
}

}  // namespace

std::vector<train::GradientAndVariable> grads_and_vars_of(nb::handle list) {
  std::vector<train::GradientAndVariable> items;
  for (nb::handle pair : list) {
    const nb::object gradient = pair[0], variable = pair[1];
    refuse_tensor(variable);
    if (!is_variable(variable))
      throw_python(PyExc_NotImplementedError,
                   str_cat("Trying to optimize unsupported type ", repr_of(variable)));
    items.push_back({gradient_of(gradient), variable_of(variable)});
  }
  return items;
}

std::vector<nb::object> differentiable_of(nb::handle list) {
  if (is_variable(list) || is_tensor(list)) return {nb::borrow(list)};
  if (PyUnicode_Check(list.ptr()) || !nb::hasattr(list, "__iter__"))
    type_error("Expected a Variable or a list of them, got ", repr_of(list));
  std::vector<nb::object> all;
  const nb::object items =
      PyDict_Check(list.ptr()) ? nb::object(list.attr("values")()) : nb::borrow(list);
  for (nb::handle item : items)
    for (const nb::object& one : differentiable_of(item)) all.push_back(one);
  return all;
}

std::vector<Variable> variables_of(nb::handle list) {
  std::vector<Variable> all;
  for (const nb::object& item : differentiable_of(list)) {
    refuse_tensor(item);
    all.push_back(variable_of(item));
  }
  return all;
}

std::vector<DType> dtypes_of(nb::handle set) {
  std::vector<DType> types;
  for (nb::handle item : set) types.push_back(base_type(as_dtype(item)));
  return types;
}

nb::object call_compute_gradients(const nb::object& method, Output loss,
                                  const train::ComputeGradientsOptions& options) {
  nb::object variables = nb::none();
  if (options.var_list) variables = give_all(*options.var_list);
  return method(give(loss), nb::arg("var_list") = variables,
                nb::arg("gate_gradients") = static_cast<int>(options.gate_gradients),
                nb::arg("aggregation_method") = static_cast<int>(options.aggregation_method),
                nb::arg("colocate_gradients_with_ops") = options.colocate_gradients_with_ops,
                nb::arg("grad_loss") = give(options.grad_loss));
}

nb::object call_apply_gradients(const nb::object& method,
                                const std::vector<train::GradientAndVariable>& items,
                                const train::ApplyGradientsOptions& options) {
  nb::object step = nb::none(), name = nb::none();
  if (options.global_step) step = give(options.global_step);
  if (!options.name.empty()) name = nb::str(options.name.c_str());
  return method(give(items), nb::arg("global_step") = step, nb::arg("name") = name);
}

}  // namespace rill::python

#pragma once

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "layers.h"
#include "plain_values.h"
#include "rill/api/layers/activation.h"
#include "rill/api/layers/normalization_layers.h"
#include "truth.h"
#include "variable_scopes.h"

namespace rill::python {

// What the attributes of a layer's object say.
class Attributes {
 public:
  explicit Attributes(nb::handle self) : self_(self) {}

  nb::object at(const char* name) const {
    return nb::hasattr(self_, name) ? nb::object(self_.attr(name)) : nb::object(nb::none());
  }
  bool has(const char* name) const { return !at(name).is_none(); }
  bool flag(const char* name) const { return truth_of(at(name)); }
  std::int64_t integer(const char* name) const { return integer_of(at(name)); }
  std::string text(const char* name) const { return str_of(at(name)); }
  std::vector<std::int64_t> integers(const char* name) const {
    std::vector<std::int64_t> all;
    for (nb::handle item : at(name)) all.push_back(integer_of(item));
    return all;
  }
  Input input(const char* name) const { return input_of(at(name), DType::invalid, "", name); }
  Initializer initializer(const char* name) const { return initializer_of(at(name)); }
  Regularizer regularizer(const char* name) const { return regularizer_of(at(name)); }
  ConstraintFunction constraint(const char* name) const { return constraint_function(at(name)); }
  layers::Activation activation(const char* name) const {
    const nb::object given = at(name);
    if (given.is_none()) return {};
    return function_of(given);
  }
  // What a build() of Python's own has set takes the place of what C++ made.
  void weight(const char* name, layers::Weight& weight) const {
    const nb::object given = at(name);
    if (is_variable(given)) weight = AnyVariable(variable_object(given).variable);
    if (is_tensor(given)) weight = AnyVariable(tensor_object(given).output);
  }

 private:
  nb::handle self_;
};

// What raises the complaint that `given` is no list, once it is looked at.
inline Input refused_list(nb::handle given) {
  return Input(Input::MakeOutput([held = nb::borrow(given)](Scope&, std::string_view, DType) {
    nb::iter(held);
    return Output();
  }));
}

// Sizes of dropout's noise; None: the input's. What is no list matters only where noise is drawn.
inline std::optional<std::vector<OptionalInput>> noise_shape_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  std::vector<OptionalInput> sizes;
  if (const nb::object items = nb::steal(PyObject_GetIter(given.ptr())); !items.is_valid()) {
    PyErr_Clear();
    return std::vector<OptionalInput>{refused_list(given)};
  }
  for (nb::handle size : given) sizes.push_back(optional_input(size, "size"));
  return sizes;
}

inline layers::RenormClipping renorm_clipping_of(nb::handle given) {
  if (given.is_none()) return {};
  const auto bound = [&](const char* name) {
    return optional_input(given.attr("get")(name), name);
  };
  return {bound("rmax"), bound("rmin"), bound("dmax")};
}

inline std::function<std::pair<Output, Output>(Output)> adjustment_of(nb::handle given) {
  if (given.is_none()) return {};
  return [held = keep(given)](Output shape) {
    const nb::object both = kept(held)(give(shape));
    return std::pair(tensor_of(both[0]), tensor_of(both[1]));
  };
}

}  // namespace rill::python

#include "gradient_tools.h"

#include <nanobind/stl/string.h>

#include "class_call.h"
#include "rill/api/gradients/custom_gradient.h"
#include "rill/api/gradients/hessians.h"
#include "variables.h"

namespace rill::python {
namespace {

std::vector<Output> converted_tensors(nb::handle values) {
  std::vector<Output> outputs;
  for (nb::handle value : values) outputs.push_back(converted_tensor(value));
  return outputs;
}

// What a gradient function of a program returned for one input.
Gradient custom_gradient_of(nb::handle value) {
  if (value.is_none()) return {};
  if (!is_tensor(value) && nb::hasattr(value, "dense_shape") && nb::hasattr(value, "indices")) {
    const auto part = [&](const char* name) {
      nb::object tensor = value.attr(name);
      return tensor.is_none() ? Output() : tensor_object(tensor).output;
    };
    return IndexedSlices{part("values"), part("indices"), part("dense_shape")};
  }
  return as_tensor(input_of(value, DType::invalid, "", "gradient"));
}

nb::object attach(nb::handle results, nb::handle args, nb::handle variables, nb::object grad) {
  return built({nb::borrow(results), nb::borrow(args)}, [&] {
    WithGradient computed;
    computed.results = converted_tensors(results);
    for (nb::handle variable : variables)
      computed.variables.push_back(variable_object(variable).variable);
    // Never let go: the registry of gradients lives as long as the process.
    computed.grad = [held = grad.release()](const std::vector<Gradient>& dys) {
      nb::list arriving;
      for (const Gradient& dy : dys) arriving.append(give(dy));
      std::vector<Gradient> leaving;
      nb::object returned = held(arriving);
      for (nb::handle gradient : returned) leaving.push_back(custom_gradient_of(gradient));
      return leaving;
    };
    return attach_gradient(computed, converted_tensors(args));
  });
}

nb::list variables_reached(nb::handle args, nb::handle results) {
  nb::list list;
  for (const Variable& variable :
       variables_between(converted_tensors(args), converted_tensors(results)))
    list.append(give(variable));
  return list;
}

template <auto function>
nb::object derivatives(nb::object y, nb::object x) {
  return built({y, x}, [&] {
    return function(tensor_object(y).output, tensor_object(x).output, {},
                    std::source_location::current());
  });
}

nb::object as_sequence(const Call& call, const char* name) {
  const nb::handle value = call[name];
  return is_sequence(value) ? nb::borrow(value) : nb::object(nb::make_tuple(value));
}

// Of a variable its resource, so that all ways of reading it count.
std::vector<Output> with_respect_to(nb::handle values) {
  std::vector<Output> outputs;
  for (nb::handle value : values)
    if (is_variable(value) && variable_object(value).variable.is_resource())
      outputs.push_back(variable_object(value).variable.handle());
    else
      outputs.push_back(converted_tensors(nb::make_tuple(value))[0]);
  return outputs;
}

constexpr Function kFunctions[] = {
    {"hessians(ys, xs, name='hessians', colocate_gradients_with_ops=False, gate_gradients=False, "
     "aggregation_method=None)",
     [](const Call& call) {
       GradientOptions options;
       options.colocate_with_ops = call.flag("colocate_gradients_with_ops");
       options.gate = call.flag("gate_gradients");
       if (call.has("aggregation_method")) {
         const std::int64_t method = call.integer("aggregation_method");
         if (method < 0 || method > 2)
           value_error("Invalid aggregation_method specified ", method, ".");
         options.aggregation = static_cast<Aggregation>(method);
       }
       return give(hessians(converted_tensors(as_sequence(call, "ys")),
                            with_respect_to(as_sequence(call, "xs")), options));
     },
     "The second derivatives of the sum of ys by each x."},
};

}  // namespace

void bind_gradient_tools(nb::module_& m) {
  m.def("attach_gradient", attach);
  m.def("variables_between", variables_reached);
  m.def("jacobian", derivatives<jacobian>);
  m.def("batch_jacobian", derivatives<batch_jacobian>);
  add_functions(kFunctions);
}

}  // namespace rill::python

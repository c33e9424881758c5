#include <nanobind/stl/string.h>

#include "class_call.h"
#include "control_flow.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "objects.h"
#include "origin.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/graph/tensor_array_builder.h"
#include "shapes.h"

namespace rill::python {
namespace {

struct ArrayObject {
  nb::object graph;
  TensorArrayBuilder array;
  // A list is a value: what is done with it is made wherever the program is.
  GraphObject& object() const {
    const bool is_list = array.flow().dtype() == DType::variant;
    return graph_object(is_list ? wrap(default_graph()) : graph);
  }
  Scope scope() const { return scope_of(object().graph).from(capture_origin()); }
  nb::object with(TensorArrayBuilder changed) const {
    return nb::cast(ArrayObject{graph, std::move(changed)});
  }
};

Input array_element(const ArrayObject& self, nb::handle value) {
  return input_of(value, is_tensor(value) ? DType::invalid : self.array.dtype(), "", "value");
}

nb::object make_array(nb::handle dtype, nb::handle size, nb::handle handle, nb::handle flow,
                      nb::handle options) {
  GraphChoice choice;
  for (nb::handle value : {size, handle, flow}) choice.see(value);
  nb::object graph = nb::borrow(choice.graph().self);
  const auto given = [&](const char* name) { return nb::object(options[name]); };
  return building([&] {
    TensorArrayOptions o;
    o.dynamic_size = truth_of(given("dynamic_size"));
    if (!given("clear_after_read").is_none())
      o.clear_after_read = truth_of(given("clear_after_read"));
    o.tensor_array_name = text_or_empty(given("tensor_array_name"));
    o.infer_shape = truth_of(given("infer_shape"));
    o.element_shape = as_shape(given("element_shape"));
    o.colocate_with_first_write_call = truth_of(given("colocate_with_first_write_call"));
    o.name = text_or_empty(given("name"));
    Scope scope = scope_of(graph_object(graph).graph).from(capture_origin());
    const DType type = as_dtype(dtype);
    if (handle.is_none())
      return nb::cast(
          ArrayObject{graph, TensorArrayBuilder(scope, type, any_input(size, "size"), o)});
    return nb::cast(ArrayObject{graph, TensorArrayBuilder(scope, type, tensor_object(handle).output,
                                                          tensor_object(flow).output, o)});
  });
}

// One method: `f` gets the array and the scope and answers with a tensor, a node or an array.
nb::object result_of(const ArrayObject& self, Output output) { return wrap(self.object(), output); }
nb::object result_of(const ArrayObject& self, TensorArrayBuilder array) {
  return self.with(std::move(array));
}

template <class F>
nb::object build_on_array(const ArrayObject& self, F f) {
  return building([&] {
    Scope scope = self.scope();
    return result_of(self, f(scope));
  });
}

void bind_array_reads(nb::class_<ArrayObject>& c) {
  using A = ArrayObject;
  c.def(
      "read",
      [](A& a, nb::handle index, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.read(s, any_input(index, "index"), text_or_empty(name));
        });
      },
      nb::arg("index"), nb::arg("name").none());
  c.def(
      "gather",
      [](A& a, nb::handle indices, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.gather(s, any_input(indices, "indices"), text_or_empty(name));
        });
      },
      nb::arg("indices"), nb::arg("name").none());
  c.def(
      "stack",
      [](A& a, nb::handle name) {
        return build_on_array(a, [&](Scope& s) { return a.array.stack(s, text_or_empty(name)); });
      },
      nb::arg("name").none());
  c.def(
      "concat",
      [](A& a, nb::handle name) {
        return build_on_array(a, [&](Scope& s) { return a.array.concat(s, text_or_empty(name)); });
      },
      nb::arg("name").none());
  c.def(
      "size",
      [](A& a, nb::handle name) {
        return build_on_array(a, [&](Scope& s) { return a.array.size(s, text_or_empty(name)); });
      },
      nb::arg("name").none());
  c.def(
      "close",
      [](A& a, nb::handle name) {
        return building([&] {
          Scope scope = a.scope();
          return wrap(a.object(), a.array.close(scope, text_or_empty(name)));
        });
      },
      nb::arg("name").none());
}

void bind_writes(nb::class_<ArrayObject>& c) {
  using A = ArrayObject;
  c.def(
      "write",
      [](A& a, nb::handle index, nb::handle value, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.write(s, any_input(index, "index"), array_element(a, value),
                               text_or_empty(name));
        });
      },
      nb::arg("index"), nb::arg("value"), nb::arg("name").none());
  c.def(
      "scatter",
      [](A& a, nb::handle indices, nb::handle value, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.scatter(s, any_input(indices, "indices"), array_element(a, value),
                                 text_or_empty(name));
        });
      },
      nb::arg("indices"), nb::arg("value"), nb::arg("name").none());
  c.def(
      "unstack",
      [](A& a, nb::handle value, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.unstack(s, array_element(a, value), text_or_empty(name));
        });
      },
      nb::arg("value"), nb::arg("name").none());
  c.def(
      "split",
      [](A& a, nb::handle value, nb::handle lengths, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          return a.array.split(s, array_element(a, value), any_input(lengths, "lengths"),
                               text_or_empty(name));
        });
      },
      nb::arg("value"), nb::arg("lengths"), nb::arg("name").none());
}

}  // namespace

void bind_tensor_array(nb::module_& m) {
  nb::class_<ArrayObject> c(m, "TensorArrayBuilder");
  using A = ArrayObject;
  c.def_prop_ro("handle", [](A& a) { return wrap(a.object(), a.array.handle()); });
  c.def_prop_ro("flow", [](A& a) { return wrap(a.object(), a.array.flow()); });
  c.def_prop_ro("dtype", [](A& a) { return dtype_object(a.array.dtype()); });
  c.def_prop_ro("element_shape", [](A& a) { return shape_object(a.array.element_shape()); });
  c.def_prop_ro("dynamic_size", [](A& a) { return a.array.dynamic_size(); });
  c.def("with_flow", [](A& a, nb::handle flow) {
    return build_on_array(
        a, [&](Scope& s) { return a.array.with_flow(s, tensor_object(flow).output); });
  });
  c.def("identity",
        [](A& a) { return build_on_array(a, [&](Scope& s) { return a.array.identity(s); }); });
  c.def(
      "grad",
      [](A& a, const std::string& source, nb::handle flow, nb::handle name) {
        return build_on_array(a, [&](Scope& s) {
          const Output ordered = flow.is_none() ? a.array.flow() : tensor_object(flow).output;
          return a.array.grad(s, source, ordered, text_or_empty(name));
        });
      },
      nb::arg("source"), nb::arg("flow").none(), nb::arg("name").none());
  bind_array_reads(c);
  bind_writes(c);
  m.def("tensor_array", make_array, nb::arg("dtype"), nb::arg("size").none(),
        nb::arg("handle").none(), nb::arg("flow").none(), nb::arg("options"));
}

}  // namespace rill::python

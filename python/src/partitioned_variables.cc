#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "call.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "package.h"
#include "shapes.h"
#include "variable_scopes.h"
#include "variables.h"

namespace rill::python {
namespace {

struct PartitionedObject {
  PartitionedVariableRef variable;
};

nb::list variable_parts(PartitionedObject& self) {
  nb::list list;
  for (const Variable& part : self.variable->parts()) list.append(give(part));
  return list;
}

template <class Assign>
nb::object assign_each(PartitionedObject& self, nb::handle value, Assign assign) {
  PyObject* const seen[] = {value.ptr()};
  const InCallersPlace place(seen);
  return building([&] {
    const PartitionedVariable& v = *self.variable;
    const std::vector<Output> results = assign(v, input_of(value, v.dtype(), "", "value"));
    nb::list list;
    for (std::size_t i = 0; i < results.size(); ++i)
      list.append(give_written(v.parts()[i], results[i]));
    return list;
  });
}

}  // namespace

nb::object give(const PartitionedVariableRef& variable) {
  // One object as long as the graph lives, so that `is` tells what is the same.
  nb::object graph = nb::borrow(known_graph(variable->parts().at(0).graph())->self);
  auto known =
      nb::cast<nb::dict>(graph.attr("__dict__").attr("setdefault")("_partitioned", nb::dict()));
  const nb::object key = nb::cast(reinterpret_cast<std::uintptr_t>(variable.get()));
  if (known.contains(key)) return known[key];
  nb::object type = package::partitioned_variable.get();
  nb::object object = nb::inst_alloc(type);
  new (nb::inst_ptr<PartitionedObject>(object)) PartitionedObject{variable};
  nb::inst_mark_ready(object);
  known[key] = object;
  return object;
}

PartitionedVariableRef partitioned_of(nb::handle value) {
  return nb::isinstance<PartitionedObject>(value) ? nb::cast<PartitionedObject&>(value).variable
                                                  : nullptr;
}

void bind_partitioned_variables(nb::module_& m) {
  nb::class_<PartitionedObject> c(m, "PartitionedVariableBase", nb::dynamic_attr());
  c.def_prop_ro("name", [](PartitionedObject& o) { return o.variable->name(); });
  c.def_prop_ro("dtype", [](PartitionedObject& o) { return dtype_object(o.variable->dtype()); });
  c.def_prop_ro("shape", [](PartitionedObject& o) {
    return shape_object(PartialShape(Shape(o.variable->shape())));
  });
  c.def("get_shape", [](PartitionedObject& o) {
    return shape_object(PartialShape(Shape(o.variable->shape())));
  });
  c.def_prop_ro("_variable_list", variable_parts);
  c.def("_get_variable_list", variable_parts);
  c.def("_get_partitions", [](PartitionedObject& o) { return o.variable->partitions(); });
  c.def("_partition_axes", [](PartitionedObject& o) { return o.variable->partition_axes(); });
  c.def("as_tensor", [](PartitionedObject& o) {
    const InCallersPlace place({});
    return building([&] { return give(o.variable->as_tensor()); });
  });
  const auto def = [&](const char* name, auto assign) {
    c.def(
        name,
        [assign](PartitionedObject& self, nb::handle value, bool use_locking, nb::handle name_,
                 bool) {
          const AssignOptions options{use_locking, name_.is_none() ? "" : str_of(name_)};
          return assign_each(self, value, [&](const PartitionedVariable& v, const Input& input) {
            return (v.*assign)(input, options);
          });
        },
        nb::arg("value"), nb::arg("use_locking") = false, nb::arg("name") = nb::none(),
        nb::arg("read_value") = true);
  };
  def("assign", &PartitionedVariable::assign);
  def("assign_add", &PartitionedVariable::assign_add);
  def("assign_sub", &PartitionedVariable::assign_sub);
}

}  // namespace rill::python

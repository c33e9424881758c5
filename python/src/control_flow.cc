#include "control_flow.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "class_call.h"
#include "contexts.h"
#include "errors.h"
#include "inputs.h"
#include "objects.h"
#include "origin.h"
#include "rill/api/core/control_flow.h"
#include "rill/graph/builders.h"
#include "rill/graph/flow_builders.h"
#include "scopes.h"
#include "shapes.h"

namespace rill::python {
namespace {

Scope graph_scope_of_caller(GraphObject& graph) {
  return scope_of(graph.graph).from(capture_origin());
}

std::vector<Output> graph_tensors(GraphObject& graph, nb::handle values) {
  std::vector<Output> result;
  for (nb::handle value : values) result.push_back(graph_element(graph, value, true, false));
  return result;
}

std::vector<Node*> operations(GraphObject& graph, nb::handle values) {
  std::vector<Node*> result;
  for (nb::handle value : values) {
    nb::object source =
        nb::hasattr(value, "op") && !is_tensor(value) ? value.attr("op") : nb::borrow(value);
    result.push_back(graph_element(graph, source, true, true).node);
  }
  return result;
}

struct CondObject {
  nb::object graph;
  CondBuilder builder;
  GraphObject& object() const { return graph_object(graph); }
};

nb::object make_cond(nb::handle pred) {
  GraphChoice choice;
  choice.see(pred);
  nb::object graph = nb::borrow(choice.graph().self);
  return building([&] {
    CondBuilder builder(graph_scope_of_caller(graph_object(graph)), any_input(pred, "pred"));
    return nb::cast(CondObject{graph, std::move(builder)});
  });
}

// A result of a branch: a tensor, an operation, or a value, which becomes a constant in it.
nb::object branch_result(CondObject& self, bool taken_if, nb::handle value) {
  return building([&] {
    if (is_operation(value))
      return wrap(self.object(), self.builder.result(taken_if, operation_object(value).node()));
    Scope inside = graph_scope_of_caller(self.object());
    const Input given = any_input(value, "value");
    const Output tensor =
        given.as_output(inside, given.is_value() ? "Const" : "packed", DType::invalid);
    return wrap(self.object(), self.builder.result(taken_if, tensor));
  });
}

void bind_cond(nb::module_& m) {
  nb::class_<CondObject> c(m, "CondBuilder");
  c.def("branch", [](CondObject& self, bool taken_if) {
    const Scope inside = self.builder.branch(taken_if);
    return scope_context(
        self.graph, [inside](const Scope&) { return inside; },
        [](const Scope&) { return nb::none(); });
  });
  c.def("result", branch_result, nb::arg("taken_if"), nb::arg("value").none());
  c.def("merge", [](CondObject& self, nb::handle if_false, nb::handle if_true) {
    return building([&] {
      return wrap(self.object(), self.builder.merge(tensor_object(if_false).output,
                                                    tensor_object(if_true).output));
    });
  });
  m.def("cond_builder", make_cond, nb::arg("pred"));
}

struct WhileObject {
  nb::object graph;
  WhileBuilder builder;
  GraphObject& object() const { return graph_object(graph); }
};

nb::object make_while(nb::handle variables, nb::handle shapes, int parallel_iterations,
                      bool back_prop, bool swap_memory, nb::handle maximum_iterations) {
  GraphChoice choice;
  choice.see(variables);
  nb::object graph = nb::borrow(choice.graph().self);
  return building([&] {
    WhileOptions options;
    options.parallel_iterations = parallel_iterations;
    options.back_prop = back_prop;
    options.swap_memory = swap_memory;
    if (!maximum_iterations.is_none())
      options.maximum_iterations = any_input(maximum_iterations, "maximum_iterations");
    if (!shapes.is_none())
      for (nb::handle shape : shapes) options.shape_invariants.push_back(as_shape(shape));
    WhileBuilder builder(graph_scope_of_caller(graph_object(graph)), input_list(variables, "value"),
                         std::move(options));
    return nb::cast(WhileObject{graph, std::move(builder)});
  });
}

void bind_while(nb::module_& m) {
  nb::class_<WhileObject> c(m, "WhileBuilder");
  c.def("inside", [](WhileObject& self) {
    const Scope inside = self.builder.inside();
    return scope_context(
        self.graph, [inside](const Scope&) { return inside; },
        [](const Scope&) { return nb::none(); });
  });
  c.def("begin_condition", [](WhileObject& self) {
    return building([&] { return wrap(self.object(), self.builder.begin_condition()); });
  });
  c.def(
      "end_condition",
      [](WhileObject& self, nb::handle go_on) {
        building([&] { self.builder.end_condition(any_input(go_on, "value")); });
      },
      nb::arg("go_on").none());
  c.def("begin_body", [](WhileObject& self) {
    return building([&] { return wrap(self.object(), self.builder.begin_body()); });
  });
  c.def("end_body", [](WhileObject& self, nb::handle next) {
    return building(
        [&] { return wrap(self.object(), self.builder.end_body(input_list(next, "value"))); });
  });
  m.def("while_builder", make_while, nb::arg("loop_vars"), nb::arg("shape_invariants").none(),
        nb::arg("parallel_iterations"), nb::arg("back_prop"), nb::arg("swap_memory"),
        nb::arg("maximum_iterations").none());
}

nb::object py_assert(nb::handle condition, nb::handle data, int summarize,
                     const std::string& name) {
  GraphChoice choice;
  choice.see(condition);
  choice.see(data);
  GraphObject& graph = choice.graph();
  return building([&] {
    Scope scope = graph_scope_of_caller(graph);
    return wrap(graph, add_assert(scope, any_input(condition, "condition"),
                                  input_list(data, "data"), summarize, name));
  });
}

}  // namespace

void bind_control_flow(nb::module_& m) {
  bind_cond(m);
  bind_while(m);
  m.def("assert_true", py_assert, nb::arg("condition"), nb::arg("data"), nb::arg("summarize"),
        nb::arg("name"));
  m.def("assert_at_most", [](nb::handle predicates, int most, const std::string& message) {
    nb::object held = wrap(default_graph());
    GraphObject& graph = graph_object(held);
    return building([&] {
      Scope scope = graph_scope_of_caller(graph);
      return wrap(graph, assert_at_most(scope, graph_tensors(graph, predicates), most, message));
    });
  });
  m.def("assert_last_is_true", [](nb::handle predicates) {
    nb::object held = wrap(default_graph());
    GraphObject& graph = graph_object(held);
    return building([&] {
      Scope scope = graph_scope_of_caller(graph);
      nb::list list;
      for (Node* node : assert_last_is_true(scope, graph_tensors(graph, predicates)))
        list.append(wrap(graph, *node));
      return list;
    });
  });
  m.def("group", [](nb::handle nodes, const std::string& name) {
    GraphChoice choice;
    choice.see(nodes);
    GraphObject& graph = choice.graph();
    return building([&] {
      Scope scope = graph_scope_of_caller(graph);
      const std::vector<Node*> all = operations(graph, nodes);
      return wrap(graph, group(scope, std::span<Node* const>(all), name));
    });
  });
  m.def("known_truth", [](nb::handle pred) -> nb::object {
    const std::optional<bool> known = smart_constant_value(tensor_object(pred).output);
    return known ? nb::bool_(*known) : nb::object(nb::none());
  });
  m.def("with_dependencies", [](nb::handle nodes, nb::handle value, const std::string& name) {
    GraphChoice choice;
    choice.see(value);
    GraphObject& graph = choice.graph();
    return building([&] {
      const AsDefault as_default(graph.graph);
      const MadeAt made(capture_origin());
      return wrap(graph, with_dependencies(operations(graph, nodes),
                                           any_input(value, "output_tensor"), {name}));
    });
  });
  m.def("tuple", [](nb::handle values, nb::handle control_inputs, const std::string& name) {
    GraphChoice choice;
    choice.see(values);
    GraphObject& graph = choice.graph();
    return building([&] {
      Scope scope = graph_scope_of_caller(graph);
      return wrap(graph, tuple(scope, graph_tensors(graph, values),
                               operations(graph, control_inputs), std::string_view(name)));
    });
  });
}

}  // namespace rill::python

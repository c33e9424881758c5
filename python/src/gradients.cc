#include "gradients.h"

#include <nanobind/stl/string.h>

#include "call.h"
#include "errors.h"
#include "gradient_values.h"
#include "inputs.h"
#include "objects.h"
#include "origin.h"
#include "plain_values.h"
#include "rill/api/core/gradients.h"
#include "rill/grad/gradient_registry.h"
#include "rill/ops/register.h"
#include "variables.h"

namespace rill::python {
namespace {

// A tensor or a sequence of them; a single one counts as a list of one.
std::vector<nb::object> object_list(nb::handle value) {
  if (value.is_none()) return {};
  if (!nb::isinstance<nb::list>(value) && !nb::isinstance<nb::tuple>(value))
    return {nb::borrow(value)};
  std::vector<nb::object> items;
  for (nb::handle item : value) items.push_back(nb::borrow(item));
  return items;
}

// A tensor in `graph`: the body of a function has something that stands for one from outside.
Output tensor_in(GraphObject& graph, nb::handle value) {
  if (graph.graph->capture && is_tensor(value)) {
    const Output& given = tensor_object(value).output;
    return &given.node->graph() == graph.graph.get() ? given : graph.graph->capture(given);
  }
  return graph_element(graph, value, true, false);
}

Output handle_in(GraphObject& graph, nb::handle variable) {
  const Output handle = variable_object(variable).variable.handle();
  const bool is_outside = graph.graph->capture && &handle.node->graph() != graph.graph.get();
  return is_outside ? graph.graph->capture(handle) : handle;
}

// What is differentiated, or with respect to what: there a variable is its reference or handle, so
// that all ways of reading it count.
std::vector<Output> graph_tensors_of(GraphObject& graph, Scope& scope, nb::handle values,
                                     const char* name, bool with_respect_to) {
  std::vector<Output> outputs;
  for (const nb::object& value : object_list(values)) {
    if (with_respect_to && is_variable(value))
      outputs.push_back(handle_in(graph, value));
    else if (is_tensor(value) || nb::hasattr(value, "_as_graph_element"))
      outputs.push_back(tensor_in(graph, value));
    else
      outputs.push_back(input_of(value, DType::invalid, "", name)
                            .as_output(scope, str_cat(name, "_", outputs.size()), DType::invalid));
  }
  return outputs;
}

Gradient as_seed(GraphObject& graph, Scope& scope, Output y, const nb::object& value) {
  if (value.is_none()) return {};
  const auto part = [&](const char* name) {
    nb::object tensor = value.attr(name);
    return tensor.is_none() ? Output() : tensor_in(graph, tensor);
  };
  if (is_slices(value)) return IndexedSlices{part("values"), part("indices"), part("dense_shape")};
  if (is_tensor(value)) return tensor_in(graph, value);
  const DType type = base_type(y.dtype());
  return input_of(value, type, "", "grad_y").as_output(scope, "grad_y", type);
}

std::vector<Gradient> as_seeds(GraphObject& graph, Scope& scope, const std::vector<Output>& ys,
                               nb::handle values) {
  const std::vector<nb::object> items = object_list(values);
  if (!items.empty() && items.size() != ys.size())
    value_error("Passed ", items.size(), " grad_ys for ", ys.size(), " ys");
  std::vector<Gradient> seeds;
  for (std::size_t i = 0; i < items.size(); ++i)
    seeds.push_back(as_seed(graph, scope, ys[i], items[i]));
  return seeds;
}

Unconnected as_unconnected(nb::handle value) {
  nb::object given = nb::borrow(value);
  if (nb::hasattr(given, "value")) given = given.attr("value");
  const std::string text = str_of(given);
  if (text != "none" && text != "zero")
    value_error("Unknown value for unconnected_gradients: ", repr_of(value));
  return text == "zero" ? Unconnected::kZero : Unconnected::kNone;
}

// --- gradients written in Python ---------------------------------------------------------------

// The graph that gradients() is differentiating on this thread.
thread_local GraphObject* differentiated = nullptr;
struct Differentiating {
  explicit Differentiating(GraphObject& graph) : outer(std::exchange(differentiated, &graph)) {}
  ~Differentiating() { differentiated = outer; }
  GraphObject* outer;
};

// What a gradient function builds goes where the gradient of the node belongs.
struct BuildingIn {
  BuildingIn(const std::shared_ptr<Graph>& graph, const Scope& inner)
      : as_default(graph), current(scope_of(graph)), outer(std::exchange(current, inner)) {}
  ~BuildingIn() { current = outer; }
  AsDefault as_default;
  Scope& current;
  Scope outer;
};

void set_registered_gradients(GradCtx& g, GraphObject& graph, nb::handle returned) {
  std::vector<nb::object> items = object_list(returned);
  if (returned.is_none()) items.assign(1, nb::none());
  if (static_cast<int>(items.size()) != g.input_count())
    value_error("Num gradients ", items.size(), " generated for op ", g.node().name(),
                " do not match num inputs ", g.input_count());
  for (int i = 0; i < g.input_count(); ++i)
    g.set(i, as_seed(graph, scope_of(graph.graph), g.input(i), items[static_cast<std::size_t>(i)]));
}

void call_gradient_function(nb::handle function, GradCtx& g) {
  if (differentiated == nullptr || differentiated->graph.get() != &g.node().graph())
    raise(Code::kFailedPrecondition, "the gradient of ", g.node().op().name,
          " is written in Python and can only be used by tf.gradients");
  GraphObject& graph = *differentiated;
  const BuildingIn scope(graph.graph, g.scope());
  nb::list arguments;
  arguments.append(wrap(graph, g.node()));
  for (int i = 0; i < g.node().output_count(); ++i) arguments.append(give(g.arriving(i)));
  set_registered_gradients(g, graph, function(*nb::tuple(arguments)));
}

void py_register_gradient(const std::string& name, nb::object function) {
  GradientFunction gradient;
  if (!function.is_none())
    // Never let go: the registry lives as long as the process.
    gradient = [held = function.release()](GradCtx& g) { call_gradient_function(held, g); };
  try {
    register_gradient(name, std::move(gradient));
  } catch (const Error& error) {
    throw_python(PyExc_KeyError, error.message());
  }
}

bool has_gradient(const std::string& name) {
  const Op* op = standard_ops().find(name);
  return find_registered_gradient(name) != nullptr || (op != nullptr && op->grad != nullptr);
}

nb::list py_gradients(nb::handle ys, nb::handle xs, nb::handle grad_ys, nb::handle name,
                      bool colocate, bool gate, nb::handle aggregation, nb::handle stops,
                      nb::handle unconnected) {
  if (executing_eagerly())
    throw_python(PyExc_RuntimeError,
                 "tf.gradients is not supported when eager execution is enabled. Use "
                 "tf.GradientTape instead.");
  GraphChoice choice;
  for (nb::handle side : {ys, xs})
    for (const nb::object& value : object_list(side)) choice.see(value);
  nb::object held = nb::borrow(choice.graph().self);
  GraphObject& graph = graph_object(held);
  return building([&] {
    Scope scope = scope_of(graph.graph).from(capture_origin());
    const std::vector<Output> from = graph_tensors_of(graph, scope, ys, "y", false);
    const std::vector<Output> to = graph_tensors_of(graph, scope, xs, "x", true);
    GradientOptions options;
    options.grad_ys = as_seeds(graph, scope, from, grad_ys);
    if (!name.is_none()) options.name = text_of(name);
    options.colocate_with_ops = colocate;
    options.gate = gate;
    options.aggregation = as_aggregation(aggregation);
    options.stop_gradients = graph_tensors_of(graph, scope, stops, "stop_gradients", true);
    options.unconnected = as_unconnected(unconnected);
    const AsDefault as_default(graph.graph);  // gradient functions build in it
    std::vector<Gradient> found;
    differentiating(graph,
                    [&] { found = gradients(scope, std::span(from), std::span(to), options); });
    nb::list results;
    for (const Gradient& gradient : found) results.append(give(gradient));
    return results;
  });
}

}  // namespace

Aggregation as_aggregation(nb::handle method) {
  const int number = method.is_none() ? 0 : small_integer_of(method);
  if (number < 0 || number > 2)
    value_error("Invalid aggregation_method specified ", str_of(method), ".");
  return static_cast<Aggregation>(number);
}

void differentiating(GraphObject& graph, const std::function<void()>& build) {
  const Differentiating now(graph);
  try {
    build();
  } catch (const Error& error) {
    if (error.code() == Code::kNotFound) throw_python(PyExc_LookupError, error.message());
    throw;
  }
}

void bind_gradients(nb::module_& m) {
  m.def("register_gradient", py_register_gradient, nb::arg("name"), nb::arg("function").none());
  m.def("has_gradient", has_gradient, nb::arg("name"));
  m.def("gradients", py_gradients, nb::arg("ys"), nb::arg("xs"), nb::arg("grad_ys") = nb::none(),
        nb::arg("name") = "gradients", nb::arg("colocate_gradients_with_ops") = false,
        nb::arg("gate_gradients") = false, nb::arg("aggregation_method") = nb::none(),
        nb::arg("stop_gradients") = nb::none(), nb::arg("unconnected_gradients") = "none");
}

}  // namespace rill::python

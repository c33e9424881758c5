// Functions of a graph: building their bodies, defining and calling them.
#include "functions.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "kept.h"
#include "objects.h"
#include "origin.h"
#include "plain_values.h"
#include "protos.h"
#include "raw_ops.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/functional_flow.h"
#include "rill/api/core/op_call.h"
#include "rill/api/core/switch_case.h"
#include "rill/graph/capture_by_value.h"
#include "rill/graph/function_define.h"
#include "rill/graph/function_proto.h"
#include "rill/graph/grad_ctx.h"
#include "shapes.h"
#include "tensorflow/core/framework/function.pb.h"

namespace rill::python {
namespace {

constexpr const char* kFunctionPath = "tensorflow/core/framework/function.proto";

// The body of a function while Python builds it.
struct FunctionBuilderObject {
  FunctionBuilderObject(nb::object o, bool by_value)
      : outer(std::move(o)),
        builder(std::make_shared<FunctionBuilder>(*graph_object(outer).graph)),
        body(new_graph_object(builder->body())) {
    if (by_value) capture_by_value(*builder);
  }

  nb::object outer;
  std::shared_ptr<FunctionBuilder> builder;
  nb::object body;
};

// A finished function and where the functions that it calls are found.
struct DefinedFunctionObject {
  std::shared_ptr<const rill::Function> function;
  std::shared_ptr<FunctionLibrary> library;
};

nb::object add_argument(FunctionBuilderObject& self, nb::handle dtype, const std::string& name,
                        nb::handle shape) {
  const PartialShape partial = shape.is_none() ? PartialShape() : as_shape(shape);
  return building([&] {
    const Output argument = self.builder->add_argument(as_dtype(dtype), name, partial);
    return wrap(graph_object(self.body), argument);
  });
}

nb::list captured(FunctionBuilderObject& self) {
  nb::list list;
  for (const Output& output : self.builder->captured()) {
    GraphObject* graph = known_graph(output.node->graph());
    if (graph == nullptr) value_error("a captured tensor belongs to a graph that is gone");
    list.append(wrap(*graph, output));
  }
  return list;
}

DefinedFunctionObject finish_function(FunctionBuilderObject& self, nb::handle results,
                                      const std::string& name, const std::string& base_name,
                                      const std::vector<std::string>& output_names, nb::dict flags,
                                      bool order_effects) {
  std::vector<Output> outputs;
  for (nb::handle result : results) outputs.push_back(tensor_object(result).output);
  DefineOptions options{.name = name, .base_name = base_name, .output_names = output_names};
  options.order_effects = order_effects;
  for (const auto& [key, value] : flags) {
    const std::string attr = "_" + str_of(key);
    if (nb::isinstance<nb::bool_>(value)) {
      options.attrs.emplace(attr, truth_of(value));
    } else if (nb::isinstance<nb::int_>(value)) {
      options.attrs.emplace(attr, integer_of(value));
    } else {
      options.attrs.emplace(attr, str_of(value));
    }
  }
  return building([&] {
    return DefinedFunctionObject{
        std::make_shared<const rill::Function>(self.builder->finish(std::move(outputs), options)),
        self.builder->body()->functions()};
  });
}

nb::object definition(const DefinedFunctionObject& self) {
  tensorflow::FunctionDef def;
  to_proto(*self.function, &def);
  return message_from_bytes(kFunctionPath, "FunctionDef", def.SerializeAsString());
}

nb::list stateful_ops(const DefinedFunctionObject& self, GraphObject& graph) {
  nb::list list;
  for (const FunctionNode& node : self.function->nodes)
    if (graph.graph->op(node.op).has(kStateful)) list.append(nb::make_tuple(node.name, node.op));
  return list;
}

void add_to_graph(const DefinedFunctionObject& self, GraphObject& graph,
                  const std::string& gradient) {
  building([&] {
    define_with_callees(*graph.graph, *self.function, *self.library);
    if (!gradient.empty()) graph.graph->functions()->add_gradient(self.function->name(), gradient);
    return 0;
  });
}

// --- gradients that Python builds --------------------------------------------------------------

// Makes g's scope the one that Python builds in.
class GradientScope {
 public:
  GradientScope(GraphObject& graph, const Scope& scope)
      : as_default_(graph.graph), current_(scope_of(graph.graph)), outer_(current_) {
    current_ = scope;
  }
  ~GradientScope() { current_ = outer_; }

 private:
  AsDefault as_default_;
  Scope& current_;
  const Scope outer_;
};

void set_python_gradients(GradCtx& g, nb::handle results) {
  int i = 0;
  const auto set = [&](nb::handle result) {
    if (i >= g.input_count())
      value_error("the gradient of ", g.node().name(), " has too many results");
    if (is_tensor(result)) g.set(i, tensor_object(result).output);
    ++i;
  };
  if (!nb::isinstance<nb::list>(results) && !nb::isinstance<nb::tuple>(results))
    return set(results);
  for (nb::handle result : results) set(result);
}

void set_python_gradient(GraphObject& graph, const std::string& function, nb::object build) {
  auto held = keep(build);
  graph.graph->functions()->set_gradient_builder(function, [held](GradCtx& g) {
    const WithLock gil;
    GraphObject* owner = known_graph(g.node().graph());
    if (owner == nullptr) return false;  // derived while running: Python has no part in that
    nb::list arguments;
    arguments.append(wrap(*owner, g.node()));
    for (int i = 0; i < g.node().output_count(); ++i) arguments.append(wrap(*owner, g.dy(i)));
    const GradientScope scope(*owner, g.scope());
    set_python_gradients(g, kept(held)(*nb::tuple(arguments)));
    return true;
  });
}

// --- calls -------------------------------------------------------------------------------------

nb::object call_defined(const std::string& function, nb::handle arguments, nb::handle name) {
  GraphChoice choice;
  choice.see(arguments);
  GraphObject& graph = choice.graph();
  return building([&] {
    const Op& op = graph.graph->op(function);
    std::vector<InputArg> inputs;
    std::size_t i = 0;
    for (nb::handle argument : arguments) {
      if (i >= op.inputs.size())
        value_error("Expected number of arguments: ", op.inputs.size(),
                    ", received: ", nb::len(arguments));
      inputs.push_back(input_arg(op, op.inputs[i++], argument));
    }
    if (i < op.inputs.size())
      value_error("Expected number of arguments: ", op.inputs.size(), ", received: ", i);
    Scope scope = scope_of(graph.graph).from(capture_origin());
    Node& node = scope.add(op, std::move(inputs), {}, name.is_none() ? "" : str_of(name));
    return wrap(graph, node);
  });
}

// `branches` are pairs of a builder and the list of its results.
nb::list add_indexed_case(nb::handle index, nb::handle branches) {
  nb::object held = wrap(default_graph());
  GraphObject& graph = graph_object(held);
  std::vector<BuiltBranch> built;
  for (nb::handle branch : branches) {
    built.push_back({nb::cast<FunctionBuilderObject&>(branch[0]).builder, {}});
    for (nb::handle result : branch[1])
      built.back().results.push_back(tensor_object(result).output);
  }
  return building([&] {
    const Scope scope = scope_of(graph.graph).from(capture_origin());
    return wrap(graph, indexed_case(scope, input_of(index, DType::i32, "", "branch_index"), built));
  });
}

BuiltBranch built_part(nb::handle part) {
  BuiltBranch built{nb::cast<FunctionBuilderObject&>(part[0]).builder, {}};
  for (nb::handle result : part[1]) built.results.push_back(tensor_object(result).output);
  return built;
}

// The results of an If; of one without results the node.
nb::object add_functional_cond(nb::handle pred, nb::handle if_true, nb::handle if_false,
                               const std::string& name) {
  nb::object held = wrap(default_graph());
  GraphObject& graph = graph_object(held);
  return building([&]() -> nb::object {
    const Scope scope = scope_of(graph.graph).from(capture_origin());
    Node& node = functional_cond(scope.named(name), any_input(pred, "pred"), built_part(if_true),
                                 built_part(if_false));
    if (node.output_count() == 0) return wrap(graph, node);
    return wrap(graph, all_outputs(node));
  });
}

nb::list add_functional_while(nb::handle cond, nb::handle body, nb::handle variables,
                              nb::handle shapes, int parallel_iterations, const std::string& name) {
  nb::object held = wrap(default_graph());
  GraphObject& graph = graph_object(held);
  return building([&] {
    const Scope scope = scope_of(graph.graph).from(capture_origin());
    FunctionalLoop loop{.cond = built_part(cond),
                        .body = built_part(body),
                        .parallel_iterations = parallel_iterations};
    for (nb::handle variable : variables) loop.variables.push_back(tensor_object(variable).output);
    for (nb::handle shape : shapes) loop.shapes.push_back(as_shape(shape));
    return wrap(graph, functional_while(scope.named(name), std::move(loop)));
  });
}

nb::object add_argument_like(FunctionBuilderObject& self, nb::handle tensor, nb::handle shape,
                             const std::string& name) {
  return building([&] {
    return wrap(graph_object(self.body), self.builder->add_argument_like(
                                             tensor_object(tensor).output, name, as_shape(shape)));
  });
}

}  // namespace

void bind_functions(nb::module_& m) {
  nb::class_<FunctionBuilderObject>(m, "FunctionBuilder")
      .def(nb::init<nb::object, bool>(), nb::arg("outer"), nb::arg("by_value") = false)
      .def_prop_ro("graph", [](FunctionBuilderObject& b) { return b.body; })
      .def_prop_ro("captured", captured)
      .def("add_argument", add_argument, nb::arg("dtype"), nb::arg("name"),
           nb::arg("shape") = nb::none())
      .def("add_argument_like", add_argument_like, nb::arg("tensor"), nb::arg("shape"),
           nb::arg("name"))
      .def("finish", finish_function, nb::arg("results"), nb::arg("name"), nb::arg("base_name"),
           nb::arg("output_names"), nb::arg("flags"), nb::arg("order_effects") = false);
  nb::class_<DefinedFunctionObject>(m, "Function")
      .def_prop_ro("name", [](DefinedFunctionObject& f) { return f.function->name(); })
      .def_prop_ro("definition", definition)
      .def("stateful_ops", stateful_ops, nb::arg("graph"))
      .def("add_to_graph", add_to_graph, nb::arg("graph"), nb::arg("gradient") = "");
  m.def("call_function", call_defined, nb::arg("function"), nb::arg("arguments"),
        nb::arg("name") = nb::none());
  m.def("indexed_case", add_indexed_case, nb::arg("index"), nb::arg("branches"));
  m.def("functional_cond", add_functional_cond, nb::arg("pred"), nb::arg("if_true"),
        nb::arg("if_false"), nb::arg("name"));
  m.def("functional_while", add_functional_while, nb::arg("cond"), nb::arg("body"),
        nb::arg("variables"), nb::arg("shapes"), nb::arg("parallel_iterations"), nb::arg("name"));
  m.def("set_python_gradient", set_python_gradient, nb::arg("graph"), nb::arg("function"),
        nb::arg("build"));
}

}  // namespace rill::python

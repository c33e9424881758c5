#include "layers.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>

#include "dtypes.h"
#include "optimizer_overrides.h"
#include "plain_values.h"
#include "scopes.h"
#include "variable_scopes.h"

namespace rill::python {
namespace {

std::map<std::string, MakeLayer>& layer_kinds() {
  static auto& all = *new std::map<std::string, MakeLayer>;
  return all;
}

// For the garbage collector: graphs hold tensors that layers made, and these hold their layers.
int traverse_layer(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  for (const nb::object& graph : nb::inst_ptr<LayerObject>(self)->graphs) Py_VISIT(graph.ptr());
  return 0;
}

int clear_layer(PyObject* self) {
  const auto gone = std::move(nb::inst_ptr<LayerObject>(self)->graphs);
  nb::inst_ptr<LayerObject>(self)->graphs.clear();
  return 0;
}

PyType_Slot layer_slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse_layer)},
                             {Py_tp_clear, reinterpret_cast<void*>(clear_layer)},
                             {0, nullptr}};

layers::Layer& initialized_layer(const LayerObject& o) {
  if (o.layer == nullptr)
    throw_python(PyExc_RuntimeError,
                 "You must call `super().__init__()` in the layer constructor.");
  return *o.layer;
}

LayerObject& core_of(nb::handle object) {
  if (!nb::hasattr(object, "_core"))
    throw_python(PyExc_RuntimeError,
                 "You must call `super().__init__()` in the layer constructor.");
  return nb::cast<LayerObject&>(nb::object(object.attr("_core")));
}

// What the layer makes lives as long as it can be asked for.
void keep_layer_graph(LayerObject& o) {
  const nb::object graph = wrap(default_graph());
  for (const nb::object& known : o.graphs)
    if (known.is(graph)) return;
  o.graphs.push_back(graph);
}

layers::InputSpec input_spec_of(nb::handle given) {
  layers::InputSpec spec;
  if (given.is_none()) return spec;
  const auto number = [&](const char* name) -> std::optional<int> {
    const nb::object value = given.attr(name);
    return value.is_none() ? std::nullopt : std::optional(small_integer_of(value));
  };
  if (!given.attr("dtype").is_none()) spec.dtype = base_type(as_dtype(given.attr("dtype")));
  if (!given.attr("shape").is_none()) spec.shape = as_shape(given.attr("shape"));
  spec.ndim = number("ndim");
  spec.max_ndim = number("max_ndim");
  spec.min_ndim = number("min_ndim");
  for (auto [axis, size] : nb::cast<nb::dict>(given.attr("axes"))) {
    const nb::object plain =
        nb::hasattr(size, "value") ? nb::object(size.attr("value")) : nb::borrow(size);
    std::optional<std::int64_t> known;
    if (!plain.is_none()) known = integer_of(plain);
    spec.axes[small_integer_of(axis)] = known;
  }
  return spec;
}

nb::dict spec_arguments(const layers::InputSpec& spec) {
  nb::dict arguments;
  const auto put = [&](const char* name, const std::optional<int>& value) {
    if (value) arguments[name] = *value;
  };
  put("ndim", spec.ndim);
  put("max_ndim", spec.max_ndim);
  put("min_ndim", spec.min_ndim);
  if (spec.dtype != DType::invalid) arguments["dtype"] = numpy_style_name(spec.dtype);
  if (spec.shape) arguments["shape"] = shape_tuple(*spec.shape);
  nb::dict axes;
  for (const auto& [axis, size] : spec.axes)
    axes[nb::int_(axis)] = size ? nb::cast(*size) : nb::object(nb::none());
  arguments["axes"] = axes;
  return arguments;
}

layers::WeightOptions weight_options(const nb::dict& given) {
  const auto at = [&](const char* name) {
    return given.contains(name) ? nb::object(given[name]) : nb::object(nb::none());
  };
  layers::WeightOptions o;
  if (!at("dtype").is_none()) o.dtype = base_type(as_dtype(at("dtype")));
  o.initializer = initializer_of(at("initializer"));
  o.regularizer = regularizer_of(at("regularizer"));
  if (!at("trainable").is_none()) o.trainable = truth_of(at("trainable"));
  o.constraint = constraint_function(at("constraint"));
  o.partitioner = partitioner_of(at("partitioner"));
  if (!at("use_resource").is_none()) o.use_resource = truth_of(at("use_resource"));
  o.synchronization = enum_of<VariableSynchronization>(at("synchronization"));
  o.aggregation = enum_of<VariableAggregation>(at("aggregation"));
  if (!at("collections").is_none())
    o.collections = nb::cast<std::vector<std::string>>(nb::list(at("collections")));
  if (!at("caching_device").is_none()) o.caching_device = device_choice_of(at("caching_device"));
  return o;
}

layers::ScopeChoice scope_choice(nb::handle given) {
  if (given.is_none()) return {};
  if (VariableScopeRef scope = variable_scope_of(given)) return scope;
  return str_of(given);
}

layers::LayerOptions layer_options_of(const nb::dict& given) {
  const auto at = [&](const char* name) { return nb::object(given[name]); };
  layers::LayerOptions o;
  o.name = at("name").is_none() ? "" : str_of(at("name"));
  o.trainable = truth_of(at("trainable"));
  if (!at("dtype").is_none()) o.dtype = base_type(as_dtype(at("dtype")));
  o.activity_regularizer = function_of(at("activity_regularizer"));
  o.style = truth_of(at("owned")) ? layers::Style::kOwned : layers::Style::kScoped;
  o.counts_from_zero = truth_of(at("counts_from_zero"));
  o.collects_losses = !*o.counts_from_zero;
  o.reuse = reuse_of(at("reuse"));
  o.scope = scope_choice(at("scope"));
  return o;
}

void init_core(LayerObject* self, nb::handle owner, const std::string& kind,
               const nb::dict& options) {
  new (self) LayerObject();
  const InCallersPlace place({});
  building([&] {
    const std::string class_name = type_name_of(owner);
    const auto found = layer_kinds().find(kind);
    const MakeLayer make = found == layer_kinds().end() ? make_layer<layers::Layer> : found->second;
    static_cast<MadeLayer&>(*self) = make(owner, class_name, layer_options_of(options));
    keep_layer_graph(*self);
  });
}

nb::list nodes(const std::vector<Node*>& all) {
  nb::list list;
  for (Node* node : all) list.append(give(*node));
  return list;
}

nb::object add_weight(LayerObject& o, const std::string& name, nb::handle shape,
                      const nb::dict& options) {
  const InCallersPlace place({});
  return building([&] {
    keep_layer_graph(o);
    return give(
        initialized_layer(o).add_weight(name, as_shape(shape), weight_options(options)).any());
  });
}

void add_layer_loss(LayerObject& o, nb::handle loss, bool depends_on_inputs) {
  PyObject* const arguments[] = {loss.ptr()};
  const InCallersPlace place(arguments);
  building([&] {
    if (!is_tensor(loss) && PyCallable_Check(loss.ptr())) {
      initialized_layer(o).add_loss(
          [held = keep(loss)]() -> Output {
            const nb::object made = kept(held)();
            return made.is_none() ? Output() : tensor_of(made, "loss");
          },
          depends_on_inputs);
    } else {
      initialized_layer(o).add_loss(tensor_of(loss, "loss"), depends_on_inputs);
    }
  });
}

template <class C>
void bind_states(C& c) {
  const auto flag = [&](const char* name, bool layers::Layer::*member) {
    c.def_prop_rw(
        name, [member](LayerObject& o) { return initialized_layer(o).*member; },
        [member](LayerObject& o, bool value) { initialized_layer(o).*member = value; });
  };
  flag("built", &layers::Layer::built);
  flag("supports_masking", &layers::Layer::supports_masking);
  flag("stateful", &layers::Layer::stateful);
  flag("use_resources", &layers::Layer::use_resources);
  c.def_prop_rw(
      "trainable", [](LayerObject& o) { return initialized_layer(o).trainable(); },
      [](LayerObject& o, bool value) { initialized_layer(o).set_trainable(value); });
  c.def_prop_rw(
      "name", [](LayerObject& o) { return initialized_layer(o).name(); },
      [](LayerObject& o, std::string name) { initialized_layer(o).set_name(std::move(name)); });
  c.def_prop_rw(
      "dtype",
      [](LayerObject& o) -> nb::object {
        const DType dtype = initialized_layer(o).dtype();
        return dtype == DType::invalid ? nb::none() : nb::cast(numpy_style_name(dtype));
      },
      [](LayerObject& o, nb::handle dtype) {
        initialized_layer(o).set_dtype(dtype.is_none() ? DType::invalid
                                                       : base_type(as_dtype(dtype)));
      },
      nb::arg().none());
  c.def_prop_ro("owned", [](LayerObject& o) {
    return initialized_layer(o).style() == layers::Style::kOwned;
  });
  c.def_prop_ro("scope", [](LayerObject& o) {
    return initialized_layer(o).scope() ? give(initialized_layer(o).scope())
                                        : nb::object(nb::none());
  });
  c.def_prop_ro("scope_name", [](LayerObject& o) {
    return building([&] { return initialized_layer(o).scope_name(); });
  });
  c.def("input_specs", [](LayerObject& o) {
    nb::list all;
    for (const layers::InputSpec& spec : initialized_layer(o).input_spec)
      all.append(spec_arguments(spec));
    return all;
  });
  c.def("set_input_spec", [](LayerObject& o, nb::handle list) {
    layers::InputSpecs specs;
    for (nb::handle spec : list) specs.push_back(input_spec_of(spec));
    initialized_layer(o).input_spec = std::move(specs);
  });
  c.def(
      "set_activity_regularizer",
      [](LayerObject& o, nb::handle f) {
        initialized_layer(o).set_activity_regularizer(function_of(f));
      },
      nb::arg().none());
}

template <class C>
void bind_contents(C& c) {
  c.def("add_weight", add_weight);
  c.def("track", [](LayerObject& o, nb::handle variable, bool trainable) {
    initialized_layer(o).track(variable_of(variable), trainable);
  });
  c.def("add_loss", add_layer_loss);
  c.def("add_update", [](LayerObject& o, nb::handle op) {
    initialized_layer(o).add_update(operation_object(op).node());
  });
  c.def("add_layer",
        [](LayerObject& o, nb::handle part) { initialized_layer(o).add_layer(layer_of(part)); });
  c.def("remove_layer", [](LayerObject& o, nb::handle part) {
    initialized_layer(o).remove_layer(*layer_of(part));
  });
  c.def("trainable_weights",
        [](LayerObject& o) { return give_all(initialized_layer(o).trainable_weights()); });
  c.def("non_trainable_weights",
        [](LayerObject& o) { return give_all(initialized_layer(o).non_trainable_weights()); });
  c.def("weights", [](LayerObject& o) { return give_all(initialized_layer(o).weights()); });
  c.def("count_params", [](LayerObject& o) {
    return building([&] { return initialized_layer(o).count_params(); });
  });
  c.def("losses", [](LayerObject& o) {
    const InCallersPlace place({});
    return building([&] { return give(initialized_layer(o).losses()); });
  });
  c.def("losses_for", [](LayerObject& o, nb::handle inputs) {
    const InCallersPlace place({});
    return building([&] { return give(initialized_layer(o).losses_for(outputs_of(inputs))); });
  });
  c.def("updates", [](LayerObject& o) { return nodes(initialized_layer(o).updates()); });
  c.def("updates_for", [](LayerObject& o, nb::handle inputs) {
    return nodes(initialized_layer(o).updates_for(outputs_of(inputs)));
  });
}

}  // namespace

void add_layer_kind(const std::string& kind, MakeLayer make) { layer_kinds()[kind] = make; }

std::shared_ptr<layers::Layer> layer_of(nb::handle object) {
  if (!nb::hasattr(object, "_core")) type_error("Expected a layer, got ", repr_of(object));
  return core_of(object).layer;
}

layers::ScopeChoice scope_choice_of(nb::handle given) { return scope_choice(given); }

void bind_layers(nb::module_& m) {
  nb::class_<LayerObject> c(m, "LayerCore", nb::type_slots(layer_slots));
  c.def("__init__", init_core);
  bind_states(c);
  bind_contents(c);
  m.def("snake_case", layers::snake_case);
  m.def("unique_layer_name", [](const std::string& class_name, bool from_zero) {
    return layers::unique_layer_name(layers::snake_case(class_name), from_zero);
  });
  bind_layer_calls(m);
  bind_layer_kinds(m);
  bind_contrib_layers(m);
  bind_examples(m);
}

}  // namespace rill::python

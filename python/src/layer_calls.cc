#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "layers.h"
#include "package.h"
#include "plain_function.h"
#include "plain_values.h"
#include "truth.h"
#include "variable_scopes.h"

namespace rill::python {

layers::ScopeChoice scope_choice_of(nb::handle given);

// --- between the two languages -------------------------------------------------------------------

std::vector<Output> outputs_of(nb::handle list) {
  std::vector<Output> outputs;
  for (nb::handle item : list) {
    if (is_tensor(item)) outputs.push_back(tensor_object(item).output);
    if (is_variable(item)) outputs.push_back(variable_object(item).variable.snapshot());
  }
  return outputs;
}

std::vector<Output> optional_outputs_of(nb::handle list) {
  std::vector<Output> outputs;
  for (nb::handle item : list) outputs.push_back(item.is_none() ? Output() : tensor_of(item));
  return outputs;
}

Output tensor_of(nb::handle value, std::string_view name) {
  if (is_tensor(value)) return tensor_object(value).output;
  return as_tensor(input_of(value, DType::invalid, "", name), name);
}

nb::object one_or_list(const std::vector<Output>& outputs) {
  return outputs.size() == 1 ? give(outputs[0]) : give(outputs);
}

std::function<Output(Output)> function_of(nb::handle callable) {
  if (callable.is_none()) return {};
  return [held = keep(callable), op = unary_op_of(callable)](Output x) {
    if (op != nullptr && x.node->is_executed() && executing_eagerly())
      return current_scope().add(op, {x}).output();
    return tensor_of(kept(held)(give(x)));
  };
}

namespace {

nb::object flattened(nb::handle structure) { return package::flatten(structure); }

nb::object masks_object(const std::vector<Output>& masks) {
  nb::list list;
  for (const Output& mask : masks) list.append(mask.node ? give(mask) : nb::none());
  if (nb::len(list) == 1) return nb::object(list[0]);
  return list;
}

nb::object training_object(const OptionalInput& training) {
  if (!training) return nb::none();
  if (training->is_value()) return nb::bool_(training->value(DType::boolean).data<bool>()[0]);
  return give(as_tensor(*training, "training"));
}

nb::kwargs keywords_of(const layers::CallArguments& arguments) {
  nb::kwargs keywords;
  if (arguments.training) keywords["training"] = training_object(arguments.training);
  if (!arguments.masks.empty()) keywords["mask"] = masks_object(arguments.masks);
  return keywords;
}

nb::object more_arguments(const nb::object& method, const std::vector<Output>& inputs,
                          const layers::CallArguments& arguments) {
  const nb::kwargs keywords = keywords_of(arguments);
  nb::list given;
  given.append(one_or_list(inputs));
  for (const Output& more : arguments.more) given.append(give(more));
  return method(*given, **keywords);
}

}  // namespace

int visit_layers(Graph& graph, visitproc visit, void* arg) {
  std::vector<PyObject*> kept_layers;
  layers::visit_makers(graph, [&](layers::Layer& layer) {
    if (auto* side = dynamic_cast<LayerSide*>(&layer)) kept_layers.push_back(side->self().ptr());
  });
  for (PyObject* layer : kept_layers) Py_VISIT(layer);
  return 0;
}

nb::object LayerSide::overridden(const char* name) const {
  const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(self_)));
  if (!nb::hasattr(type, name) || nb::hasattr(type.attr(name), "_is_native")) return {};
  return self().attr(name);
}

// A class that is changed gets another version.
bool LayerSide::is_plain() {
  const PyTypeObject* const type = Py_TYPE(self_);
  if (plain_version_ == 0 || plain_version_ != type->tp_version_tag) {
    is_plain_ = !overridden("call").is_valid() && !overridden("compute_mask").is_valid();
    plain_version_ = type->tp_version_tag;
  }
  return is_plain_;
}

std::vector<Output> LayerSide::run_in_python(const std::vector<Output>& inputs,
                                             const layers::CallArguments& arguments) const {
  return outputs_of(flattened(more_arguments(nb::borrow(self_), inputs, arguments)));
}

void LayerSide::build_in_python(const nb::object& method,
                                const std::vector<PartialShape>& inputs) const {
  nb::list shapes;
  for (const PartialShape& shape : inputs) shapes.append(shape_object(shape));
  if (nb::len(shapes) == 1)
    method(shapes[0]);
  else
    method(shapes);
}

std::vector<Output> LayerSide::call_in_python(const nb::object& method,
                                              const std::vector<Output>& inputs,
                                              const layers::CallArguments& arguments) const {
  // Only what the method knows is handed to it.
  const nb::object accepted = package::call_arguments_of(method);
  layers::CallArguments known = arguments;
  if (!truth_of(accepted.attr("takes")("training"))) known.training.reset();
  if (!truth_of(accepted.attr("takes")("mask"))) known.masks.clear();
  return outputs_of(flattened(more_arguments(method, inputs, known)));
}

std::vector<Output> LayerSide::masks_in_python(const nb::object& method,
                                               const std::vector<Output>& inputs,
                                               const std::vector<Output>& masks) const {
  const nb::object given = masks.empty() ? nb::object(nb::none()) : masks_object(masks);
  const nb::object made = method(one_or_list(inputs), given);
  if (made.is_none()) return {};
  return optional_outputs_of(flattened(made));
}

// --- what Python asks C++ ------------------------------------------------------------------------

namespace {

// One call in progress; opened and closed by Python's `with`.
struct CallingObject {
  CallingObject(std::vector<PyObject*> seen) : place(seen) {}
  InCallersPlace place;
  std::unique_ptr<layers::Calling> calling;
};

struct CallingRequest {
  nb::object core, inputs, arguments;
  std::unique_ptr<CallingObject> open;
};

OptionalInput training_of(nb::handle given) {
  if (given.is_none()) return std::nullopt;
  if (is_tensor(given) || is_variable(given))
    return input_of(given, DType::invalid, "", "training");
  return Input(truth_of(given));
}

std::vector<PyObject*> pointers_of_items(nb::handle list) {
  std::vector<PyObject*> all;
  for (nb::handle item : list) all.push_back(item.ptr());
  return all;
}

void open(CallingRequest& request) {
  LayerObject& o = nb::cast<LayerObject&>(request.core);
  request.open = std::make_unique<CallingObject>(pointers_of_items(request.inputs));
  building([&] {
    layers::CallArguments arguments;
    arguments.training = training_of(request.arguments["training"]);
    if (!request.arguments["masks"].is_none())
      arguments.masks = optional_outputs_of(request.arguments["masks"]);
    arguments.scope = scope_choice_of(request.arguments["scope"]);
    request.open->calling =
        std::make_unique<layers::Calling>(*o.layer, outputs_of(request.inputs),
                                          std::move(arguments), std::source_location::current());
  });
}

layers::Calling& calling_of(CallingRequest& request) {
  if (!request.open) throw_python(PyExc_RuntimeError, "the layer is not being called");
  return *request.open->calling;
}

void close_request(CallingRequest& request) {
  if (request.open) request.open->calling.reset();
  request.open.reset();
}

// The outputs where nothing of the call is Python's: the layer is there, and so is the input's
// value. None otherwise.
nb::object call_now(LayerObject& o, nb::handle input) {
  if (o.layer == nullptr || !o.layer->built || Py_TYPE(input.ptr()) != eager_tensor_type ||
      !executing_eagerly() || !o.side->is_plain())
    return nb::none();
  PyObject* const seen[] = {input.ptr()};
  const InCallersPlace place(seen);
  return building([&] { return one_or_list(o.side->run_here({tensor_object(input).output})); });
}

template <class C>
void bind_own(C& c) {
  c.def("call_now", call_now);
  c.def("keep_settings", [](LayerObject& o) { o.side->keep_settings(); });
  c.def("settings_changed", [](LayerObject& o) {
    if (o.side != nullptr) o.side->settings_changed();
  });
  c.def("own_build", [](LayerObject& o, nb::handle shapes) {
    std::vector<PartialShape> inputs;
    for (nb::handle shape : shapes) inputs.push_back(as_shape(shape));
    const InCallersPlace place({});
    building([&] { o.side->own_build(inputs); });
  });
  c.def(
      "own_call",
      [](LayerObject& o, nb::handle inputs, nb::handle training, nb::handle masks,
         nb::handle more) {
        const InCallersPlace place(pointers_of_items(inputs));
        return building([&] {
          layers::CallArguments arguments;
          arguments.training = training_of(training);
          if (!masks.is_none()) arguments.masks = optional_outputs_of(masks);
          for (nb::handle item : more) arguments.more.push_back(tensor_of(item));
          std::vector<Output> tensors;
          for (nb::handle item : inputs) tensors.push_back(tensor_of(item));
          return one_or_list(o.side->own_call(tensors, arguments));
        });
      },
      nb::arg("inputs"), nb::arg("training").none(), nb::arg("masks").none(), nb::arg("more"));
  c.def("own_check", [](LayerObject& o) { building([&] { o.side->own_check(); }); });
  c.def("added_weight", [](LayerObject& o, const std::string& name) -> nb::object {
    const layers::Weight weight = o.layer->added_weight(name);
    return weight ? give(weight.any()) : nb::none();
  });
  c.def("own_output_shape", [](LayerObject& o, nb::handle shape) {
    return building([&] {
      try {
        return shape_object(o.side->own_output_shape(as_shape(shape)));
      } catch (const Error& error) {
        if (error.code() != Code::kUnimplemented) throw;
        throw_python(PyExc_NotImplementedError, error.message());
      }
    });
  });
  c.def("own_masks", [](LayerObject& o, nb::handle inputs, nb::handle masks) {
    return masks_object(o.side->own_masks(outputs_of(inputs), optional_outputs_of(masks)));
  });
}

template <class C>
void bind_call_records(C& c) {
  c.def_prop_ro("call_count", [](LayerObject& o) { return o.layer->calls().size(); });
  const auto part = [&](const char* name, std::vector<Output> layers::LayerCall::*member) {
    c.def(name, [member](LayerObject& o, std::size_t call) {
      return give(o.layer->calls().at(call).*member);
    });
  };
  part("inputs_of_call", &layers::LayerCall::inputs);
  part("outputs_of_call", &layers::LayerCall::outputs);
}

}  // namespace

void bind_layer_calls(nb::module_& m) {
  auto core = nb::borrow<nb::class_<LayerObject>>(m.attr("LayerCore"));
  bind_own(core);
  bind_call_records(core);

  nb::class_<CallingRequest> c(m, "LayerCalling");
  c.def("__init__", [](CallingRequest* self, nb::object core_object, nb::object inputs,
                       nb::object arguments) {
    new (self) CallingRequest{std::move(core_object), std::move(inputs), std::move(arguments), {}};
  });
  c.def("__enter__", [](nb::object self) {
    open(nb::cast<CallingRequest&>(self));
    return self;
  });
  c.def(
      "__exit__", [](CallingRequest& r, nb::handle, nb::handle, nb::handle) { close_request(r); },
      nb::arg().none(), nb::arg().none(), nb::arg().none());
  c.def_prop_ro("training", [](CallingRequest& r) {
    return training_object(calling_of(r).arguments().training);
  });
  c.def_prop_ro("masks", [](CallingRequest& r) -> nb::object {
    const std::vector<Output>& masks = calling_of(r).arguments().masks;
    return masks.empty() ? nb::none() : masks_object(masks);
  });
  c.def_prop_ro("scope", [](CallingRequest& r) { return give(calling_of(r).scope()); });
  c.def("end", [](CallingRequest& r, nb::handle outputs) {
    return building([&] { return give(calling_of(r).end(outputs_of(outputs))); });
  });
  m.def("tensor_mask", [](nb::handle tensor) -> nb::object {
    const Output mask = layers::mask_of(tensor_of(tensor));
    return mask.node ? give(mask) : nb::none();
  });
  m.def(
      "set_tensor_mask",
      [](nb::handle tensor, nb::handle mask) {
        layers::set_mask(tensor_of(tensor), mask.is_none() ? Output() : tensor_of(mask));
      },
      nb::arg("tensor"), nb::arg("mask").none());
}

}  // namespace rill::python

#include "eager.h"

#include <nanobind/stl/string.h>

#include "attrs.h"
#include "call.h"
#include "dlpack.h"
#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "interpreter_lock.h"
#include "kept.h"
#include "numpy.h"
#include "objects.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/op_call.h"
#include "rill/api/eager/gradient_tape.h"
#include "rill/api/variables/eager_variable_store.h"
#include "rill/grad/gradients.h"
#include "rill/graph/executed_node.h"
#include "rill/graph/tape.h"
#include "rill/runtime/eager/eager_context.h"
#include "shapes.h"
#include "variables.h"

namespace rill::python {

PyTypeObject* eager_tensor_type = nullptr;

namespace {

const Tensor& value_of(const EagerTensorObject& self) { return self.output.value(); }

nb::object numpy_of(const EagerTensorObject& self) {
  return numpy_from_tensor(value_of(self).clone());
}

nb::object eager_array(const EagerTensorObject& self, nb::handle dtype) {
  return nb::module_::import_("numpy").attr("asarray")(numpy_of(self),
                                                       nb::arg("dtype") = nb::borrow(dtype));
}

// The Python number that `convert` (bool, int, ...) makes of the value.
nb::object as_number(const EagerTensorObject& self, PyObject* (*convert)(PyObject*)) {
  nb::object number = nb::steal(convert(numpy_of(self).ptr()));
  if (!number.is_valid()) throw nb::python_error();
  return number;
}

std::size_t length(const EagerTensorObject& self) {
  const Tensor value = value_of(self);
  if (value.rank() == 0) type_error("Scalar tensor has no `len()`");
  return static_cast<std::size_t>(value.dim(0));
}

nb::object iterate(nb::handle self) {
  const Tensor value = value_of(*nb::inst_ptr<EagerTensorObject>(self));
  if (value.rank() == 0) type_error("Cannot iterate over a scalar tensor.");
  nb::list rows;
  for (std::int64_t i = 0; i < value.dim(0); ++i) rows.append(self[nb::int_(i)]);
  return nb::iter(rows);
}

// Values of several lines begin on one of their own; what NumPy cannot show has no text.
std::string value_text(const EagerTensorObject& self, bool in_full) {
  const DType type = value_of(self).dtype();
  if (type == DType::resource || type == DType::variant) return "<unprintable>";
  const std::string text = in_full ? repr_of(numpy_of(self)) : str_of(numpy_of(self));
  return text.find('\n') == text.npos ? text : "\n" + text;
}

std::string eager_text(const EagerTensorObject& self, bool in_full) {
  const Tensor value = value_of(self);
  const std::string kind =
      str_cat("shape=", shape_text(value.shape()), ", dtype=", numpy_style_name(value.dtype()));
  if (in_full) return str_cat("<tf.Tensor: ", kind, ", numpy=", value_text(self, true), ">");
  return str_cat("tf.Tensor(", value_text(self, false), ", ", kind, ")");
}

// --- protocols of Python -----------------------------------------------------------------------

nb::object shared_array(const EagerTensorObject& self) {
  const DType type = value_of(self).dtype();
  if (type == DType::string || type == DType::resource || type == DType::variant)
    type_error("a tensor of type ", numpy_style_name(type), " has no buffer");
  nb::object array = numpy_view(value_of(self));
  array.attr("flags").attr("writeable") = false;
  return array;
}

// The buffer belongs to an array over the same memory, which nobody may write to.
int lend_buffer(PyObject* self, Py_buffer* buffer, int flags) {
  buffer->obj = nullptr;
  try {
    if (!nb::inst_ready(self)) wrong_object(self, "Tensor");
    const nb::object array = shared_array(*nb::inst_ptr<EagerTensorObject>(self));
    return PyObject_GetBuffer(array.ptr(), buffer, flags);
  } catch (nb::python_error& error) {
    error.restore();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_BufferError, error.what());
  }
  return -1;
}

PyType_Slot eager_slots[] = {{Py_bf_getbuffer, reinterpret_cast<void*>(lend_buffer)}, {0, nullptr}};

nb::object formatted(const EagerTensorObject& self, nb::handle spec) {
  return numpy_of(self).attr("__format__")(spec);
}

nb::object reduced(const EagerTensorObject& self) {
  return nb::make_tuple(package::convert_to_tensor.get(),
                        nb::make_tuple(numpy_of(self), dtype_object(value_of(self).dtype())));
}

void bind_protocols(nb::class_<EagerTensorObject, TensorObject>& c) {
  c.def("__format__", formatted);
  c.def("__reduce__", reduced);
  c.def("__copy__", [](nb::object self) { return self; });
  c.def("__deepcopy__", [](nb::object self, nb::handle) { return self; });
  c.def(
      "__dlpack__",
      [](const EagerTensorObject& self, nb::handle) { return dlpack_capsule(value_of(self)); },
      nb::kw_only(), nb::arg("stream") = nb::none());
  c.def("__dlpack_device__", [](const EagerTensorObject&) { return nb::make_tuple(1, 0); });
}

// --- what belongs to graphs --------------------------------------------------------------------

[[noreturn]] void meaningless(PyObject* error, const char* name) {
  throw_python(error, str_cat("Tensor.", name, " is meaningless when eager execution is enabled."));
}

// --- where it is -------------------------------------------------------------------------------

constexpr const char* kHostDevice = "/job:localhost/replica:0/task:0/device:CPU:0";

nb::object eager_copy(const EagerTensorObject& self, const std::string& device) {
  const AsDefault eagerly(eager_graph());
  return building([&] {
    return give(current_scope().on_device(device).add("Identity", {self.output}).output());
  });
}

bool is_on_host(const EagerTensorObject& self) {
  return executed(self.node()).memory_kind(self.output.index) != MemoryKind::device;
}

nb::object on_gpu(const EagerTensorObject& self, int number) {
  const auto devices = EagerContext::instance().devices();
  const std::string device = str_cat("/device:GPU:", number);
  if (std::ranges::none_of(devices, [&](const auto& name) { return name.ends_with(device); }))
    throw_python(PyExc_RuntimeError, str_cat("GPU:", number, " unknown device."));
  return eager_copy(self, device);
}

void bind_places(nb::class_<EagerTensorObject, TensorObject>& c) {
  c.def("cpu", [](nb::object self) {
    const auto& tensor = *nb::inst_ptr<EagerTensorObject>(self);
    return is_on_host(tensor) ? self : eager_copy(tensor, "/device:CPU:0");
  });
  c.def("gpu", on_gpu, nb::arg("gpu_index") = 0);
  c.def_prop_ro("backing_device", [](const EagerTensorObject& t) {
    const std::string& device = t.node().device();
    return is_on_host(t) && device.find("/device:CPU:") == device.npos ? kHostDevice : device;
  });
}

template <class C>
void bind_refusals(C& c) {
  for (const char* name : {"op", "graph", "name", "value_index"})
    c.def_prop_ro(name, [name](const EagerTensorObject&) -> nb::object {
      meaningless(PyExc_AttributeError, name);
    });
  c.def("consumers", [](const EagerTensorObject&) -> nb::object {
    meaningless(PyExc_NotImplementedError, "consumers");
  });
  c.def(
      "eval",
      [](const EagerTensorObject&, nb::handle, nb::handle) -> nb::object {
        throw_python(PyExc_NotImplementedError,
                     "eval is not supported when eager execution is enabled, is .numpy() what "
                     "you're looking for?");
      },
      nb::arg("feed_dict") = nb::none(), nb::arg("session") = nb::none());
  c.def(
      "set_shape",
      [](const EagerTensorObject& self, nb::handle shape) {
        const PartialShape own(value_of(self).shape()), wanted = as_shape(shape);
        if (!own.is_compatible(wanted))
          value_error("Tensor's shape ", shape_text(own), " is not compatible with supplied shape ",
                      str_of(shape), ".");
      },
      nb::arg("shape").none());
}

nb::object eager_shape(const EagerTensorObject& self) {
  return shape_object(value_of(self).shape());
}

// What a tape knows a source by: a tensor, or the handle of a variable.
Output source_of(nb::handle source) {
  if (is_variable(source)) return variable_object(source).variable.handle();
  return tensor_object(source).output;
}

std::vector<Gradient> seeds_of(nb::handle given, std::size_t count) {
  std::vector<Gradient> seeds(given.is_none() ? 0 : count);
  if (given.is_none()) return seeds;
  std::size_t i = 0;
  for (nb::handle seed : given) {
    if (i == count) break;
    if (!seed.is_none()) seeds[i] = converted_tensor(seed, "output_gradient");
    ++i;
  }
  return seeds;
}

nb::object tape_gradients(const Tape& tape, nb::handle targets, nb::handle sources,
                          nb::handle output_gradients, bool zeros) {
  const AsDefault eagerly(eager_graph());
  return building([&] {
    std::vector<Output> ys, xs;
    for (nb::handle target : targets) ys.push_back(converted_tensor(target, "target"));
    for (nb::handle source : sources) xs.push_back(source_of(source));
    const auto found = gradients(current_scope(), ys, xs,
                                 {.grad_ys = seeds_of(output_gradients, ys.size()),
                                  .unconnected = zeros ? Unconnected::kZero : Unconnected::kNone,
                                  .tape = &tape});
    nb::list results;
    for (const Gradient& gradient : found) results.append(give(gradient));
    return nb::object(results);
  });
}

void bind_tape(nb::module_& m) {
  nb::class_<Tape> c(m, "Tape");
  c.def(nb::init<bool>());
  c.def("start", &Tape::start);
  c.def("stop", &Tape::stop);
  c.def("is_on", &Tape::is_on);
  c.def("reset", &Tape::reset);
  c.def("watch", [](Tape& tape, nb::handle source) {
    if (is_variable(source))
      tape.add_variable(source_of(source));
    else
      building([&] { tape.watch(source_of(source)); });
  });
  c.def("variables", [](const Tape& tape) {
    nb::list all;
    for (const Output& handle : tape.variables())
      if (nb::object variable = eager_variable(handle); !variable.is_none()) all.append(variable);
    return all;
  });
  c.def("gradients", tape_gradients, nb::arg("targets"), nb::arg("sources"),
        nb::arg("output_gradients").none(), nb::arg("zeros"));
  c.def("jacobian", [](Tape& tape, nb::handle target, nb::handle source) {
    return building([&] {
      return give(jacobian(tape, converted_tensor(target, "target"), source_of(source)));
    });
  });
  c.def("batch_jacobian", [](Tape& tape, nb::handle target, nb::handle source) {
    return building([&] {
      return give(batch_jacobian(tape, converted_tensor(target, "target"), source_of(source)));
    });
  });
}

// (op, inputs, attributes as name and value in turns, outputs) for each op.
void observe(nb::handle function) {
  if (function.is_none()) return EagerContext::instance().set_observer({});
  EagerContext::instance().set_observer(
      [held = keep(function)](ExecutedNode& node, const std::vector<Output>& inputs) {
        const WithLock gil;
        nb::list attrs;
        for (const auto& [name, value] : node.attrs()) {
          attrs.append(nb::str(name.c_str()));
          attrs.append(python_attr(value));
        }
        kept(held)(node.op().name, give(inputs), nb::tuple(attrs), give(all_outputs(node)));
      });
}

struct StoreBlocks {
  StoreBlocks() = default;
  StoreBlocks(const StoreBlocks&) = delete;
  EagerVariableStore store;
  std::vector<std::unique_ptr<EagerVariableStore::AsDefault>> open;
};

void bind_store(nb::module_& m) {
  nb::class_<StoreBlocks> c(m, "EagerVariableStore");
  c.def(nb::init<>());
  c.def("enter", [](StoreBlocks& s) {
    s.open.push_back(std::make_unique<EagerVariableStore::AsDefault>(s.store));
  });
  c.def("leave", [](StoreBlocks& s) {
    if (!s.open.empty()) s.open.pop_back();
  });
  c.def("variables", [](const StoreBlocks& s) {
    nb::list all;
    for (const Variable& variable : s.store.variables()) all.append(give(variable));
    return all;
  });
}

}  // namespace

GraphObject& eager_graph_object() {
  static PyObject* const graph = wrap(eager_graph()).release().ptr();
  return graph_object(graph);
}

void bind_eager(nb::module_& m) {
  nb::class_<EagerTensorObject, TensorObject> c(m, "EagerTensor", nb::type_slots(eager_slots));
  eager_tensor_type = reinterpret_cast<PyTypeObject*>(c.ptr());
  c.def("numpy", numpy_of);
  c.def("__array__", eager_array, nb::arg("dtype") = nb::none());
  c.def("__bool__", [](const EagerTensorObject& t) { return truth_of(numpy_of(t)); });
  c.def("__int__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Long); });
  c.def("__float__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Float); });
  c.def("__complex__", [](const EagerTensorObject& t) {
    return nb::steal(PyObject_CallOneArg(reinterpret_cast<PyObject*>(&PyComplex_Type),
                                         numpy_of(t).attr("item")().ptr()));
  });
  c.def("__index__", [](const EagerTensorObject& t) { return as_number(t, PyNumber_Index); });
  c.def("__len__", length);
  c.def("__iter__", iterate);
  c.def("__repr__", [](const EagerTensorObject& t) { return eager_text(t, true); });
  c.def("__str__", [](const EagerTensorObject& t) { return eager_text(t, false); });
  bind_protocols(c);
  bind_refusals(c);
  bind_places(c);
  c.def("_numpy", numpy_of);
  c.def_prop_ro("_keras_mask", [](const EagerTensorObject& t) -> nb::object {
    const Output mask = executed(t.node()).mask(t.output.index);
    return mask.node != nullptr ? give(mask) : nb::object(nb::none());
  });
  c.def_prop_ro("ndim", [](const EagerTensorObject& t) { return value_of(t).rank(); });
  c.def_prop_ro("_id", [](const EagerTensorObject& t) { return executed(t.node()).serial(); });
  c.def_prop_ro("shape", eager_shape);
  c.def("get_shape", eager_shape);
  m.def("disable_eager_execution", disable_eager_execution);
  m.def("executing_eagerly", [] { return executing_eagerly(); });
  m.def("enable_eager_execution", [] {
    try {
      enable_eager_execution();
    } catch (const Error& error) {
      value_error(error.message());
    }
  });
  bind_tape(m);
  bind_store(m);
  m.def("living_eager_nodes", &ExecutedNode::living_count);
  m.def("observe_eager_ops", observe, nb::arg("function").none());
  m.def("eager_graph", [] { return wrap(eager_graph()); });
}

}  // namespace rill::python

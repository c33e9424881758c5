#include "py_func.h"

#include <nanobind/stl/string.h>

#include "dtypes.h"
#include "errors.h"
#include "inputs.h"
#include "interpreter_lock.h"
#include "numpy.h"
#include "objects.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/core/recorded_function.h"
#include "rill/kernel/host_functions.h"

namespace rill::python {
namespace {

Code code_of_python_error(const nb::python_error& error) {
  if (error.matches(PyExc_TypeError) || error.matches(PyExc_ValueError))
    return Code::kInvalidArgument;
  if (error.matches(PyExc_StopIteration)) return Code::kOutOfRange;
  if (error.matches(PyExc_MemoryError)) return Code::kResourceExhausted;
  return error.matches(PyExc_NotImplementedError) ? Code::kUnimplemented : Code::kUnknown;
}

// What C raises is a class and a message until somebody asks for the exception.
[[noreturn]] void throw_whole(nb::python_error& error) {
  error.restore();
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  PyErr_Restore(type, value, traceback);
  throw nb::python_error();
}

// "ValueError: what was wrong", then the traceback.
std::string describe_error(const nb::python_error& error) {
  // What C++ raised has no traceback.
  const nb::object traceback =
      error.traceback().is_valid() ? nb::borrow(error.traceback()) : nb::object(nb::none());
  nb::object lines = nb::module_::import_("traceback")
                         .attr("format_exception")(error.type(), error.value(), traceback);
  return str_cat(str_of(error.type().attr("__name__")), ": ", str_of(error.value()), "\n",
                 str_of(nb::str("").attr("join")(lines)));
}

Tensor result_tensor(nb::handle value) {
  if (is_tensor(value) || is_operation(value))
    raise(Code::kInvalidArgument, "a function on arrays returned ", repr_of(value),
          ", which is no array: py_function calls functions on tensors");
  nb::object array = nb::module_::import_("numpy").attr("asarray")(value, nb::arg("order") = "C");
  if (str_of(array.attr("dtype").attr("kind")) == "O")
    for (nb::handle item : array.attr("ravel")())
      if (!is_text(item)) raise(Code::kInternal, "Unsupported object type ", type_name_of(item));
  return tensor_from_value(array, DType::invalid);
}

// None is no value, a list or tuple is several.
std::vector<Tensor> result_tensors(nb::handle results) {
  std::vector<Tensor> tensors;
  if (results.is_none()) return tensors;
  if (nb::isinstance<nb::list>(results) || nb::isinstance<nb::tuple>(results)) {
    for (nb::handle item : results) tensors.push_back(result_tensor(item));
  } else {
    tensors.push_back(result_tensor(results));
  }
  return tensors;
}

template <class F>
auto in_python(F&& f) {
  const WithLock gil;
  try {
    try {
      return or_stay(f);
    } catch (nb::python_error& error) {
      throw_whole(error);
    }
  } catch (const nb::python_error& error) {
    throw Error(code_of_python_error(error), describe_error(error))
        .with_cause(std::current_exception());
  }
}

std::vector<Tensor> call_python(nb::handle function, const std::vector<Tensor>& arguments) {
  return in_python([&] {
    nb::list values;
    for (const Tensor& argument : arguments) values.append(numpy_from_tensor(argument.clone()));
    return result_tensors(function(*nb::tuple(values)));
  });
}

// --- functions on tensors ----------------------------------------------------------------------

// None among several results counts as zero.
Output recorded_result(nb::handle value, DType dtype) {
  if (is_tensor(value)) return tensor_object(value).output;
  nb::object given = value.is_none() ? nb::object(nb::int_(0)) : nb::borrow(value);
  return input_of(given, dtype, "EagerPyFunc", "output")
      .as_output(current_scope(), "output", dtype);
}

std::vector<Output> record_call(nb::handle function, const std::vector<DType>& types,
                                std::span<const Output> arguments) {
  return in_python([&] {
    nb::list values;
    for (const Output& argument : arguments) values.append(wrap(eager_graph_object(), argument));
    nb::object result = function(*nb::tuple(values));
    std::vector<Output> outputs;
    if (result.is_none()) return outputs;
    const bool several = nb::isinstance<nb::list>(result) || nb::isinstance<nb::tuple>(result);
    nb::object list = several ? result : nb::object(nb::make_tuple(result));
    for (nb::handle item : list)
      outputs.push_back(recorded_result(
          item, outputs.size() < types.size() ? types[outputs.size()] : DType::invalid));
    return outputs;
  });
}

// Copies of the returned function share the object, so that none of them needs the GIL.
struct Held {
  explicit Held(nb::object f) : function(std::move(f)) {}
  ~Held() { let_go(function); }
  nb::object function;
};

std::string add_py_func(nb::object function) {
  auto held = std::make_shared<Held>(std::move(function));
  return add_host_function([held](const std::vector<Tensor>& arguments) {
    return call_python(held->function, arguments);
  });
}

std::string add_py_function(nb::object function, nb::handle result_types) {
  std::vector<DType> types;
  for (nb::handle type : result_types) types.push_back(as_dtype(type));
  auto held = std::make_shared<Held>(std::move(function));
  return add_recorded_function([held, types](std::span<const Output> arguments) {
    return record_call(held->function, types, arguments);
  });
}

}  // namespace

void bind_py_func(nb::module_& m) {
  m.def("add_py_func", add_py_func, nb::arg("function"));
  m.def("add_py_function", add_py_function, nb::arg("function"), nb::arg("result_types"));
  m.def("remove_py_func", remove_host_function, nb::arg("token"));
}

}  // namespace rill::python

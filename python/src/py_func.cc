#include "py_func.h"

#include <nanobind/stl/string.h>

#include "errors.h"
#include "numpy.h"
#include "objects.h"
#include "rill/kernel/host_functions.h"

namespace rill::python {
namespace {

Code code_of(const nb::python_error& error) {
  if (error.matches(PyExc_TypeError) || error.matches(PyExc_ValueError))
    return Code::kInvalidArgument;
  if (error.matches(PyExc_StopIteration)) return Code::kOutOfRange;
  if (error.matches(PyExc_MemoryError)) return Code::kResourceExhausted;
  return error.matches(PyExc_NotImplementedError) ? Code::kUnimplemented : Code::kUnknown;
}

// "ValueError: what was wrong", then the traceback.
std::string describe(const nb::python_error& error) {
  nb::object lines = nb::module_::import_("traceback")
                         .attr("format_exception")(error.type(), error.value(), error.traceback());
  return str_cat(str_of(error.type().attr("__name__")), ": ", str_of(error.value()), "\n",
                 str_of(nb::str("").attr("join")(lines)));
}

Tensor result_tensor(nb::handle value) {
  if (is_tensor(value) || is_operation(value))
    raise(Code::kUnimplemented, "a function called from the graph returned ", repr_of(value),
          ": ops inside it would have to run eagerly");
  nb::object array = nb::module_::import_("numpy").attr("asarray")(value, nb::arg("order") = "C");
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

std::vector<Tensor> call(nb::handle function, const std::vector<Tensor>& arguments) {
  const nb::gil_scoped_acquire gil;
  try {
    nb::list values;
    for (const Tensor& argument : arguments) values.append(numpy_from_tensor(argument.clone()));
    return result_tensors(function(*nb::tuple(values)));
  } catch (const nb::python_error& error) {
    throw Error(code_of(error), describe(error)).with_cause(std::current_exception());
  }
}

// Copies of the returned function share the object, so that none of them needs the GIL.
struct Held {
  explicit Held(nb::object f) : function(std::move(f)) {}
  ~Held() {
    const nb::gil_scoped_acquire gil;
    function.reset();
  }
  nb::object function;
};

std::string add_py_func(nb::object function) {
  auto held = std::make_shared<Held>(std::move(function));
  return add_host_function(
      [held](const std::vector<Tensor>& arguments) { return call(held->function, arguments); });
}

}  // namespace

void bind_py_func(nb::module_& m) {
  m.def("add_py_func", add_py_func, nb::arg("function"));
  m.def("remove_py_func", remove_host_function, nb::arg("token"));
}

}  // namespace rill::python

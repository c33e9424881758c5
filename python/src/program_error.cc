#include "program_error.h"

#include "errors.h"
#include "kept.h"
#include "objects.h"
#include "package.h"
#include "plain_values.h"
#include "rill/api/core/default_graph.h"
#include "rill/api/train/misuse.h"
#include "rill/base/blocking.h"

namespace rill::python {
namespace {

Code code_of_exception(nb::handle exception) {
  if (!nb::isinstance(exception, package::op_error.get())) return Code::kUnknown;
  return static_cast<Code>(small_integer_of(exception.attr("error_code")));
}

}  // namespace

ProgramError::ProgramError(nb::handle exception)
    : Error(code_of_exception(exception), str_of(exception)), exception_(keep(exception)) {}

nb::object exception_object(nb::python_error& error) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  error.restore();
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  if (traceback != nullptr) PyException_SetTraceback(value, traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return nb::steal(value);
}

nb::object ProgramError::exception() const { return kept(exception_); }

void ProgramError::raise_again() const {
  nb::object object = exception();
  PyErr_SetObject(object.type().ptr(), object.ptr());
  throw nb::python_error();
}

void share_lock() {
  set_held_lock(
      {.let_go = []() -> void* { return PyGILState_Check() != 0 ? PyEval_SaveThread() : nullptr; },
       .take_back =
           [](void* held) {
             or_stay([&] { PyEval_RestoreThread(static_cast<PyThreadState*>(held)); });
           }});
}

void raise_in_program(GraphObject* graph) {
  try {
    throw;
  } catch (const train::Misuse& error) {
    throw_build_error(error);
  } catch (const Error& error) {
    throw_run_error(error, graph != nullptr ? graph : known_graph(*default_graph()));
  }
}

}  // namespace rill::python

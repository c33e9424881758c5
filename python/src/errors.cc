#include "errors.h"

#include "objects.h"
#include "package.h"
#include "program_error.h"
#include "rill/api/debugging/assertions.h"

namespace rill::python {
namespace {

// A Python exception that went through the runtime comes out as the same object.
void rethrow_cause(const Error& error) {
  if (error.cause()) std::rethrow_exception(error.cause());
}

// The Python exception behind a failed step, which becomes the cause of its error; one that is no
// Exception (KeyboardInterrupt, SystemExit) comes out as itself. None when there is none.
nb::object python_cause(const Error& error) {
  if (!error.cause()) return nb::none();
  try {
    std::rethrow_exception(error.cause());
  } catch (nb::python_error& python) {
    if (!python.matches(PyExc_Exception)) throw;
    return nb::borrow(python.value());
  } catch (...) {
    return nb::none();
  }
}

// Messages quote strings of programs, which may be any bytes.
nb::object message_text(const std::string& message) {
  PyObject* text = PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()),
                                        "backslashreplace");
  if (text == nullptr) throw nb::python_error();
  return nb::steal(text);
}

void set_op_error(Code code, const std::string& message, nb::object op, nb::object cause) {
  nb::object type = package::error_class_of(static_cast<int>(code));
  nb::object value = type(nb::none(), op, message_text(message));
  if (!cause.is_none()) PyException_SetCause(value.ptr(), cause.release().ptr());
  PyErr_SetObject(type.ptr(), value.ptr());
}

// TensorFlow checks dtypes and kinds in Python (TypeError) and shapes and names below (ValueError);
// the phrases are those of its own messages.
bool is_type_mismatch(std::string_view message) {
  for (const std::string_view phrase :
       {"' Op has type ", "' has DataType ", "have types [", "be a mutable tensor",
        " passed to parameter '", "Expected list for ", " for argument '", "but got a tensor",
        "Second-order gradient for "})
    if (message.find(phrase) != message.npos) return true;
  return false;
}

}  // namespace

void throw_python(PyObject* type, const std::string& message) {
  nb::object error = nb::handle(type)(message_text(message));
  PyErr_SetObject(type, error.ptr());
  throw nb::python_error();
}

void throw_run_error(const Error& error, GraphObject* graph) {
  if (const auto* own = dynamic_cast<const ProgramError*>(&error)) own->raise_again();
  nb::object cause = python_cause(error);
  nb::object op = nb::none();
  if (graph != nullptr && !error.node().empty())
    if (Node* node = graph->graph->find(error.node())) op = wrap(*graph, *node);
  set_op_error(error.code(), error.message(), op, cause);
  throw nb::python_error();
}

void throw_build_error(const Error& error) {
  if (!error.node().empty()) throw_run_error(error, nullptr);  // executed at once
  if (const auto* own = dynamic_cast<const ProgramError*>(&error)) own->raise_again();
  rethrow_cause(error);
  if (dynamic_cast<const debugging::FailedAssertion*>(&error) != nullptr)
    throw_run_error(error, nullptr);
  switch (error.code()) {
    case Code::kInvalidArgument:
      throw_python(error.is_type_mismatch() || is_type_mismatch(error.message()) ? PyExc_TypeError
                                                                                 : PyExc_ValueError,
                   error.message());
    case Code::kFailedPrecondition:
      throw_python(PyExc_RuntimeError, error.message());
    default:
      throw_run_error(error, nullptr);
  }
}

std::string str_of(nb::handle h) { return nb::str(h).c_str(); }
std::string repr_of(nb::handle h) { return nb::repr(h).c_str(); }
std::string type_name_of(nb::handle h) { return str_of(h.type().attr("__name__")); }

void bind_errors(nb::module_&) {
  nb::register_exception_translator([](const std::exception_ptr& p, void*) {
    try {
      rethrow(p);
    } catch (const Error& error) {
      try {
        throw_run_error(error, nullptr);
      } catch (nb::python_error& python) {
        python.restore();
      }
    }
  });
}

}  // namespace rill::python

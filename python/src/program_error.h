#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

#include "interpreter_lock.h"
#include "rill/base/error.h"

namespace rill::python {

namespace nb = nanobind;
struct GraphObject;

// An exception of a program on its way through C++, which knows the code of tf.errors' classes by
// it. Comes out as the same object.
class ProgramError : public Error {
 public:
  explicit ProgramError(nb::handle exception);
  [[noreturn]] void raise_again() const;
  nb::object exception() const;

 private:
  std::shared_ptr<void> exception_;
};

// The object of an exception, made where only its class and arguments are there yet.
nb::object exception_object(nb::python_error& error);

// Calls a program from C++, which may be without the interpreter's lock.
template <class F>
decltype(auto) in_program(F&& call) {
  const WithLock gil;
  try {
    return or_stay(call);
  } catch (nb::python_error& error) {
    throw ProgramError(exception_object(error));
  }
}

// Calls C++ that runs steps, waits or calls the program back; it lets the interpreter's lock go
// where it waits. What the program did wrong is a RuntimeError or ValueError; what a step failed
// with is one of tf.errors.
[[noreturn]] void raise_in_program(GraphObject* graph);  // what is being handled
template <class F>
decltype(auto) without_lock(F&& call, GraphObject* graph = nullptr) {
  try {
    return or_stay(std::forward<F>(call));
  } catch (...) {
    raise_in_program(graph);
  }
}

// Makes what waits in C++ let the interpreter's lock go.
void share_lock();

}  // namespace rill::python

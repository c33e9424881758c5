#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <utility>

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

// Calls into a program from C++ that does not hold the interpreter's lock.
template <class F>
decltype(auto) in_program(F&& call) {
  const nb::gil_scoped_acquire gil;
  try {
    return call();
  } catch (nb::python_error& error) {
    throw ProgramError(error.value());
  }
}

// Calls into C++ that runs steps, waits or calls the program back. What the program did wrong is a
// RuntimeError or ValueError; what a step failed with is one of tf.errors.
[[noreturn]] void raise_in_program(GraphObject* graph);  // what is being handled
template <class F>
decltype(auto) without_lock(F&& call, GraphObject* graph = nullptr) {
  try {
    const nb::gil_scoped_release release;
    return std::forward<F>(call)();
  } catch (...) {
    raise_in_program(graph);
  }
}

}  // namespace rill::python

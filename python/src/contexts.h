#pragma once

#include <nanobind/nanobind.h>

#include <functional>

namespace rill::python {

namespace nb = nanobind;

// What `with` needs: both functions are called with the GIL held, `exit` at most once per `enter`,
// whatever the program calls.
struct ContextObject {
  std::function<nb::object()> enter;
  std::function<void()> exit;
  int entered = 0;
  bool enforce_nesting = true;  // programs set it; contexts are left in any order
};

nb::object make_context(std::function<nb::object()> enter, std::function<void()> exit);
void bind_contexts(nb::module_& m);

}  // namespace rill::python

#include "contexts.h"

namespace rill::python {

nb::object make_context(std::function<nb::object()> enter, std::function<void()> exit) {
  return nb::cast(ContextObject{std::move(enter), std::move(exit)});
}

void bind_contexts(nb::module_& m) {
  nb::class_<ContextObject>(m, "Context")
      .def_rw("enforce_nesting", &ContextObject::enforce_nesting)
      .def("__enter__", [](ContextObject& c) { return c.enter(); })
      .def("__exit__", [](ContextObject& c, nb::args) { c.exit(); });
}

}  // namespace rill::python

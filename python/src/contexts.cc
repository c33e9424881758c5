#include "contexts.h"

#include "errors.h"

namespace rill::python {
namespace {

nb::object enter_context(ContextObject& context) {
  nb::object value = context.enter();
  ++context.entered;
  return value;
}

void leave_context(ContextObject& context) {
  if (context.entered == 0)
    throw_python(PyExc_RuntimeError, "a context was left that had not been entered");
  --context.entered;
  context.exit();
}

}  // namespace

nb::object make_context(std::function<nb::object()> enter, std::function<void()> exit) {
  return nb::cast(ContextObject{std::move(enter), std::move(exit)});
}

void bind_contexts(nb::module_& m) {
  nb::class_<ContextObject>(m, "Context")
      .def_rw("enforce_nesting", &ContextObject::enforce_nesting)
      .def("__enter__", enter_context)
      .def("__exit__", [](ContextObject& c, nb::args) { leave_context(c); });
}

}  // namespace rill::python

#pragma once

#include <nanobind/nanobind.h>

namespace rill::python {

namespace nb = nanobind;

// The Python object that owns what this is a part of. It may be gone: a copy of it that a program
// made lives on with the same parts.
class WeakSelf {
 public:
  explicit WeakSelf(nb::handle object) : ref_(nb::steal(PyWeakref_NewRef(object.ptr(), nullptr))) {
    if (!ref_.is_valid()) throw nb::python_error();
  }
  nb::object get() const { return nb::borrow(PyWeakref_GetObject(ref_.ptr())); }  // None when gone

  // The method that the object's class has in place of that of `base`; else not valid.
  nb::object overridden(const char* name, nb::handle base) const {
    const nb::object object = get();
    if (object.is_none()) return {};
    if (nb::object(object.type().attr(name)).is(nb::object(base.attr(name)))) return {};
    return object.attr(name);
  }

 private:
  nb::object ref_;
};

}  // namespace rill::python

#pragma once

#include <nanobind/nanobind.h>

#include <memory>

#include "interpreter_lock.h"
#include "plain_values.h"

namespace rill::python {

namespace nb = nanobind;

// Objects of programs inside structures of C++, which may let them go from any thread.
inline std::shared_ptr<void> keep(nb::handle object) {
  return {new nb::object(nb::borrow(object)),
          [](void* held) { if_interpreter_lives([&] { delete static_cast<nb::object*>(held); }); }};
}
inline nb::object kept(const std::shared_ptr<void>& foreign) {
  return foreign ? *static_cast<nb::object*>(foreign.get()) : nb::object(nb::none());
}

// A member of a Python enumeration, or its number; None is the first.
template <class Enum>
Enum enum_of(nb::handle value) {
  if (value.is_none()) return static_cast<Enum>(0);
  return static_cast<Enum>(
      small_integer_of(nb::hasattr(value, "value") ? value.attr("value") : nb::borrow(value)));
}

}  // namespace rill::python

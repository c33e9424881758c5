#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>

#include "call.h"
#include "plain_values.h"
#include "program_error.h"

namespace rill::python {

namespace nb = nanobind;

// Numbers of steps and seconds as programs give them, NumPy's included; None: none.
inline std::int64_t step_number(nb::handle value) { return integer_of(nb::int_(value)); }
inline std::optional<std::int64_t> steps(nb::handle value) {
  if (value.is_none()) return {};
  return step_number(value);
}
inline std::optional<double> seconds(nb::handle value) {
  if (value.is_none()) return {};
  return number_of(nb::float_(value));
}

// Called by C++ that waits, so that the program can be interrupted.
inline void check_signals_in_program() {
  in_program([] {
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
  });
}

inline nb::object tensor_or_none(Output tensor) { return tensor.node ? give(tensor) : nb::none(); }

}  // namespace rill::python

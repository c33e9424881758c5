#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>

namespace rill::python {

namespace nb = nanobind;

nb::object dimension_object(std::int64_t value);  // negative: unknown
bool is_dimension(nb::handle value);
// What a Dimension, an integer or None stands for: -1 is unknown. Raises TypeError or ValueError.
std::int64_t as_dimension(nb::handle value);

void bind_dimension(nb::module_& m);

}  // namespace rill::python

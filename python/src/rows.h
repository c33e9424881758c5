#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "rill/graph/grad_ctx.h"

namespace rill::python {

namespace nb = nanobind;

// IndexedSlices, where `value` is one.
std::optional<IndexedSlices> rows_of(nb::handle value);

}  // namespace rill::python

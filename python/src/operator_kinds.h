#pragma once

#include <string>

#include "objects.h"
#include "rill/api/linalg/linear_operator.h"

namespace rill::python {

// The operator that a Python object is.
linalg::OperatorRef operator_of(nb::handle object);
bool is_operator(nb::handle object);

std::optional<bool> hint_of(nb::handle value);
nb::object hint_object(std::optional<bool> hint);

// The operator called `kind` with the arguments of its Python class.
linalg::OperatorRef make_operator(const std::string& kind, const nb::dict& arguments);

}  // namespace rill::python

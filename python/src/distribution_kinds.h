#pragma once

#include <memory>
#include <string>

#include "objects.h"
#include "rill/api/distributions/distribution.h"

namespace rill::python {

// The distribution called `kind` with the arguments of its Python class.
std::shared_ptr<distributions::Distribution> make_distribution(const std::string& kind,
                                                               const nb::dict& arguments);

}  // namespace rill::python

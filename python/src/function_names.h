#pragma once

#include <string_view>

namespace rill::python {

// What TensorFlow's function at a public path calls itself (`__name__`, "linalg.inv":
// matrix_inverse); where nothing else is known, the end of the path.
std::string_view function_own_name(std::string_view path);

}  // namespace rill::python

#pragma once

#include <string>

#include "rill/graph/node.h"

namespace rill {

// How TensorFlow's messages write things; tests compare these texts with TensorFlow's.
std::string shape_text(const PartialShape& shape);  // "(2, ?)", "<unknown>"
std::string dtype_text(DType dtype);                // "float32", "string", "float32_ref"
std::string tensor_text(const Output& output);      // Tensor("x:0", shape=(2,), dtype=float32)

// A value as people write it: texts without quotes, other values as NumPy shows them.
std::string value_text(const Tensor& value);

}  // namespace rill

#pragma once

#include <iosfwd>

#include "rill/graph/node.h"
#include "rill/tensor/tensor.h"

namespace rill {

// As Python prints them: a tensor's elements as NumPy shows an array, an output as
// Tensor("add:0", shape=(?, 2), dtype=float32), shapes as (?, 2), types by their names.
std::ostream& operator<<(std::ostream& out, const Tensor& tensor);
std::ostream& operator<<(std::ostream& out, const Output& output);
std::ostream& operator<<(std::ostream& out, const Node& operation);
std::ostream& operator<<(std::ostream& out, const Shape& shape);
std::ostream& operator<<(std::ostream& out, const PartialShape& shape);
std::ostream& operator<<(std::ostream& out, DType type);

}  // namespace rill

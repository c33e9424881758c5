#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "rill/tensor/tensor.h"

namespace rill {

// A plain value of the program's language, not yet of a tensor's type.
using Number = std::variant<bool, std::int64_t, double, std::string>;

DType natural_type(const Number& number);  // bool, int32 (int64 when too large), float or string

// Stores `number` as element i. Throws InvalidArgument ("Expected int32, got 2.5 of type
// 'float' instead.") when the tensor's type cannot hold it without loss of meaning.
void store_number(const Tensor& tensor, std::size_t i, const Number& number);

// The name that Python shows for a type: "float32", "string".
std::string python_name(DType type);

}  // namespace rill

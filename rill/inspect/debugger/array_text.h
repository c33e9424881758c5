#pragma once

#include <string>
#include <vector>

#include "rill/tensor/tensor.h"

namespace rill::debugger {

// Where an element stands in the lines of an array.
struct ElementPlace {
  std::size_t line, begin, end;  // columns
  std::size_t element;           // flat index
};

struct ArrayText {
  std::vector<std::string> lines;
  std::vector<ElementPlace> places;
};

// NumPy's repr of an array, "array([[1., 2.]], dtype=float32)"; where it has more than `threshold`
// elements only the corners are shown.
ArrayText array_repr(const Tensor& tensor, std::int64_t threshold);

// NumPy's name of the type: "float32", "object" for strings.
std::string numpy_type(DType dtype);
// "(2, 3)", "(2,)", "()".
std::string shape_text(const Shape& shape);

// The table of what kinds of elements there are, and least, greatest, mean and deviation.
std::vector<std::string> numeric_summary(const Tensor& tensor);

// Writes the array as NumPy's .npy file; returns how many bytes.
std::int64_t save_npy(const Tensor& tensor, const std::string& path);

}  // namespace rill::debugger

#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "rill/graph/scope.h"

namespace rill {

// A shape as functions take it: a tensor that is a vector of int32 or int64, or a list of numbers,
// which becomes int32 unless the op wants int64 or a dimension is too large for int32; it is int64
// then, also where int32 was asked for.
class ShapeInput : public Input {
 public:
  using Input::Input;
  ShapeInput() : ShapeInput(std::span<const std::int64_t>()) {}  // {}: of a scalar
  ShapeInput(Input input) : Input(std::move(input)) {}
  ShapeInput(const std::vector<std::int64_t>& dims) : ShapeInput(std::span(dims)) {}
  ShapeInput(std::initializer_list<std::int64_t> dims)
      : ShapeInput(std::span(dims.begin(), dims.size())) {}
  ShapeInput(std::span<const std::int64_t> dims);
  ShapeInput(const Shape& shape) : ShapeInput(shape.dims()) {}
};

// A shape of which {} is that of a scalar, as Python's [] is.
class GivenShape : public PartialShape {
 public:
  GivenShape() : PartialShape(scalar()) {}
  GivenShape(std::initializer_list<std::int64_t> dims) : PartialShape(dims) {}
  GivenShape(const Shape& shape) : PartialShape(shape) {}
  GivenShape(const PartialShape& shape) : PartialShape(shape) {}
};

// The shape that a vector of int32 or int64 describes; a number is a shape of one dimension. Throws
// InvalidArgument otherwise.
Shape shape_of_value(const Tensor& dims);

}  // namespace rill

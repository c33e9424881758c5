#pragma once

#include <concepts>
#include <initializer_list>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <vector>

#include "rill/api/core/default_graph.h"
#include "rill/graph/filled.h"

namespace rill {

struct PlaceholderOptions {
  std::string name = {};
};
// A tensor whose value is fed to every run; one that is needed and not fed fails the step with
// InvalidArgument. The default shape is unknown; a dimension is tf::None where any size may come,
// and what is fed must fit.
Output placeholder(DType dtype, const PartialShape& shape = PartialShape(),
                   const PlaceholderOptions& options = {},
                   std::source_location at = std::source_location::current());

// {} is a scalar, as Python's [].
inline Output placeholder(DType dtype, std::initializer_list<std::int64_t> shape,
                          const PlaceholderOptions& options = {},
                          std::source_location at = std::source_location::current()) {
  return placeholder(dtype, PartialShape(shape), options, at);
}

struct ConstantOptions {
  DType dtype = DType::invalid;     // invalid: as the value
  std::optional<Shape> shape = {};  // the value's last element is repeated to fill it
  std::string name = {};
};
// A value that is part of the graph and of its GraphDef. Throws InvalidArgument when the value has
// more elements than the shape, cannot be of the dtype, or is a tensor already. An empty name is
// "Const".
Output constant(const Input& value, const ConstantOptions& options = {},
                std::source_location at = std::source_location::current());
// A number that is an int64 in the program is one in the graph.
template <std::same_as<std::int64_t> T>
Output constant(T value, const ConstantOptions& options = {},
                std::source_location at = std::source_location::current()) {
  if (options.dtype != DType::invalid) return constant(Input(value), options, at);
  return constant(Input(Tensor::scalar(value)), options, at);
}
// A vector of that type: constant<std::int64_t>({1, 2}).
template <class T>
Output constant(std::initializer_list<std::type_identity_t<T>> values,
                const ConstantOptions& options = {},
                std::source_location at = std::source_location::current()) {
  return constant(Input(Tensor::vector<T>(values)), options, at);
}

struct NoOpOptions {
  std::string name = {};
};
// Does nothing; useful with control dependencies.
Node& no_op(const NoOpOptions& options = {},
            std::source_location at = std::source_location::current());

// The dimensions as a vector of int32, the type that ops take shapes in by default, or of int64
// where one is too large.
Tensor shape_tensor(const Shape& shape);

}  // namespace rill

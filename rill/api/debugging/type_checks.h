#pragma once

#include <source_location>
#include <string>
#include <vector>

#include "rill/api/core/default_graph.h"

namespace rill::debugging {

struct TypeCheckOptions {
  std::string message = {};
  std::string name = {};
};
// Types are known while the graph is built: these throw InvalidArgument, a type error, at once; the
// operation that they return does nothing.
Node& assert_integer(const Input& x, const TypeCheckOptions& options = {},
                     std::source_location at = std::source_location::current());
Node& assert_type(const Input& tensor, DType type, const TypeCheckOptions& options = {},
                  std::source_location at = std::source_location::current());

// Of an integer, floating-point, complex or quantised type; bool and string are not.
bool is_numeric_tensor(Output tensor);
// The one floating-point type of all `tensors`, or float32 where there are none and `dtype` is not
// given. Throws InvalidArgument when they differ or are no floating-point types.
DType assert_same_float_dtype(const std::vector<Output>& tensors, DType dtype = DType::invalid);

}  // namespace rill::debugging

namespace rill {
using debugging::assert_integer;
using debugging::assert_same_float_dtype;
using debugging::assert_type;
using debugging::is_numeric_tensor;
}  // namespace rill

#include "rill/api/keras/backend_parts.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/keras/backend.h"
#include "rill/api/math/casts.h"
#include "rill/base/error.h"

namespace rill::keras::parts {

Input dim_of(Output x, int axis) {
  const PartialShape shape = x.shape();
  const int place = shape.has_rank() ? canonical_axis(axis, shape.rank()) : axis;
  if (shape.has_rank() && shape.dim(place) >= 0) return shape.dim(place);
  return rill::parts::item(rill::shape(x), axis);
}

Input dims(const Inputs& sizes) { return rill::parts::list_of(sizes); }

Output reshape_to(Output x, const Inputs& sizes) {
  return raw::Reshape(x, as_tensor(dims(sizes), "Reshape/shape", DType::i32));
}

Output permuted(Output x, const std::vector<std::int64_t>& order) {
  return transpose(x, {.perm = rill::parts::ints(order)});
}

Output tensor(const Input& x) { return as_tensor(x); }

Output number(double value, Output like) {
  return rill::cast(as_tensor(value, "Const", DType::f64), base_type(like.dtype()));
}

bool is_channels_first(const std::string& data_format) {
  const std::string& format = data_format.empty() ? backend::image_data_format() : data_format;
  require(format == "channels_first" || format == "channels_last", "Unknown data_format: ", format);
  return format == "channels_first";
}

int axis_in(int axis, Output x) {
  const int rank = x.shape().rank();
  return rank < 0 ? axis : canonical_axis(axis, rank);
}

std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  require(!__builtin_mul_overflow(a, b, &result), "sizes too large: ", a, " times ", b);
  return result;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  require(!__builtin_add_overflow(a, b, &result), "sizes too large: ", a, " and ", b);
  return result;
}

}  // namespace rill::keras::parts

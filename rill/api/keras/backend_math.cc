#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/keras/backend.h"
#include "rill/api/keras/backend_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/norms.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/random/random_ops.h"
#include "rill/api/train/moving_averages.h"
#include "rill/base/error.h"

namespace rill::keras::backend {

using namespace parts;

Output dot(const Input& x_in, const Input& y_in, std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in), y = tensor(y_in);
  const int x_rank = x.shape().rank(), y_rank = y.shape().rank();
  if (x_rank < 0 || y_rank < 0 || (x_rank <= 2 && y_rank <= 2)) return matmul(x, y);
  return tensordot(x, y, TensordotAxes({x_rank - 1}, {std::max(y_rank - 2, 0)}));
}

namespace {

// The tensor with one axis moved to `target`, the examples first.
Output with_axis_at(Output x, int axis, int target) {
  const int rank = x.shape().rank();
  std::vector<std::int64_t> order;
  for (int i = 0; i < rank; ++i)
    if (i != axis) order.push_back(i);
  order.insert(order.begin() + target, axis);
  bool same = true;
  for (int i = 0; i < rank; ++i) same = same && order[i] == i;
  return same ? x : permuted(x, order);
}

}  // namespace

Output batch_dot(const Input& x_in, const Input& y_in, std::optional<std::pair<int, int>> axes,
                 std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in), y = tensor(y_in);
  const int x_rank = x.shape().rank(), y_rank = y.shape().rank();
  require(x_rank >= 2 && y_rank >= 2,
          "Cannot do batch_dot on inputs with rank < 2. Received inputs with shapes ", x.shape(),
          " and ", y.shape(), ".");
  if (!axes) axes = {x_rank - 1, y_rank == 2 ? 1 : y_rank - 2};
  const int x_axis = canonical_axis(axes->first, x_rank),
            y_axis = canonical_axis(axes->second, y_rank);
  require(x_axis != 0 && y_axis != 0, "Cannot perform batch_dot over axis 0.");
  const Output left = with_axis_at(x, x_axis, x_rank - 1), right = with_axis_at(y, y_axis, 1);
  std::vector<Input> result{dim_of(left, 0)};
  for (int i = 1; i + 1 < x_rank; ++i) result.push_back(dim_of(left, i));
  for (int i = 2; i < y_rank; ++i) result.push_back(dim_of(right, i));
  const Input depth = dim_of(left, x_rank - 1);
  const Output a = x_rank == 3 ? left : reshape_to(left, {dim_of(left, 0), -1, depth});
  const Output b = y_rank == 3 ? right : reshape_to(right, {dim_of(right, 0), depth, -1});
  const Output product = raw::BatchMatMulV2(a, b);
  if (x_rank == 3 && y_rank == 3) return product;
  if (result.size() == 1) result.push_back(1);
  return reshape_to(product, result);
}

Output l2_normalize(const Input& x, std::optional<int> axis, std::source_location at) {
  return axis ? math::l2_normalize(x, {.axis = Input(*axis)}, at) : math::l2_normalize(x, {}, at);
}

Output batch_flatten(const Input& x, std::source_location at) {
  const MadeAt place(at);
  const Output t = tensor(x);
  const PartialShape shape = t.shape();
  std::int64_t rest = 1;
  for (int i = 1; shape.has_rank() && i < shape.rank(); ++i)
    rest = rest < 0 || shape.dim(i) < 0 ? -1 : product(rest, shape.dim(i));
  if (shape.has_rank() && rest >= 0) return reshape_to(t, {-1, rest});
  return reshape_to(t, {dim_of(t, 0), -1});
}

Output repeat(const Input& x, std::int64_t n, std::source_location at) {
  const MadeAt place(at);
  return raw::Tile(expand_dims(x, 1), rill::parts::ints({1, n, 1}));
}

Output repeat_elements(const Input& x_in, std::int64_t rep, int axis, std::source_location at) {
  const MadeAt place(at);
  const Output x = tensor(x_in);
  const int rank = x.shape().rank(), along = canonical_axis(axis, rank);
  std::vector<std::int64_t> multiples(rank + 1, 1);
  multiples[along + 1] = rep;
  const Output tiled = raw::Tile(expand_dims(x, along + 1), rill::parts::ints(multiples));
  std::vector<Input> result;
  for (int i = 0; i < rank; ++i) {
    if (i != along) {
      result.push_back(dim_of(x, i));
    } else if (x.shape().dim(i) >= 0) {
      result.push_back(x.shape().dim(i) * rep);
    } else {
      result.push_back(rill::parts::times(dim_of(x, i), rep));
    }
  }
  return reshape_to(tiled, result);
}

Output dropout(const Input& x_in, double rate, const OptionalInput& noise_shape,
               std::optional<std::int64_t> seed, std::source_location at) {
  const Block in("", "dropout", at);
  const Output x = tensor(x_in);
  require(rate >= 0 && rate < 1,
          "rate must be a scalar tensor or a float in the range [0, 1), got ", rate);
  if (rate == 0) return x;
  const DType dtype = base_type(x.dtype());
  const Output noise =
      random_uniform(noise_shape ? ShapeInput(*noise_shape) : ShapeInput(rill::shape(x)),
                     {.dtype = dtype, .seed = seed});
  const Output kept = raw::GreaterEqual(noise, number(rate, x));
  const Output scaled = x * (1.0 / (1.0 - rate));
  const Output result = scaled * rill::cast(kept, dtype);
  default_graph()->refine_shape(result, x.shape());
  return result;
}

Output batch_normalization(const Input& x_in, const Input& mean, const Input& variance,
                           const OptionalInput& beta, const OptionalInput& gamma, int axis,
                           double fuzz, std::source_location at) {
  const Block in("", "batchnorm", at);
  const Output x = tensor(x_in);
  const int rank = x.shape().rank();
  const auto spread = [&](const Input& value) {
    const Output t = tensor(value);
    if (rank < 0 || t.shape().rank() != 1 || canonical_axis(axis, rank) == rank - 1) return t;
    std::vector<Input> sizes(rank, 1);
    sizes[canonical_axis(axis, rank)] = -1;
    return reshape_to(t, sizes);
  };
  const Output middle = spread(mean);
  Output scale = raw::Rsqrt(spread(variance) + fuzz);
  if (gamma) scale = scale * spread(*gamma);
  const Output offset = beta ? spread(*beta) - middle * scale : -(middle * scale);
  return x * scale + offset;
}

Output moving_average_update(const Variable& x, const Input& value, double momentum,
                             std::source_location at) {
  return train::assign_moving_average(x, value, momentum, {.zero_debias = true}, at);
}

}  // namespace rill::keras::backend

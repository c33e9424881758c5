#include <algorithm>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/products.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"

namespace rill {
namespace {

using namespace math_parts;
using Numbers = std::vector<std::int64_t>;

// A tensor as a matrix: free dimensions on one side, those that are summed over on the other.
struct Flattened {
  Output matrix;
  Numbers free_dims;  // their sizes, -1 where unknown
  bool is_static = false;
  Output free_sizes;  // where some are not known
  bool has_rank = true;
};

bool contains_axis(const Numbers& list, std::int64_t value) {
  return std::ranges::find(list, value) != list.end();
}

Numbers resolved(const Numbers& axes, int rank) {
  Numbers result;
  for (const std::int64_t axis : axes) result.push_back(axis >= 0 ? axis : axis + rank);
  return result;
}

Numbers free_axes(int rank, const Numbers& axes) {
  Numbers free;
  for (int i = 0; i < rank; ++i)
    if (!contains_axis(axes, i)) free.push_back(i);
  return free;
}

Numbers joined(Numbers a, const Numbers& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Numbers sizes_of(const PartialShape& shape, const Numbers& axes) {
  Numbers sizes;
  for (const std::int64_t axis : axes) sizes.push_back(shape[static_cast<int>(axis)]);
  return sizes;
}

std::int64_t product(const Numbers& sizes) {
  Shape shape;
  for (const std::int64_t size : sizes) shape.add_dim(size);
  return shape.element_count();
}

bool is_in_order(const Numbers& perm) {
  for (std::size_t i = 0; i < perm.size(); ++i)
    if (perm[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}

Output transposed(Output x, const Numbers& perm) {
  if (is_in_order(perm)) return x;
  return raw::Transpose(x, Input(int_vector(perm)), {.name = "transpose"});
}

Flattened flatten_known(Output x, const Numbers& given, bool axes_first) {
  const int rank = x.shape().rank();
  const Numbers axes = resolved(given, rank);
  for (const std::int64_t axis : axes)
    require(axis >= 0 && axis < rank, "axis ", axis, " is outside of a tensor of rank ", rank);
  const Numbers free = free_axes(rank, axes);
  Flattened result;
  result.free_dims = sizes_of(x.shape(), free);
  result.is_static = true;
  const std::int64_t outer = product(result.free_dims);
  const std::int64_t inner = product(sizes_of(x.shape(), axes));
  const Numbers shape = axes_first ? Numbers{inner, outer} : Numbers{outer, inner};
  const Output turned = transposed(x, axes_first ? joined(axes, free) : joined(free, axes));
  const auto dims = turned.shape().dims();
  result.matrix =
      std::ranges::equal(dims, shape) ? turned : raw::Reshape(turned, Input(int_vector(shape)));
  return result;
}

Output sizes_at(Output shape, Output axes) {
  return raw::GatherV2(shape, axes, Input(Tensor::scalar<std::int32_t>(0)));
}

// The same where shapes or axes are known only when the graph runs.
Flattened flatten_unknown(Output x, const DotAxes& given, bool axes_first) {
  Flattened result;
  result.has_rank = x.shape().has_rank() && !given.is_tensor();
  Output axes, free, shape;
  if (result.has_rank) {
    const Numbers known = resolved(given.numbers, x.shape().rank());
    const Numbers others = free_axes(x.shape().rank(), known);
    result.free_dims = sizes_of(x.shape(), others);
    axes = current_scope().constant(int_vector(known), "axes");
    free = current_scope().constant(int_vector(others), "free");
    shape = rill::shape(x);
  } else {
    shape = rill::shape(x);
    const Output rank = rill::rank(x);
    axes = given.is_tensor() ? given.tensor
                             : current_scope().constant(int_vector(given.numbers), "axes");
    const Output from_start = raw::GreaterEqual(axes, 0);
    axes = raw::Select(from_start, axes, operators::add(axes, rank, {}));
    free = raw::ListDiff(raw::Range(0, rank, 1, {.name = "range"}), axes).out;
  }
  result.free_sizes = sizes_at(shape, free);
  const Output summed = sizes_at(shape, axes);
  const Output outer = reduce_prod(result.free_sizes);
  const Output inner = reduce_prod(summed);
  const auto pair = [&](Output a, Output b) { return std::vector<Input>{a, b}; };
  const Output perm =
      raw::ConcatV2(axes_first ? pair(axes, free) : pair(free, axes), 0, {.name = "concat"});
  const Output sizes =
      raw::Pack(axes_first ? pair(inner, outer) : pair(outer, inner), {.name = "stack"});
  const Output turned = raw::Transpose(x, perm, {.name = "transpose"});
  result.matrix = raw::Reshape(turned, sizes);
  return result;
}

Flattened flatten(Output x, const DotAxes& axes, bool axes_first) {
  return x.shape().is_full() && !axes.is_tensor() ? flatten_known(x, axes.numbers, axes_first)
                                                  : flatten_unknown(x, axes, axes_first);
}

Output sizes_tensor(const Flattened& f) {
  return f.is_static ? as_tensor(Input(int_vector(f.free_dims))) : f.free_sizes;
}

}  // namespace

std::pair<DotAxes, DotAxes> TensordotAxes::of(Output a) const {
  if (rows_.node != nullptr) {
    const Output of_a = parts::item(rows_, 0);
    return {{.tensor = of_a}, {.tensor = parts::item(rows_, 1)}};
  }
  if (count_ < 0) {
    require(a_.size() == b_.size(), "Different number of contraction axes `a` and `b`, ", a_.size(),
            " != ", b_.size(), ".");
    return {{.numbers = a_}, {.numbers = b_}};
  }
  const int rank = a.shape().rank();
  const auto count = static_cast<int>(count_);
  if (rank < 0) {
    const Output end = rill::rank(a);
    const Output of_a = range(operators::sub(end, count, {}), end);
    return {{.tensor = of_a}, {.tensor = range(count)}};
  }
  require(count <= rank, "`axes` must not be larger than the number of dimensions of tensor ", a,
          ".  Received `axes`=", count, ", vs tensor dimensions ", rank, ".");
  DotAxes of_a, of_b;
  for (int i = 0; i < count; ++i) {
    of_a.numbers.push_back(rank - count + i);
    of_b.numbers.push_back(i);
  }
  return {of_a, of_b};
}

Output tensordot(const Input& first, const Input& second, const TensordotAxes& axes,
                 const TensordotOptions& options, std::source_location at) {
  const Block in(options.name, "Tensordot", at);
  const Output a = as_tensor(first, "a"), b = as_tensor(second, "b");
  const auto [a_axes, b_axes] = axes.of(a);
  const Flattened left = flatten(a, a_axes, false);
  const Flattened right = flatten(b, b_axes, true);
  const Output product = matmul(left.matrix, right.matrix);
  if (left.is_static && right.is_static) {
    const Numbers shape = joined(left.free_dims, right.free_dims);
    if (std::ranges::equal(product.shape().dims(), shape)) return product;
    return raw::Reshape(product, Input(int_vector(shape)), {.name = in.own_name()});
  }
  const Output left_sizes = sizes_tensor(left);
  const Output right_sizes = sizes_tensor(right);
  const Output shape = raw::ConcatV2({left_sizes, right_sizes}, 0, {.name = "concat"});
  const Output result = raw::Reshape(product, shape, {.name = in.own_name()});
  if (left.has_rank && right.has_rank)
    default_graph()->refine_shape(
        result,
        PartialShape(std::span<const std::int64_t>(joined(left.free_dims, right.free_dims))));
  return result;
}

}  // namespace rill

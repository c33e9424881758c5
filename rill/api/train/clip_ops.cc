#include "rill/api/train/clip_ops.h"

#include "rill/api/array/shapes.h"
#include "rill/api/core/basic_ops.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/gen/nn.h"
#include "rill/api/train/parts.h"
#include "rill/graph/builders.h"

namespace rill {
namespace {

using train::add;
using train::mul;
using train::sub;
using train::truediv;

Output values_of(const Gradient& t) { return t.is_slices() ? t.slices().values : t.dense(); }

Gradient with_values(const Gradient& t, Output values) {
  if (!t.is_slices()) return values;
  return IndexedSlices{values, t.slices().indices, t.slices().dense_shape};
}

Tensor numbers_up_to(int count) {
  Tensor numbers(DType::i32, {count});
  for (int i = 0; i < count; ++i) numbers.data<std::int32_t>()[i] = i;
  return numbers;
}

// All axes of `x`, as reduce_sum names them where none are given.
Output all_axes(Output x) {
  if (x.shape().has_rank()) return constant(Input(numbers_up_to(x.shape().rank())));
  return raw::Range(0, raw::Rank(x), 1, {.name = "range"});
}

Output clipped(Output values, const Input& clip_norm, const OptionalInput& axes,
               const std::string& own_name) {
  const Output squares = mul(values, values);
  const Output sum = axes ? [&] {
    const Block in("", "Sum", std::source_location::current());
    const Output given = as_tensor(*axes, "reduction_indices");
    return raw::Sum(squares, given, {.keep_dims = true, .name = in.own_name()});
  }() : raw::Sum(squares, all_axes(squares), {.keep_dims = true});
  // Zeros have no derivative at their square root: it is taken of ones there, and not used.
  const Output is_positive = raw::Greater(sum, 0);
  const Output safe_sum = raw::Select(is_positive, sum, ones_like(sum));
  const Output norm = raw::Select(is_positive, raw::Sqrt(safe_sum), sum);
  const Output scaled = mul(values, clip_norm);
  require(values.shape().is_compatible(scaled.shape()), "Shapes ", values.shape(), " and ",
          scaled.shape(), " are not compatible");
  const Output result = truediv(scaled, raw::Maximum(norm, clip_norm));
  return raw::Identity(result, {.name = own_name});
}

Output element_count(Output x) {
  if (x.shape().is_full())
    return constant(static_cast<int>(x.shape().full().element_count()), {.name = "Size"});
  return raw::Size(x);
}

}  // namespace

Gradient clip_by_norm(const Gradient& t, const Input& clip_norm, const ClipByNormOptions& options,
                      std::source_location at) {
  const Block in(options.name, "clip_by_norm", at);
  return with_values(t, clipped(values_of(t), clip_norm, options.axes, in.own_name()));
}

Output clip_by_norm(const Input& t, const Input& clip_norm, const ClipByNormOptions& options,
                    std::source_location at) {
  const Block in(options.name, "clip_by_norm", at);
  return clipped(as_tensor(t, "t"), clip_norm, options.axes, in.own_name());
}

Output clip_by_average_norm(const Input& t, const Input& clip_norm, const ClipOptions& options,
                            std::source_location at) {
  const Block in(options.name, "clip_by_average_norm", at);
  const Output values = as_tensor(t, "t");
  const Output count = train::cast_in_block(element_count(values), DType::f32);
  const Output squares = mul(values, values);
  const Output rank = values.shape().has_rank() ? constant(values.shape().rank(), {.name = "Rank"})
                                                : raw::Rank(values);
  const Output inverse_norm =
      raw::Rsqrt(raw::Sum(squares, raw::Range(0, rank, 1, {.name = "range"})));
  const Output scaled = mul(values, clip_norm);
  const Output average = mul(inverse_norm, count);
  const Output limit = truediv(constant(1.0), clip_norm);
  return raw::Identity(mul(scaled, raw::Minimum(average, limit)), {.name = in.own_name()});
}

Output global_norm(const std::vector<Gradient>& t_list, const ClipOptions& options,
                   std::source_location at) {
  const Block in(options.name, "global_norm", at);
  std::vector<Input> halves;
  for (const Gradient& t : t_list) {
    if (t.empty()) continue;
    const ColocateWith beside(*values_of(t).node);
    halves.emplace_back(raw::L2Loss(values_of(t)));
  }
  const Output all = raw::Pack(halves, {.name = "stack"});
  const Output half = raw::Sum(all, all_axes(all));
  const Output two = constant(2.0, {.dtype = base_type(half.dtype())});
  return raw::Sqrt(mul(half, two), {.name = "global_norm"});
}

std::pair<std::vector<Gradient>, Output> clip_by_global_norm(const std::vector<Gradient>& t_list,
                                                             const Input& clip_norm,
                                                             const ClipByGlobalNormOptions& options,
                                                             std::source_location at) {
  std::optional<Output> norm;
  if (!options.use_norm) norm = global_norm(t_list, {.name = options.name}, at);
  const Block in(options.name, "clip_by_global_norm", at);
  if (!norm) norm = as_tensor(*options.use_norm, "use_norm");
  const Output inverse = truediv(1.0, *norm);
  const Output one = constant(1.0, {.dtype = base_type(norm->dtype())});
  const Output limit = truediv(one, clip_norm);
  const Output finite_scale = mul(clip_norm, raw::Minimum(inverse, limit));
  // Adds nothing, unless the norm is not finite.
  const Output scale = add(finite_scale, sub(*norm, *norm));
  std::vector<Gradient> results;
  for (std::size_t i = 0; i < t_list.size(); ++i) {
    if (t_list[i].empty()) {
      results.emplace_back();
      continue;
    }
    const Output values = values_of(t_list[i]);
    const ColocateWith beside(*values.node);
    const Output scaled = mul(values, scale);
    results.push_back(
        with_values(t_list[i], raw::Identity(scaled, {.name = str_cat(in.own_name(), "_", i)})));
  }
  return {std::move(results), *norm};
}

}  // namespace rill

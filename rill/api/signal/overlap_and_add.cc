#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/core/static_value.h"
#include "rill/api/gen/array.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"
#include "rill/api/math/sequences.h"
#include "rill/api/signal/frames.h"
#include "rill/api/signal/signal_parts.h"

namespace rill::signal {
namespace {

using parts::ints;
using parts::list_of;

// The order of dimensions that exchanges the two in front of the last; `outer` come before.
Input exchange(const Extent& outer) {
  const Output before = range(outer.input());
  const auto rest = [&]() -> Input {
    if (outer.is_known()) return ints({outer.number() + 1, outer.number(), outer.number() + 2});
    return outer.tensor() + Tensor::vector<std::int32_t>({1, 0, 2});
  };
  const Output perm = concat({before, rest()}, 0);
  const std::optional<Tensor> known = static_value(perm);
  return known ? Input(*known) : Input(perm);
}

Input one(const Extent& size) { return list_of({size.input()}); }

}  // namespace

Output overlap_and_add(const Input& input, const Input& frame_step,
                       const OverlapAndAddOptions& options, std::source_location at) {
  const Block in(options.name, "overlap_and_add", at);
  Output x = as_tensor(input, "signal");
  require_rank_at_least(x, 2);
  const Output step_tensor = as_tensor(frame_step, "frame_step");
  require_scalar(step_tensor);
  require(kIntTypes.contains(math_parts::type_of(step_tensor)),
          "frame_step must be an integer. Got <dtype: '",
          numpy_name(math_parts::type_of(step_tensor)), "'>");
  const Extent step = extent_of(step_tensor);
  require(!step.is_known() || step.number() > 0, "frame_step must be positive, got ", step.dim());

  const PartialShape known = x.shape();
  const Output dims = shape(x);
  const bool is_known = known.is_full();
  const auto outer_of = [&]() -> Input {
    if (!is_known) return parts::range_of(dims, {}, -2);
    return ints({known.dims().begin(), known.dims().end() - 2});
  };
  const auto dim = [&](int from_end) -> Extent {
    if (is_known) return known[known.rank() - from_end];
    return parts::item(dims, -from_end);
  };
  const Input outer = outer_of();
  const Extent outer_rank = extent_of(size(outer));
  const Extent length = dim(1), frames = dim(2);
  const auto shaped = [&](const Input& inner) { return concat({outer, inner}, 0); };

  const Extent all = length + step * (frames - 1);
  if (length.is_known() && step.is_known() && length.number() == step.number())
    return raw::Reshape(x, shaped(one(all)), {.name = "fast_path"});

  // Frames are cut into segments as long as the step; each is moved to where it belongs by writing
  // rows of one length and reading them as rows of another.
  const Extent segments = rounded_up_quotient(length, step);
  const Extent missing = segments * step - length;
  const Output around = zeros(list_of({outer_rank.input(), 2}), {.dtype = DType::i32});
  const Input within = list_of({list_of({0, segments.input()}), list_of({0, missing.input()})});
  x = pad(x, concat({around, within}, 0));
  const Extent rows = frames + segments;
  x = raw::Reshape(x, shaped(list_of({rows.input(), segments.input(), step.input()})));
  x = transpose(x, {.perm = exchange(outer_rank)});
  const Extent segment_rows = (frames + segments) * segments;
  x = raw::Reshape(x, shaped(list_of({segment_rows.input(), step.input()})));
  const Extent used = (frames + segments - 1) * segments;
  x = rows_of_last_two(x, used);
  const Extent fewer = frames + segments - 1;
  x = raw::Reshape(x, shaped(list_of({segments.input(), fewer.input(), step.input()})));
  x = reduce_sum(x, {.axis = -3});
  x = raw::Reshape(x, shaped(one((frames + segments - 1) * step)));
  x = first_of_last(x, all);
  if (known.has_rank() && step.is_known()) {
    PartialShape result = PartialShape::scalar();
    for (int i = 0; i + 2 < known.rank(); ++i) result.add_dim(known[i]);
    result.add_dim(all.dim());
    default_graph()->refine_shape(x, result);
  }
  return x;
}

}  // namespace rill::signal

#include "rill/api/array/picking.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/graph/whole_number.h"

namespace rill {

Output gather(const Input& params, const Input& indices, const GatherOptions& options,
              std::source_location at) {
  const Input axis = options.axis.value_or(whole_number(options.batch_dims));
  return raw::GatherV2(params, indices, axis,
                       {.batch_dims = options.batch_dims, .name = options.name}, at);
}

Output where(const Input& condition, const WhereOptions& options, std::source_location at) {
  const Block in(options.name, "Where", at);
  return raw::Where(as_tensor(condition, "condition"), {.name = in.own_name()});
}

Output where(const Input& condition, const Input& x, const Input& y, const WhereOptions& options,
             std::source_location at) {
  return raw::Select(condition, x, y, {.name = options.name}, at);
}

Output where_v2(const Input& condition, const Input& x, const Input& y, const WhereOptions& options,
                std::source_location at) {
  return raw::SelectV2(condition, x, y, {.name = options.name}, at);
}

Output boolean_mask(const Input& tensor, const Input& mask, const BooleanMaskOptions& options,
                    std::source_location at) {
  const Block in(options.name, "boolean_mask", at);
  const Output x = as_tensor(tensor, "tensor"), m = as_tensor(mask, "mask");
  require(m.shape().has_rank(),
          "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. "
          "shape=[None] is ok, but shape=None is not.");
  const std::int64_t count = m.shape().rank();
  require(count != 0, "mask cannot be scalar.");
  const std::optional<std::int64_t> known = parts::known_integer(options.axis.value_or(0));
  require(known.has_value(), "the axis of boolean_mask must be known when the graph is built");
  const std::int64_t axis = *known;
  if (x.shape().has_rank() && axis >= 0)
    for (std::int64_t i = 0; i < count; ++i) {
      require(axis + i < x.shape().rank(), "Shapes ", shape_text(x.shape()), " and ",
              shape_text(m.shape()), " are incompatible");
      const std::int64_t a = x.shape()[static_cast<int>(axis + i)];
      const std::int64_t b = m.shape()[static_cast<int>(i)];
      require(a < 0 || b < 0 || a == b, "Shapes ", shape_text(x.shape()), " and ",
              shape_text(m.shape()), " are incompatible");
    }
  const Output masked_size =
      raw::Prod(parts::range_of(shape(x), axis, axis + count), parts::ints({0}));
  const Output before = parts::range_of(shape(x), {}, axis);
  const Output after = parts::range_of(shape(x), axis + count, {});
  const Output flat = raw::Reshape(x, concat({before, parts::list_of({masked_size}), after}, 0));
  const Output flat_mask = raw::Reshape(m, parts::ints({-1}));
  return gather(flat, squeeze(where(flat_mask), {.axis = {1}}), {.axis = whole_number(axis)});
}

Output one_hot(const Input& indices, const Input& depth, const OneHotOptions& options,
               std::source_location at) {
  const Block in(options.name, "one_hot", at);
  const auto given = [&](const OptionalInput& value) {
    if (!value) return Output();
    return as_tensor(*value, "Const", value->is_value() ? options.dtype : DType::invalid);
  };
  Output on = given(options.on_value), off = given(options.off_value);
  const DType on_type = on.node ? base_type(on.dtype()) : DType::invalid;
  const DType off_type = off.node ? base_type(off.dtype()) : DType::invalid;
  DType dtype = options.dtype;
  require_type(dtype == DType::invalid || !on.node || on_type == dtype, "dtype ",
               numpy_name(on_type), " of on_value does not match dtype parameter ",
               numpy_name(dtype));
  require_type(dtype == DType::invalid || !off.node || off_type == dtype, "dtype ",
               numpy_name(off_type), " of off_value does not match dtype parameter ",
               numpy_name(dtype));
  if (dtype == DType::invalid) dtype = on.node ? on_type : off.node ? off_type : DType::f32;
  if (!on.node) on = as_tensor(1, "on_value", dtype);
  if (!off.node) off = as_tensor(0, "off_value", dtype);
  require_type(base_type(on.dtype()) == base_type(off.dtype()), "dtype ",
               numpy_name(base_type(on.dtype())), " of on_value does not match dtype ",
               numpy_name(base_type(off.dtype())), " of off_value");
  return raw::OneHot(indices, depth, on, off, {.axis = options.axis, .name = in.own_name()});
}

Output sequence_mask(const Input& lengths, const SequenceMaskOptions& options,
                     std::source_location at) {
  const Block in(options.name, "SequenceMask", at);
  const Output counts = as_tensor(lengths);
  Output most;
  if (options.maxlen) {
    most = as_tensor(*options.maxlen);
  } else {
    const Output largest = raw::Max(counts, parts::all_dimensions(counts));
    most = raw::Maximum(as_tensor(0, "Const", base_type(largest.dtype())), largest);
  }
  require(most.shape().rank() <= 0, "maxlen must be scalar for sequence_mask");
  const DType type = base_type(most.dtype());
  const Output zero = as_tensor(0, "Const", type), one = as_tensor(1, "Const", type);
  const Output row = raw::Range(zero, most, one);
  const Output matrix = raw::Cast(expand_dims(counts, -1), type);
  const Output mask = raw::Less(row, matrix);
  if (options.dtype == DType::boolean || options.dtype == DType::invalid) return mask;
  return raw::Cast(mask, options.dtype);
}

}  // namespace rill

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/texts.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/graph/whole_number.h"

namespace rill {
namespace {

// What is to be repeated: the tensor, its shape, and the dimension, which is not negative.
struct Repeated {
  Output data, dims;
  std::int64_t axis;
};

// The data with `count` copies of each element in a new dimension behind the axis.
Output copies(const Repeated& r, Output count) {
  const Output expanded = expand_dims(r.data, whole_number(r.axis + 1));
  std::vector<Input> multiples(static_cast<std::size_t>(expanded.shape().rank()), Input(1));
  multiples[static_cast<std::size_t>(r.axis + 1)] = count;
  return raw::Tile(expanded, parts::list_of(multiples));
}

// `values` in the shape of the data, the axis being `size` long.
Output reshaped_along(const Repeated& r, Output values, const Output& before, const Output& size) {
  const Output after = parts::range_of(r.dims, r.axis + 1, {});
  const Output shape = concat({before, parts::list_of({size}), after}, 0);
  return raw::Reshape(values, shape);
}

Output all_equally(const Repeated& r, Output repeats) {
  const Output count = raw::Reshape(repeats, parts::ints({}));
  const Output tiled = copies(r, count);
  const Output before = parts::range_of(r.dims, {}, r.axis);
  const Output size = parts::times(count, parts::item(r.dims, r.axis));
  return reshaped_along(r, tiled, before, size);
}

Output each_differently(const Repeated& r, Output repeats) {
  const Output given = raw::BroadcastTo(repeats, parts::list_of({parts::item(r.dims, r.axis)}));
  Output counts = given;
  if (r.axis != 0) {
    const Output own_shape = shape(counts);
    const Output before =
        slice(r.dims, {SliceRange{.stop = parts::minus(whole_number(r.axis + 1), rank(counts))}});
    counts = raw::BroadcastTo(counts, concat({before, own_shape}, 0));
  }
  const Output largest = raw::Max(counts, parts::all_dimensions(counts));
  const Output most = raw::Maximum(as_tensor(0, "zero", DType::i32), largest);
  const Output mask = sequence_mask(counts, {.maxlen = most});
  const Output masked = boolean_mask(copies(r, most), mask);
  if (r.axis == 0) return masked;
  const Output size = raw::Sum(given, raw::Range(0, rank(given), 1));
  return reshaped_along(r, masked, parts::range_of(r.dims, {}, r.axis), size);
}

}  // namespace

Output repeat(const Input& input, const Input& repeats, const RepeatOptions& options,
              std::source_location at) {
  const MadeAt place(at);
  const Input values = options.axis ? input : Input(raw::Reshape(input, parts::ints({-1})));
  const Block in(options.name, "Repeat", at);
  Repeated r;
  r.data = as_tensor(values, "data");
  const Output counts = raw::Cast(as_tensor(repeats, "repeats"), DType::i32);
  require(counts.shape().rank() <= 1, "Shape ", shape_text(counts.shape()),
          " must have rank at most 1");
  require(r.data.shape().has_rank(), "tf.repeat needs a tensor of known rank");
  if (r.data.shape().rank() == 0) r.data = expand_dims(r.data, 0);
  r.dims = shape(r.data);
  r.axis = canonical_axis(options.axis.value_or(0), r.data.shape().rank());
  if (counts.shape().element_count() == 1) return all_equally(r, counts);
  if (counts.shape().rank() == 1) {
    const std::int64_t size = r.data.shape()[static_cast<int>(r.axis)];
    require(size < 0 || counts.shape()[0] < 0 || size == counts.shape()[0], "Dimensions ", size,
            " and ", counts.shape()[0], " are not compatible");
  }
  return each_differently(r, counts);
}

}  // namespace rill

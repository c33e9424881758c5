#include "rill/api/nn/ctc_parts.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"

namespace rill::nn::ctc_parts {

Input dim_of(Output x, int i) {
  const PartialShape shape = x.shape();
  if (shape.has_rank() && shape.rank() > i && shape[i] > 0) return static_cast<int>(shape[i]);
  return parts::item(rill::shape(x), i);
}

Output columns(Output x, OptionalInput start, OptionalInput stop, int axis) {
  std::vector<SlicePart> parts(static_cast<std::size_t>(axis), SliceRange{});
  parts.emplace_back(SliceRange{std::move(start), std::move(stop), {}});
  return slice(x, parts);
}

bool is_narrow(Output x) {
  const DType dtype = math_parts::type_of(x);
  return dtype == DType::f16 || dtype == DType::bf16;
}

void move_blank_last(Output& logits, SparseTensor& labels, std::int64_t blank) {
  const auto index = static_cast<int>(blank);
  const Output before = columns(logits, {}, index, 2), after = columns(logits, index + 1, {}, 2);
  logits = concat({before, after, columns(logits, index, index + 1, 2)}, 2);
  const Output below = raw::Less(labels.values, index);
  labels = SparseTensor(labels.indices, where(below, labels.values, labels.values - 1),
                        labels.dense_shape);
}

std::int64_t blank_of(Output logits, std::int64_t blank) {
  const PartialShape shape = logits.shape();
  const std::int64_t classes = shape.rank() == 3 ? shape[2] : kUnknownDim;
  require(blank >= 0 || classes >= 0,
          "`blank_index` may be counted from the end only where the number of classes is known");
  const std::int64_t index = blank < 0 ? blank + classes : blank;
  require(index >= 0 && (classes < 0 || index < classes), "`blank_index` ", blank,
          " is not one of ", classes, " classes");
  return index;
}

}  // namespace rill::nn::ctc_parts

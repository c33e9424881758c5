#include "rill/ops/array/values/shape_values.h"

namespace rill {

PartialShape known_dims(const ShapeCtx& c, int i, bool allow_minus_one) {
  const PartialShape list = c.vector(i);
  std::vector<std::int64_t> values;
  if (c.dim_values(i, &values)) {
    for (const std::int64_t dim : values) {
      require(dim >= -1, when_run("Dimension ", dim, " must be >= 0"),
              when_built_alone("Invalid value in tensor used for shape: ", dim));
      require(dim >= 0 || allow_minus_one, "Dimension ", dim, " must be >= 0");
    }
    return PartialShape(values);
  }
  const PartialShape partial = c.shape_value(i);
  if (partial.has_rank() || list.dim(0) < 0) return partial;
  require(list.dim(0) <= kMaxRank, "a shape of ", list.dim(0), " dimensions is too long");
  return PartialShape::of_rank(static_cast<int>(list.dim(0)));
}

PartialShape replace_dims(const PartialShape& shape, int begin, int count, std::int64_t dim) {
  if (!shape.has_rank()) return {};
  PartialShape out = PartialShape::scalar();
  for (int i = 0; i < begin; ++i) out.add_dim(shape.dim(i));
  if (dim != kNoDim) out.add_dim(dim);
  for (int i = begin + count; i < shape.rank(); ++i) out.add_dim(shape.dim(i));
  return out;
}

}  // namespace rill

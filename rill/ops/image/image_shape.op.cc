#include "rill/ops/image/image_shape.h"

#include <limits>

#include "rill/graph/run_time_error.h"

namespace rill {

void require_pair(const ShapeCtx& c, int i, const char* what) {
  const PartialShape pair = c.vector(i);
  require(compatible(pair.dim(0), 2), when_run(what, " must have two elements, not ", pair),
          when_built("Dimension must be 2 but is ", pair.dim(0)));
}

std::pair<std::int64_t, std::int64_t> size_input(const ShapeCtx& c, int i) {
  require_pair(c, i, "shape_t");
  std::vector<std::int64_t> size;
  if (!c.int_values(i, &size)) return {kUnknownDim, kUnknownDim};
  require(size[0] >= 0 && size[1] >= 0, "output dimensions must be positive, not ", size[0],
          " and ", size[1]);
  return {size[0], size[1]};
}

Shapes resized(std::int64_t height, std::int64_t width, Shapes shapes) {
  require_when_run(height != 0 && width != 0, shapes, "output dimensions must be positive, not ",
                   height, " and ", width);
  return shapes;
}

PartialShape resizable(const ShapeCtx& c, int i) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int32_t>::max();
  const PartialShape images = c.with_rank(i, 4);
  for (const int d : {1, 2}) {
    require(images.dim(d) != 0, "input image must be of non-zero size, not ", images);
    require(images.dim(d) <= kMax, "input sizes must be between 0 and max int32, not ", images);
  }
  require(images.dim(3) != 0, "image must have at least one channel, not shape ", images);
  return images;
}

}  // namespace rill

#include "rill/ops/data/core/element_shapes.h"

namespace rill {

Shapes stated_element_shapes(const ShapeCtx& c) {
  const auto& shapes = c.attr<std::vector<PartialShape>>("output_shapes");
  require(shapes.size() == static_cast<std::size_t>(c.output_count()),
          "`output_shapes` must be the same length as `output_types` (", shapes.size(), " vs. ",
          c.output_count(), ")");
  return shapes;
}

}  // namespace rill

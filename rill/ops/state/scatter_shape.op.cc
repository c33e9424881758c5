#include "rill/ops/state/scatter_shape.h"

namespace rill {

void check_scatter_shapes(const PartialShape& variable, const PartialShape& indices,
                          const PartialShape& updates) {
  if (!variable.has_rank()) return;
  require(variable.rank() >= 1, "params must be at least 1-D, got shape ", variable);
  if (!indices.has_rank() || updates.rank() == 0) return;
  PartialShape expected = indices;
  for (int d = 1; d < variable.rank(); ++d) expected.add_dim(variable.dim(d));
  require(updates.is_compatible(expected),
          "Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], got ",
          "updates.shape ", updates, ", indices.shape ", indices, ", params.shape ", variable);
}

}  // namespace rill

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/operators.h"
#include "rill/api/variables/state_ops.h"
#include "rill/api/variables/variable_creation.h"

namespace rill {
namespace {

// The position along `dimension` of every index.
Output positions(Output sizes, Output indices, int dimension) {
  const Output size = slice(sizes, {Input(dimension)});
  const Output line = raw::Range(0, size, 1);
  std::vector<Input> dims(static_cast<std::size_t>(indices.shape().rank()), Input(1));
  dims[static_cast<std::size_t>(dimension)] = size;
  Output spread = raw::Reshape(line, parts::list_of(dims));
  if (base_type(spread.dtype()) != base_type(indices.dtype()))
    spread = cast(spread, base_type(indices.dtype()));
  return spread * ones_like(indices);
}

}  // namespace

Output batch_scatter_update(const Variable& ref, const Input& indices, const Input& updates,
                            const AssignOptions& options, std::source_location at) {
  const InScope place(here(at));
  const Output given = as_tensor(indices, "indices");
  const Output sizes = shape(given);
  require(given.shape().has_rank(), "batch_gather does not allow indices with unknown shape.");
  const Output last = expand_dims(given, -1);
  std::vector<Input> parts;
  for (int i = 0; i < given.shape().rank() - 1; ++i) parts.emplace_back(positions(sizes, last, i));
  parts.emplace_back(last);
  return ref.scatter_nd("Update", concat(parts, -1), updates, options);
}

}  // namespace rill

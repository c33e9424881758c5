#include "rill/api/sparse/edit_distance.h"

#include "rill/api/gen/array.h"

namespace rill {

Output edit_distance(const SparseTensor& hypothesis, const SparseTensor& truth,
                     const EditDistanceOptions& options, std::source_location at) {
  return raw::EditDistance(hypothesis.indices, hypothesis.values, hypothesis.dense_shape,
                           truth.indices, truth.values, truth.dense_shape,
                           {.normalize = options.normalize, .name = options.name}, at);
}

}  // namespace rill

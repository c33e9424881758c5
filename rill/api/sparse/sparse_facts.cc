#include "rill/api/sparse/sparse_facts.h"

#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/reduce.h"

namespace rill::sparse {
namespace {

// A cast even where the type is the same.
Output sizes(const SparseTensor& input, DType dtype) { return raw::Cast(input.dense_shape, dtype); }

}  // namespace

Output shape(const SparseTensor& input, const FactOptions& options, std::source_location at) {
  const Block in(options.name, "Shape", at);
  return sizes(input, options.out_type);
}

Output size(const SparseTensor& input, const FactOptions& options, std::source_location at) {
  const Block in(options.name, "Size", at);
  const Output dims = sizes(input, options.out_type);
  return reduce_prod(dims, {.axis = 0, .name = in.own_name()});
}

Output rank(const SparseTensor& input, const NamedOptions& options, std::source_location at) {
  const Block in(options.name, "Rank", at);
  return raw::Size(input.dense_shape, {.name = in.own_name()});
}

SparseTensor cast(const SparseTensor& input, DType dtype, const NamedOptions& options,
                  std::source_location at) {
  const Block in(options.name, "Cast", at);
  return {input.indices, rill::cast(input.values, dtype, {.name = in.own_name()}),
          input.dense_shape};
}

}  // namespace rill::sparse

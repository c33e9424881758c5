#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes cross_shape(const ShapeCtx& c) {
  const auto n = static_cast<int>(c.attr<std::int64_t>("N"));
  const auto& types = c.attr<std::vector<DType>>("sparse_types");
  require(types.size() == static_cast<std::size_t>(n), "expected ", n, " sparse values but got ",
          types.size());
  for (int i = 0; i < n; ++i) sparse_dims(c, i, n + i, 2 * n + i);
  for (int i = 3 * n; i < c.input_count(); ++i) c.with_rank(i, 2);
  return sparse_output(2);
}

}  // namespace

extern constexpr OpDecl kSparseCross{
    .name = "SparseCross",
    .doc =
        "For each row, every way to choose one feature of each column, joined by _X_ or hashed "
        "into "
        "buckets.",
    .inputs = {"indices: N * int64", "values: sparse_types", "shapes: N * int64",
               "dense_inputs: dense_types"},
    .outputs = {"output_indices: int64", "output_values: out_type", "output_shape: int64"},
    .attrs = {"N: int >= 0", "hashed_output: bool", "num_buckets: int >= 0", "hash_key: int",
              "sparse_types: list({int64, string}) >= 0", "dense_types: list({int64, string}) >= 0",
              "out_type: {int64, string}", "internal_type: {int64, string}"},
    .traits = kPure | kDataDependentShape,
    .shape = cross_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSparseCross));

}  // namespace rill

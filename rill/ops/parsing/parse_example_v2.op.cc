// Of TensorFlow 2, whose models for serving begin with it.
#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {
namespace {

Shapes parse_example_v2_shape(const ShapeCtx& c) {
  const PartialShape& serialized = c.input(0);
  require(!serialized.has_rank() || serialized.rank() <= 1,
          "serialized must be a scalar or a vector, not ", serialized);
  const auto& dense = c.attr<std::vector<PartialShape>>("dense_shapes");
  const auto sparse = static_cast<std::size_t>(c.attr<std::int64_t>("num_sparse"));
  require(sparse == c.attr<std::vector<DType>>("sparse_types").size(), "num_sparse (", sparse,
          ") must match the size of sparse_types");
  require(dense.size() == c.attr<std::vector<DType>>("Tdense").size(),
          "len(dense_keys) != len(dense_shapes)");
  const std::size_t ragged = c.attr<std::vector<DType>>("ragged_value_types").size();
  require(ragged == c.attr<std::vector<DType>>("ragged_split_types").size(),
          "len(ragged_value_types) != len(ragged_split_types)");
  Shapes shapes;
  const bool known = serialized.has_rank();
  const std::int64_t rank = known ? serialized.rank() + 1 : kUnknownDim;
  add_sparse(shapes, sparse, rank);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    (void)row_shape(dense[i], i);
    shapes.push_back(!known                   ? PartialShape()
                     : serialized.rank() == 0 ? dense[i]
                                              : behind(serialized.dim(0), dense[i]));
  }
  for (std::size_t i = 0; i < 2 * ragged; ++i) shapes.push_back(PartialShape{kUnknownDim});
  return shapes;
}

}  // namespace

extern constexpr OpDecl kParseExampleV2{
    .name = "ParseExampleV2",
    .doc =
        "The features of a batch of serialized Examples, or of a single one, as ParseExample and "
        "ParseSingleExample find them; ragged ones as their values and where each row of them "
        "ends.",
    .inputs = {"serialized: string", "names: string", "sparse_keys: string", "dense_keys: string",
               "ragged_keys: string", "dense_defaults: Tdense"},
    .outputs = {"sparse_indices: num_sparse * int64", "sparse_values: sparse_types",
                "sparse_shapes: num_sparse * int64", "dense_values: Tdense",
                "ragged_values: ragged_value_types", "ragged_row_splits: ragged_split_types"},
    .attrs = {"Tdense: list({float, int64, string}) >= 0", "num_sparse: int >= 0",
              "sparse_types: list({float, int64, string}) >= 0",
              "ragged_value_types: list({float, int64, string}) >= 0",
              "ragged_split_types: list({int32, int64}) >= 0", "dense_shapes: list(shape) >= 0"},
    .traits = kPure | kDataDependentShape,
    .shape = parse_example_v2_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseExampleV2));

}  // namespace rill

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {
namespace {

Shapes parse_example_shape(const ShapeCtx& c) {
  const PartialShape batch = c.vector(0);
  const auto& dense = c.attr<std::vector<PartialShape>>("dense_shapes");
  const auto sparse = static_cast<std::size_t>(c.attr<std::int64_t>("Nsparse"));
  require(sparse == c.attr<std::vector<DType>>("sparse_types").size(),
          "len(sparse_keys) != len(sparse_types)");
  const auto dense_count = static_cast<std::size_t>(c.attr<std::int64_t>("Ndense"));
  require(dense_count == c.attr<std::vector<DType>>("Tdense").size(),
          "len(dense_keys) != len(dense_types)");
  require(dense_count == dense.size(), "len(dense_keys) != len(dense_shapes)");
  Shapes shapes;
  add_sparse(shapes, sparse, 2);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    (void)row_shape(dense[i], i);
    shapes.push_back(behind(batch.dim(0), dense[i]));
  }
  return shapes;
}

Shapes parse_single_example_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  const auto& dense = c.attr<std::vector<PartialShape>>("dense_shapes");
  const auto sparse = static_cast<std::size_t>(c.attr<std::int64_t>("num_sparse"));
  const std::size_t keys = c.attr<std::vector<std::string>>("sparse_keys").size(),
                    types = c.attr<std::vector<DType>>("sparse_types").size();
  require(sparse == keys && sparse == types, "num_sparse (", sparse,
          ") must match the size of sparse_keys (", keys, ") and sparse_types (", types, ")");
  const std::size_t dense_keys = c.attr<std::vector<std::string>>("dense_keys").size();
  require(dense_keys == c.attr<std::vector<DType>>("Tdense").size(),
          "len(dense_keys) != len(dense_types)");
  require(dense_keys == dense.size(), "len(dense_keys) != len(dense_shapes)");
  Shapes shapes;
  add_sparse(shapes, sparse, 1);
  for (std::size_t i = 0; i < dense.size(); ++i) {
    (void)row_shape(dense[i], i);
    shapes.push_back(dense[i]);
  }
  return shapes;
}

}  // namespace

extern constexpr OpDecl kParseExample{
    .name = "ParseExample",
    .doc =
        "The features of a batch of serialized Examples, sparse ones as sparse tensors, dense ones "
        "stacked. A dense feature that is missing is its default; without one, with no elements, "
        "it must be there. A dense shape [?, ...] is padded with its default, a single element.",
    .inputs = {"serialized: string", "names: string", "sparse_keys: Nsparse * string",
               "dense_keys: Ndense * string", "dense_defaults: Tdense"},
    .outputs = {"sparse_indices: Nsparse * int64", "sparse_values: sparse_types",
                "sparse_shapes: Nsparse * int64", "dense_values: Tdense"},
    .attrs = {"Nsparse: int >= 0", "Ndense: int >= 0",
              "sparse_types: list({float, int64, string}) >= 0",
              "Tdense: list({float, int64, string}) >= 0", "dense_shapes: list(shape) >= 0"},
    .traits = kPure | kDataDependentShape,
    .shape = parse_example_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseExample));

extern constexpr OpDecl kParseSingleExample{
    .name = "ParseSingleExample",
    .doc = "The features of one serialized Example, as ParseExample finds them in a batch.",
    .inputs = {"serialized: string", "dense_defaults: Tdense"},
    .outputs = {"sparse_indices: num_sparse * int64", "sparse_values: sparse_types",
                "sparse_shapes: num_sparse * int64", "dense_values: Tdense"},
    .attrs = {"num_sparse: int >= 0", "sparse_keys: list(string) >= 0",
              "dense_keys: list(string) >= 0", "sparse_types: list({float, int64, string}) >= 0",
              "Tdense: list({float, int64, string}) >= 0", "dense_shapes: list(shape) >= 0"},
    .traits = kPure | kDataDependentShape,
    .shape = parse_single_example_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseSingleExample));

}  // namespace rill

#include "rill/graph/op_decl.h"
#include "rill/ops/sparse/sparse_shape.h"

namespace rill {
namespace {

Shapes serialize_shape(const ShapeCtx& c) {
  c.with_rank(0, 2);
  c.vector(1);
  c.vector(2);
  return {{3}};
}

Shapes serialize_many_shape(const ShapeCtx& c) {
  sparse_dims(c, 0);
  std::vector<std::int64_t> shape;
  const std::int64_t rows =
      c.int_values(2, &shape) && !shape.empty() && shape[0] >= 0 ? shape[0] : kUnknownDim;
  return {{rows, 3}};
}

Shapes deserialize_shape(const ShapeCtx& c) {
  const PartialShape in = c.with_rank_at_least(0, 1);
  require(!in.has_rank() || compatible(in.dim(in.rank() - 1), 3),
          "Serialized sparse should have non-zero 3 columns, but its shape is ", in);
  return sparse_output(kUnknownDim);
}

Shapes deserialize_many_shape(const ShapeCtx& c) {
  const PartialShape in = c.with_rank(0, 2);
  require(compatible(in.dim(1), 3), "Input should have 3 columns, but its shape is ", in);
  return sparse_output(kUnknownDim);
}

}  // namespace

extern constexpr OpDecl kSerializeSparse{
    .name = "SerializeSparse",
    .doc = "A sparse tensor as three elements: its indices, values and shape.",
    .inputs = {"sparse_indices: int64", "sparse_values: T", "sparse_shape: int64"},
    .outputs = {"serialized_sparse: out_type"},
    .attrs = {"T: type", "out_type: {string, variant} = DT_STRING"},
    .traits = kPure,
    .shape = serialize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSerializeSparse));

extern constexpr OpDecl kSerializeManySparse{
    .name = "SerializeManySparse",
    .doc = "Each row of a sparse tensor as three elements: its indices, values and shape.",
    .inputs = {"sparse_indices: int64", "sparse_values: T", "sparse_shape: int64"},
    .outputs = {"serialized_sparse: out_type"},
    .attrs = {"T: type", "out_type: {string, variant} = DT_STRING"},
    .traits = kPure | kDataDependentShape,
    .shape = serialize_many_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kSerializeManySparse));

extern constexpr OpDecl kDeserializeSparse{
    .name = "DeserializeSparse",
    .doc =
        "The sparse tensor of rank R more dimensions that holds what SerializeSparse wrote, where "
        "R "
        "is the rank of the input less one.",
    .inputs = {"serialized_sparse: Tserialized"},
    .outputs = {"sparse_indices: int64", "sparse_values: dtype", "sparse_shape: int64"},
    .attrs = {"dtype: type", "Tserialized: {string, variant} = DT_STRING"},
    .traits = kPure | kDataDependentShape,
    .shape = deserialize_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDeserializeSparse));

extern constexpr OpDecl kDeserializeManySparse{
    .name = "DeserializeManySparse",
    .doc = "The sparse tensor whose rows are what SerializeManySparse wrote.",
    .inputs = {"serialized_sparse: string"},
    .outputs = {"sparse_indices: int64", "sparse_values: dtype", "sparse_shape: int64"},
    .attrs = {"dtype: type"},
    .traits = kPure | kDataDependentShape,
    .shape = deserialize_many_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDeserializeManySparse));

}  // namespace rill

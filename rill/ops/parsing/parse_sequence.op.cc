#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/parsing/output_shapes.h"

namespace rill {
namespace {

const PartialShape& known(const PartialShape& shape) {
  require(shape.is_full(), "Shape ", shape, " is not fully defined");
  return shape;
}

template <class T>
void check_length(const ShapeCtx& c, const char* list, const char* count) {
  const auto length = static_cast<std::int64_t>(c.attr<std::vector<T>>(list).size());
  require(length == c.attr<std::int64_t>(count), "len(", list, ") == ", length, " is not ", count,
          " == ", c.attr<std::int64_t>(count));
}

void check_lengths(const ShapeCtx& c) {
  check_length<DType>(c, "context_sparse_types", "Ncontext_sparse");
  check_length<DType>(c, "Tcontext_dense", "Ncontext_dense");
  check_length<PartialShape>(c, "context_dense_shapes", "Ncontext_dense");
  check_length<DType>(c, "feature_list_sparse_types", "Nfeature_list_sparse");
  check_length<DType>(c, "feature_list_dense_types", "Nfeature_list_dense");
  check_length<PartialShape>(c, "feature_list_dense_shapes", "Nfeature_list_dense");
}

std::size_t size_attr(const ShapeCtx& c, const char* name) {
  return static_cast<std::size_t>(c.attr<std::int64_t>(name));
}

Shapes parse_sequence_shape(const ShapeCtx& c) {
  const std::int64_t batch = c.vector(0).dim(0);
  check_lengths(c);
  check_length<std::string>(c, "context_sparse_keys", "Ncontext_sparse");
  check_length<std::string>(c, "context_dense_keys", "Ncontext_dense");
  check_length<std::string>(c, "feature_list_sparse_keys", "Nfeature_list_sparse");
  check_length<std::string>(c, "feature_list_dense_keys", "Nfeature_list_dense");
  Shapes shapes;
  add_sparse(shapes, size_attr(c, "Ncontext_sparse"), 2);
  for (const PartialShape& shape : c.attr<std::vector<PartialShape>>("context_dense_shapes"))
    shapes.push_back(behind(batch, known(shape)));
  add_sparse(shapes, size_attr(c, "Nfeature_list_sparse"), 3);
  const auto& lists = c.attr<std::vector<PartialShape>>("feature_list_dense_shapes");
  for (const PartialShape& shape : lists)
    shapes.push_back(behind(batch, behind(kUnknownDim, known(shape))));
  shapes.insert(shapes.end(), lists.size(), PartialShape{batch});
  return shapes;
}

Shapes parse_single_sequence_shape(const ShapeCtx& c) {
  (void)c.scalar(0);
  (void)c.vector(1);
  check_lengths(c);
  Shapes shapes;
  add_sparse(shapes, size_attr(c, "Ncontext_sparse"), 1);
  for (const PartialShape& shape : c.attr<std::vector<PartialShape>>("context_dense_shapes"))
    shapes.push_back(known(shape));
  add_sparse(shapes, size_attr(c, "Nfeature_list_sparse"), 2);
  for (const PartialShape& shape : c.attr<std::vector<PartialShape>>("feature_list_dense_shapes"))
    shapes.push_back(behind(kUnknownDim, known(shape)));
  return shapes;
}

}  // namespace

extern constexpr OpDecl kParseSequenceExample{
    .name = "ParseSequenceExample",
    .doc =
        "The features and feature lists of a batch of serialized SequenceExamples. Dense lists are "
        "padded with zeros to the longest one; their lengths are outputs too.",
    .inputs = {"serialized: string", "debug_name: string",
               "context_dense_defaults: Tcontext_dense"},
    .outputs = {"context_sparse_indices: Ncontext_sparse * int64",
                "context_sparse_values: context_sparse_types",
                "context_sparse_shapes: Ncontext_sparse * int64",
                "context_dense_values: Tcontext_dense",
                "feature_list_sparse_indices: Nfeature_list_sparse * int64",
                "feature_list_sparse_values: feature_list_sparse_types",
                "feature_list_sparse_shapes: Nfeature_list_sparse * int64",
                "feature_list_dense_values: feature_list_dense_types",
                "feature_list_dense_lengths: Nfeature_list_dense * int64"},
    .attrs = {"feature_list_dense_missing_assumed_empty: list(string) >= 0",
              "context_sparse_keys: list(string) >= 0", "context_dense_keys: list(string) >= 0",
              "feature_list_sparse_keys: list(string) >= 0",
              "feature_list_dense_keys: list(string) >= 0", "Ncontext_sparse: int >= 0 = 0",
              "Ncontext_dense: int >= 0 = 0", "Nfeature_list_sparse: int >= 0 = 0",
              "Nfeature_list_dense: int >= 0 = 0",
              "context_sparse_types: list({float, int64, string}) >= 0 = []",
              "Tcontext_dense: list({float, int64, string}) >= 0 = []",
              "feature_list_dense_types: list({float, int64, string}) >= 0 = []",
              "context_dense_shapes: list(shape) >= 0 = []",
              "feature_list_sparse_types: list({float, int64, string}) >= 0 = []",
              "feature_list_dense_shapes: list(shape) >= 0 = []"},
    .traits = kPure | kDataDependentShape,
    .shape = parse_sequence_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseSequenceExample));

extern constexpr OpDecl kParseSingleSequenceExample{
    .name = "ParseSingleSequenceExample",
    .doc = "The features and feature lists of one serialized SequenceExample.",
    .inputs = {"serialized: string", "feature_list_dense_missing_assumed_empty: string",
               "context_sparse_keys: Ncontext_sparse * string",
               "context_dense_keys: Ncontext_dense * string",
               "feature_list_sparse_keys: Nfeature_list_sparse * string",
               "feature_list_dense_keys: Nfeature_list_dense * string",
               "context_dense_defaults: Tcontext_dense", "debug_name: string"},
    .outputs = {"context_sparse_indices: Ncontext_sparse * int64",
                "context_sparse_values: context_sparse_types",
                "context_sparse_shapes: Ncontext_sparse * int64",
                "context_dense_values: Tcontext_dense",
                "feature_list_sparse_indices: Nfeature_list_sparse * int64",
                "feature_list_sparse_values: feature_list_sparse_types",
                "feature_list_sparse_shapes: Nfeature_list_sparse * int64",
                "feature_list_dense_values: feature_list_dense_types"},
    .attrs = {"Ncontext_sparse: int >= 0 = 0", "Ncontext_dense: int >= 0 = 0",
              "Nfeature_list_sparse: int >= 0 = 0", "Nfeature_list_dense: int >= 0 = 0",
              "context_sparse_types: list({float, int64, string}) >= 0 = []",
              "Tcontext_dense: list({float, int64, string}) >= 0 = []",
              "feature_list_dense_types: list({float, int64, string}) >= 0 = []",
              "context_dense_shapes: list(shape) >= 0 = []",
              "feature_list_sparse_types: list({float, int64, string}) >= 0 = []",
              "feature_list_dense_shapes: list(shape) >= 0 = []"},
    .traits = kPure | kDataDependentShape,
    .shape = parse_single_sequence_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseSingleSequenceExample));

}  // namespace rill

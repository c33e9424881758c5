#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {
namespace {

Shapes parse_example_dataset_shape(const ShapeCtx& c) {
  const auto keys = [&](const char* name) { return c.attr<std::vector<std::string>>(name).size(); };
  const std::size_t types = c.attr<std::vector<DType>>("Tdense").size();
  require(keys("sparse_keys") == c.attr<std::vector<DType>>("sparse_types").size(),
          "len(sparse_keys) != len(sparse_types)");
  require(keys("dense_keys") == types,
          "Expected len(dense_defaults) == len(dense_keys) but got: ", types, " vs. ",
          keys("dense_keys"));
  require(keys("dense_keys") == c.attr<std::vector<PartialShape>>("dense_shapes").size(),
          "len(dense_keys) != len(dense_shapes)");
  return scalar_output(c);
}

}  // namespace

extern constexpr OpDecl kParseExampleDataset{
    .name = "ParseExampleDataset",
    .doc =
        "Vectors of serialized Examples parsed; components in the order of the keys, sparse ones "
        "as variants.",
    .inputs = {"input_dataset: variant", "num_parallel_calls: int64", "dense_defaults: Tdense"},
    .outputs = {"handle: variant"},
    .attrs = {"sparse_keys: list(string) >= 0", "dense_keys: list(string) >= 0",
              "sparse_types: list({float, int64, string}) >= 0",
              "Tdense: list({float, int64, string}) >= 0", "dense_shapes: list(shape) >= 0",
              "output_types: list(type) >= 1", "output_shapes: list(shape) >= 1",
              "sloppy: bool = false"},
    .shape = parse_example_dataset_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kParseExampleDataset));

extern constexpr OpDecl kExperimentalParseExampleDataset =
    experimental_twin(kParseExampleDataset, "ExperimentalParseExampleDataset");
static_assert(well_formed(kExperimentalParseExampleDataset));

}  // namespace rill

#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"
#include "rill/ops/data/core/experimental_twin.h"

namespace rill {
namespace {

Shapes csv_shape(const ShapeCtx& c) {
  constexpr int kFirstDefault = 8;
  for (int i = kFirstDefault; i < c.input_count(); ++i) {
    const PartialShape& value = c.input(i);
    require(value.rank() <= 1, "Shape must be at most rank 1 but is rank ", value.rank());
    require(value.rank() != 1 || value[0] <= 1,
            "Shape of a default must be a length-0 or length-1 vector, or a scalar.");
  }
  return {PartialShape::scalar()};
}

}  // namespace

extern constexpr OpDecl kCSVDataset{
    .name = "CSVDataset",
    .doc = "The records of CSV files, a component per field.",
    .inputs = {"filenames: string", "compression_type: string", "buffer_size: int64",
               "header: bool", "field_delim: string", "use_quote_delim: bool", "na_value: string",
               "select_cols: int64", "record_defaults: output_types"},
    .outputs = {"handle: variant"},
    .attrs = {"output_types: list({float, double, int32, int64, string}) >= 1",
              "output_shapes: list(shape) >= 1"},
    .traits = kStateful | kReadsFiles,
    .shape = csv_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kCSVDataset));

extern constexpr OpDecl kExperimentalCSVDataset =
    experimental_twin(kCSVDataset, "ExperimentalCSVDataset");
static_assert(well_formed(kExperimentalCSVDataset));

}  // namespace rill

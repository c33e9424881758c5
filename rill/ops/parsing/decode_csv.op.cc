#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes decode_csv_shape(const ShapeCtx& c) {
  for (int i = 1; i < c.input_count(); ++i) {
    const PartialShape& value = c.input(i);
    require(!value.has_rank() || value.rank() <= 1, "Shape must be at most rank 1 but is rank ",
            value.rank());
    require(!value.has_rank() || value.rank() == 0 || value.dim(0) <= 1,
            "Shape of a default must be a length-0 or length-1 vector, or a scalar.");
  }
  return Shapes(static_cast<std::size_t>(c.output_count()), c.input(0));
}

}  // namespace

extern constexpr OpDecl kDecodeCSV{
    .name = "DecodeCSV",
    .doc =
        "The fields of each record, a tensor for each column. A field that is empty or na_value is "
        "its column's default; a column whose default has no elements must be there.",
    .inputs = {"records: string", "record_defaults: OUT_TYPE"},
    .outputs = {"output: OUT_TYPE"},
    .attrs = {"OUT_TYPE: list({float, double, int32, int64, string}) >= 1",
              "field_delim: string = ','", "use_quote_delim: bool = true", "na_value: string = ''",
              "select_cols: list(int) = []"},
    .traits = kPure,
    .shape = decode_csv_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeCSV));

}  // namespace rill

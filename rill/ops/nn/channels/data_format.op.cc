#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes vec_permute_shape(const ShapeCtx& c) {
  const PartialShape& x = c.input(0);
  require(!x.has_rank() || x.rank() == 1 || x.rank() == 2,
          "input must be a vector or 2D tensor, but got shape ", x);
  const auto rank = static_cast<std::int64_t>(c.attr<std::string>("src_format").size());
  if (x.has_rank() && x.dim(0) >= 0)
    require(x.dim(0) == rank || x.dim(0) == rank - 2, x.rank(), "D input must be of size ",
            rank - 2, " or ", rank, ", but got shape ", x);
  require(x.rank() != 2 || compatible(x.dim(1), 2),
          "Second dimension of 2D input must be of size 2, but got shape ", x);
  return {x};
}

}  // namespace

extern constexpr OpDecl kDataFormatDimMap{
    .name = "DataFormatDimMap",
    .doc = "Where dimensions of src_format are in dst_format.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {int32, int64} = DT_INT32", "src_format: string = 'NHWC'",
              "dst_format: string = 'NCHW'"},
    .traits = kPure,
    .shape = same_as_input,
    .grad = no_gradient,
};
static_assert(well_formed(kDataFormatDimMap));

extern constexpr OpDecl kDataFormatVecPermute{
    .name = "DataFormatVecPermute",
    .doc =
        "Numbers, or pairs of them, for the dimensions of src_format in the order of dst_format; "
        "for all dimensions, or for those of space alone.",
    .inputs = {"x: T"},
    .outputs = {"y: T"},
    .attrs = {"T: {int32, int64} = DT_INT32", "src_format: string = 'NHWC'",
              "dst_format: string = 'NCHW'"},
    .traits = kPure,
    .shape = vec_permute_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kDataFormatVecPermute));

}  // namespace rill

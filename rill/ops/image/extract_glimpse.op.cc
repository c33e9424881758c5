#include "rill/graph/op_decl.h"
#include "rill/ops/image/image_shape.h"

namespace rill {
namespace {

Shapes glimpse_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank(0, 4), size = c.vector(1), offsets = c.with_rank(2, 2);
  require(compatible(size.dim(0), 2), "input must be a vector of size 2 (height, width), not ",
          size);
  require(compatible(offsets.dim(0), images.dim(0)), "first dimension should be batch, not ",
          offsets);
  require(compatible(offsets.dim(1), 2), "second dimension should be of size 2 (y,x), not ",
          offsets);
  require(!c.flag("uniform_noise") || c.attr<std::string>("noise").empty() ||
              c.attr<std::string>("noise") == "uniform",
          "The uniform_noise and noise should not be specified at the same time");
  const std::int64_t batch = merge_dim(images.dim(0), offsets.dim(0));
  std::vector<std::int64_t> sides;
  if (!c.int_values(1, &sides)) return {{batch, kUnknownDim, kUnknownDim, images.dim(3)}};
  for (const std::int64_t side : sides)
    require(side >= 0, "Expected a non-negative size, got ", side);
  return {{batch, sides[0], sides[1], images.dim(3)}};
}

}  // namespace

extern constexpr OpDecl kExtractGlimpse{
    .name = "ExtractGlimpse",
    .doc =
        "A window of each image around an offset, which is counted from the centre in halves where "
        "`centered` and in sizes of the image where `normalized`; what lies outside is noise.",
    .inputs = {"input: float", "size: int32", "offsets: float"},
    .outputs = {"glimpse: float"},
    .attrs = {"centered: bool = true", "normalized: bool = true", "uniform_noise: bool = true",
              "noise: string = 'uniform'"},
    .traits = kPure,
    .shape = glimpse_shape,
    .grad = not_differentiable,
};
static_assert(well_formed(kExtractGlimpse));

}  // namespace rill

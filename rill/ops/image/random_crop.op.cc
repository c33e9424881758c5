#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes random_crop_shape(const ShapeCtx& c) {
  const PartialShape image = c.with_rank(0, 3), size = c.vector(1);
  require(compatible(size.dim(0), 2), "size must have two elements, not ", size);
  std::vector<std::int64_t> wanted;
  if (!c.int_values(1, &wanted)) return {{kUnknownDim, kUnknownDim, image.dim(2)}};
  constexpr const char* kNames[] = {"height", "width"};
  for (int d = 0; d < 2; ++d) {
    const std::int64_t side = wanted[static_cast<std::size_t>(d)];
    require(side >= 0, kNames[d], " must not be negative: ", side);
    if (image.dim(d) >= 0 && image.dim(d) < side)
      raise(Code::kFailedPrecondition, kNames[d], " must be >= target_", kNames[d], ": ", kNames[d],
            " = ", image.dim(d), ", target_", kNames[d], " = ", side);
  }
  return {{wanted[0], wanted[1], image.dim(2)}};
}

}  // namespace

extern constexpr OpDecl kRandomCrop{
    .name = "RandomCrop",
    .doc = "A part of an image, of the given height and width, from a random place.",
    .inputs = {"image: T", "size: int64"},
    .outputs = {"output: T"},
    .attrs = {"T: {uint8, int8, int16, int32, int64, float, double}", "seed: int = 0",
              "seed2: int = 0"},
    .traits = kStateful,
    .shape = random_crop_shape,
    .grad = not_differentiable,
    .deprecated = 8,
    .deprecated_why = "Random crop is now pure Python",
};
static_assert(well_formed(kRandomCrop));

}  // namespace rill

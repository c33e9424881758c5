#include "rill/ops/array/slice/extract_patches_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"

namespace rill {
namespace {

Shapes patches_shape(const ShapeCtx& c, int rank) {
  const ConvProblem problem = patch_windows(c.op().name, c.attrs(), c.with_rank(0, rank));
  PartialShape out{problem.batch};
  std::int64_t depth = problem.in_channels;
  for (const WindowDim& dim : problem.dims) {
    out.add_dim(dim.out);
    if (depth > 0)
      require(!__builtin_mul_overflow(depth, dim.size, &depth), "the patches are too large");
  }
  out.add_dim(depth);
  return {out};
}
Shapes image_patches_shape(const ShapeCtx& c) { return patches_shape(c, 4); }
Shapes volume_patches_shape(const ShapeCtx& c) { return patches_shape(c, 5); }

// Patches of the numbers of the pixels tell to which pixel each element of dy belongs; 0 is the
// padding.
void patches_grad(GradCtx& g, std::initializer_list<const char*> lists) {
  const Output shape = shape_of(g, g.input(0));
  const int last = static_cast<int>(g.attr<std::vector<std::int64_t>>("ksizes").size()) - 1;
  const Output batch = slice_vector(g, shape, 0, 1), channels = slice_vector(g, shape, last, {});
  const Output space = slice_vector(g, shape, 1, last),
               one = Input(Tensor::vector<std::int32_t>({1}))
                         .as_output(g.scope(), "Const", DType::i32);
  const Output pixels = add(g, prod_of_vector(g, space), 1);
  const Output numbers = reshape(g, range(g, 1, pixels, 1), concat(g, {one, space, one}));
  AttrMap attrs{{"padding", g.attr<std::string>("padding")}};
  for (const char* list : lists) attrs.emplace(list, g.attr<std::vector<std::int64_t>>(list));
  const Output taken = g.add(g.node().op().name, {numbers}, std::move(attrs));
  const Output owners = reshape(g, taken, Tensor::vector<std::int32_t>({-1}));
  const Output owner_count = expand_dims(g, size_of(g, owners), 0);
  const Tensor turn = int_vector(std::vector<std::int64_t>{1, 0, 2});
  const Output parts = reshape(g, g.dy(), concat(g, {batch, owner_count, channels}));
  const Output sums = g.add("UnsortedSegmentSum", {transpose(g, parts, turn), owners, pixels});
  const Output inside = slice_vector(g, sums, 1, {});
  g.set(0, reshape(g, transpose(g, inside, turn), shape));
}
void image_patches_grad(GradCtx& g) { patches_grad(g, {"ksizes", "strides", "rates"}); }
void volume_patches_grad(GradCtx& g) { patches_grad(g, {"ksizes", "strides"}); }

}  // namespace

extern constexpr OpDecl kExtractImagePatches{
    .name = "ExtractImagePatches",
    .doc =
        "What a window of ksizes sees at each of its places, `strides` apart, side by side in the "
        "last dimension; its elements are `rates` apart.",
    .inputs = {"images: T"},
    .outputs = {"patches: T"},
    .attrs = {"ksizes: list(int) >= 4", "strides: list(int) >= 4", "rates: list(int) >= 4",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = image_patches_shape,
    .grad = image_patches_grad,
};
static_assert(well_formed(kExtractImagePatches));

extern constexpr OpDecl kExtractVolumePatches{
    .name = "ExtractVolumePatches",
    .doc =
        "What a window of ksizes sees at each of its places in a volume, `strides` apart, side by "
        "side in the last dimension.",
    .inputs = {"input: T"},
    .outputs = {"patches: T"},
    .attrs = {"ksizes: list(int) >= 5", "strides: list(int) >= 5",
              "T: {float, double, int32, uint8, int16, int8, int64, bfloat16, uint16, half, "
              "uint32, uint64}",
              "padding: {'SAME', 'VALID'}"},
    .traits = kPure,
    .shape = volume_patches_shape,
    .grad = volume_patches_grad,
};
static_assert(well_formed(kExtractVolumePatches));

}  // namespace rill

#include "rill/ops/array/slice/blocks_shape.h"

#include "rill/graph/gradient_parts.h"
#include "rill/graph/op_decl.h"

namespace rill {
namespace {

std::int64_t checked_product(std::int64_t a, std::int64_t b) {
  require(!__builtin_mul_overflow(a, b, &a), "the blocks are too many");
  return a;
}

// The input, whose dimensions must reach as far as the blocks do; of unknown rank when it is not
// known how far that is.
PartialShape spatial_input(const ShapeCtx& c) {
  const std::int64_t count = block_rank(c);
  if (count < 0) return {};
  require(count < kMaxRank, "blocks of ", count, " dimensions are too many");
  if (c.op().find_attr("block_size") != nullptr) return c.with_rank(0, 4);
  return c.with_rank_at_least(0, static_cast<int>(count) + 1);
}

// What is known without the paddings or crops: all but the space that is cut, and the batch.
PartialShape without_space(const ShapeCtx& c, PartialShape input) {
  if (!input.has_rank())
    return c.input(0).has_rank() ? PartialShape::of_rank(c.input(0).rank()) : PartialShape();
  for (int d = 0; d <= static_cast<int>(block_rank(c)); ++d) input = input.with_dim(d, kUnknownDim);
  return input;
}

std::int64_t block_elements(const BlockArgs& args) {
  std::int64_t product = 1;
  for (const std::int64_t size : args.sizes) product = checked_product(product, size);
  return product;
}

Shapes space_to_batch_shape(const ShapeCtx& c) {
  const BlockArgs args = block_args(c);
  const PartialShape input = spatial_input(c);
  PartialShape out = without_space(c, input);
  if (!input.has_rank() || (args.sizes.empty() && block_rank(c) != 0)) return {out};
  if (input.dim(0) >= 0) out = out.with_dim(0, checked_product(input.dim(0), block_elements(args)));
  if (!args.known) return {out};
  for (int d = 0; d < static_cast<int>(args.sizes.size()); ++d) {
    const auto k = static_cast<std::size_t>(d);
    std::int64_t dim = input.dim(d + 1);
    if (dim < 0) continue;
    const bool overflow = __builtin_add_overflow(dim, args.starts[k], &dim) ||
                          __builtin_add_overflow(dim, args.ends[k], &dim);
    require(
        !overflow && dim % args.sizes[k] == 0,
        when_run("padded_shape[", d, "]=", dim, " is not divisible by block_shape[", d,
                 "]=", args.sizes[k]),
        when_built("Dimension size must be evenly divisible by ", args.sizes[k], " but is ", dim));
    out = out.with_dim(d + 1, dim / args.sizes[k]);
  }
  return {out};
}

Shapes batch_to_space_shape(const ShapeCtx& c) {
  const BlockArgs args = block_args(c);
  const PartialShape input = spatial_input(c);
  PartialShape out = without_space(c, input);
  if (!input.has_rank() || (args.sizes.empty() && block_rank(c) != 0)) return {out};
  const std::int64_t blocks = block_elements(args);
  for (int d = 0; args.known && d < static_cast<int>(args.sizes.size()); ++d) {
    const auto k = static_cast<std::size_t>(d);
    if (input.dim(d + 1) < 0) continue;
    const std::int64_t whole = checked_product(input.dim(d + 1), args.sizes[k]);
    require(args.starts[k] <= whole && args.ends[k] <= whole - args.starts[k], "cropped_shape[", d,
            "]=", whole, " - ", args.starts[k], " - ", args.ends[k], " must be non-negative");
    out = out.with_dim(d + 1, whole - args.starts[k] - args.ends[k]);
  }
  if (input.dim(0) < 0) return {out};
  std::int64_t batch = input.dim(0);
  for (const std::int64_t size : args.sizes) {
    require(batch % size == 0,
            when_run("Input batch dimension (", input.dim(0),
                     ") is not divisible by product of block sizes (", blocks, ")"),
            when_built("Dimension size must be evenly divisible by ", size, " but is ", batch));
    batch /= size;
  }
  return {out.with_dim(0, batch)};
}

// Which dimensions of an image hold height, width and channels.
struct ImageDims {
  explicit ImageDims(const ShapeCtx& c) : image(c.with_rank(0, 4)) {
    const auto& format = c.attr<std::string>("data_format");
    if (format == "NCHW_VECT_C") raise(Code::kUnimplemented, c.op().name, " of NCHW_VECT_C");
    height = format == "NHWC" ? 1 : 2;
    channels = format == "NHWC" ? 3 : 1;
    block = c.attr<std::int64_t>("block_size");
  }
  PartialShape image;
  int height, channels;
  std::int64_t block;
};

std::int64_t divided(const PartialShape& image, int d, std::int64_t by, const char* what) {
  if (image.dim(d) < 0) return kUnknownDim;
  require(image.dim(d) % by == 0, when_run(what, " ", image.dim(d), " must be divisible by ", by),
          when_built("Dimension size must be evenly divisible by ", by, " but is ", image.dim(d)));
  return image.dim(d) / by;
}

Shapes space_to_depth_shape(const ShapeCtx& c) {
  const ImageDims dims(c);
  if (!dims.image.has_rank()) return {PartialShape::of_rank(4)};
  const std::int64_t area = checked_product(dims.block, dims.block);
  PartialShape out = dims.image;
  for (const int d : {dims.height, dims.height + 1})
    out = out.with_dim(d, divided(dims.image, d, dims.block, "Image dimension"));
  const std::int64_t channels = dims.image.dim(dims.channels);
  return {out.with_dim(dims.channels, channels < 0 ? channels : checked_product(channels, area))};
}

Shapes depth_to_space_shape(const ShapeCtx& c) {
  const ImageDims dims(c);
  if (!dims.image.has_rank()) return {PartialShape::of_rank(4)};
  const std::int64_t area = checked_product(dims.block, dims.block);
  PartialShape out = dims.image;
  for (const int d : {dims.height, dims.height + 1})
    if (out.dim(d) >= 0) out = out.with_dim(d, checked_product(out.dim(d), dims.block));
  return {out.with_dim(dims.channels, divided(dims.image, dims.channels, area, "Depth"))};
}

template <bool to_batch>
void blocks_grad(GradCtx& g) {
  const bool by_attr = g.input_count() == 2;
  const char* back = to_batch ? "BatchToSpaceND" : "SpaceToBatchND";
  if (by_attr) {
    const std::int64_t size = g.attr<std::int64_t>("block_size");
    g.set(0, g.add(back, {g.dy(), Tensor::vector<std::int64_t>({size, size}), g.input(1)}));
  } else {
    g.set(0, g.add(back, {g.dy(), g.input(1), g.input(2)}));
  }
}

template <bool to_depth>
void depth_grad(GradCtx& g) {
  g.set(0, g.add(to_depth ? "DepthToSpace" : "SpaceToDepth", {g.dy()},
                 {{"block_size", g.attr<std::int64_t>("block_size")},
                  {"data_format", g.attr<std::string>("data_format")}}));
}

}  // namespace

extern constexpr OpDecl kSpaceToBatchND{
    .name = "SpaceToBatchND",
    .doc = "Cuts padded space into blocks; elements at one place of all blocks become one batch.",
    .inputs = {"input: T", "block_shape: Tblock_shape", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tblock_shape: {int32, int64} = DT_INT32",
              "Tpaddings: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = space_to_batch_shape,
    .grad = blocks_grad<true>,
};
static_assert(well_formed(kSpaceToBatchND));

extern constexpr OpDecl kSpaceToBatch{
    .name = "SpaceToBatch",
    .doc = "SpaceToBatchND on images with square blocks.",
    .inputs = {"input: T", "paddings: Tpaddings"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tpaddings: {int32, int64} = DT_INT32", "block_size: int >= 2"},
    .traits = kPure,
    .shape = space_to_batch_shape,
    .grad = blocks_grad<true>,
};
static_assert(well_formed(kSpaceToBatch));

extern constexpr OpDecl kBatchToSpaceND{
    .name = "BatchToSpaceND",
    .doc = "Undoes SpaceToBatchND and crops the result.",
    .inputs = {"input: T", "block_shape: Tblock_shape", "crops: Tcrops"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "Tblock_shape: {int32, int64} = DT_INT32",
              "Tcrops: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = batch_to_space_shape,
    .grad = blocks_grad<false>,
};
static_assert(well_formed(kBatchToSpaceND));

extern constexpr OpDecl kBatchToSpace{
    .name = "BatchToSpace",
    .doc = "BatchToSpaceND on images with square blocks.",
    .inputs = {"input: T", "crops: Tidx"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "block_size: int >= 2", "Tidx: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = batch_to_space_shape,
    .grad = blocks_grad<false>,
};
static_assert(well_formed(kBatchToSpace));

extern constexpr OpDecl kSpaceToDepth{
    .name = "SpaceToDepth",
    .doc = "Makes the elements of each square block of an image the channels of one element.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "block_size: int >= 2",
              "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"},
    .traits = kPure,
    .shape = space_to_depth_shape,
    .grad = depth_grad<true>,
};
static_assert(well_formed(kSpaceToDepth));

extern constexpr OpDecl kDepthToSpace{
    .name = "DepthToSpace",
    .doc = "Makes a square block of an image from the channels of each element.",
    .inputs = {"input: T"},
    .outputs = {"output: T"},
    .attrs = {"T: type", "block_size: int >= 2",
              "data_format: {'NHWC', 'NCHW', 'NCHW_VECT_C'} = 'NHWC'"},
    .traits = kPure,
    .shape = depth_to_space_shape,
    .grad = depth_grad<false>,
};
static_assert(well_formed(kDepthToSpace));

}  // namespace rill

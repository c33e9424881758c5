#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

std::int64_t channels_of(const ShapeCtx& c) {
  const auto channels = c.attr<std::int64_t>("channels");
  require(channels >= 0, "channels must be non-negative, got ", channels);
  return channels == 0 ? kUnknownDim : channels;
}

Shapes picture(const ShapeCtx& c) {
  c.scalar(0);
  return {{kUnknownDim, kUnknownDim, channels_of(c)}};
}

Shapes part_of_picture(const ShapeCtx& c) {
  c.scalar(0);
  const PartialShape window = c.vector(1);
  require(compatible(window.dim(0), 4), "crop_size must have four elements, not ", window);
  std::vector<std::int64_t> sides;
  if (!c.int_values(1, &sides) || sides[2] < 0 || sides[3] < 0)
    return {{kUnknownDim, kUnknownDim, channels_of(c)}};
  return {{sides[2], sides[3], channels_of(c)}};
}

Shapes frames(const ShapeCtx& c) {
  c.scalar(0);
  return {{kUnknownDim, kUnknownDim, kUnknownDim, 3}};
}

Shapes size_vector(const ShapeCtx& c) {
  c.scalar(0);
  return {{3}};
}

}  // namespace

extern constexpr OpDecl kDecodeJpeg{
    .name = "DecodeJpeg",
    .doc = "The pixels of a JPEG file's contents, made smaller by `ratio`.",
    .inputs = {"contents: string"},
    .outputs = {"image: uint8"},
    .attrs = {"channels: int = 0", "ratio: int = 1", "fancy_upscaling: bool = true",
              "try_recover_truncated: bool = false", "acceptable_fraction: float = 1",
              "dct_method: string = ''"},
    .traits = kPure | kDataDependentShape,
    .shape = picture,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeJpeg));

extern constexpr OpDecl kDecodeAndCropJpeg{
    .name = "DecodeAndCropJpeg",
    .doc = "The pixels of a part [y, x, height, width] of a JPEG; little else is decoded.",
    .inputs = {"contents: string", "crop_window: int32"},
    .outputs = {"image: uint8"},
    .attrs = {"channels: int = 0", "ratio: int = 1", "fancy_upscaling: bool = true",
              "try_recover_truncated: bool = false", "acceptable_fraction: float = 1",
              "dct_method: string = ''"},
    .traits = kPure | kDataDependentShape,
    .shape = part_of_picture,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeAndCropJpeg));

extern constexpr OpDecl kExtractJpegShape{
    .name = "ExtractJpegShape",
    .doc = "Height, width and channels of a JPEG, without its pixels.",
    .inputs = {"contents: string"},
    .outputs = {"image_shape: output_type"},
    .attrs = {"output_type: {int32, int64} = DT_INT32"},
    .traits = kPure,
    .shape = size_vector,
    .grad = no_gradient,
};
static_assert(well_formed(kExtractJpegShape));

extern constexpr OpDecl kDecodePng{
    .name = "DecodePng",
    .doc = "The pixels of a PNG file's contents.",
    .inputs = {"contents: string"},
    .outputs = {"image: dtype"},
    .attrs = {"channels: int = 0", "dtype: {uint8, uint16} = DT_UINT8"},
    .traits = kPure | kDataDependentShape,
    .shape = picture,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodePng));

extern constexpr OpDecl kDecodeGif{
    .name = "DecodeGif",
    .doc = "All frames of a GIF file's contents.",
    .inputs = {"contents: string"},
    .outputs = {"image: uint8"},
    .traits = kPure | kDataDependentShape,
    .shape = frames,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeGif));

extern constexpr OpDecl kDecodeBmp{
    .name = "DecodeBmp",
    .doc = "The pixels of a BMP file's contents.",
    .inputs = {"contents: string"},
    .outputs = {"image: uint8"},
    .attrs = {"channels: int = 0"},
    .traits = kPure | kDataDependentShape,
    .shape = picture,
    .grad = no_gradient,
};
static_assert(well_formed(kDecodeBmp));

}  // namespace rill

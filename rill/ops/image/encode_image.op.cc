#include "rill/graph/op_decl.h"
#include "rill/graph/shape_ctx.h"

namespace rill {
namespace {

Shapes jpeg_shape(const ShapeCtx& c) {
  const PartialShape image = c.with_rank(0, 3);
  const std::int64_t channels = image.dim(2);
  require(channels < 0 || channels == 1 || channels == 3, "image must have 1 or 3 channels, got ",
          image);
  if (c.input_count() == 2) {
    c.scalar(1);
    return {PartialShape::scalar()};
  }
  const auto& format = c.attr<std::string>("format");
  require(format != "grayscale" || compatible(channels, 1),
          "format grayscale expects 1 channels, got ", image);
  require(format != "rgb" || compatible(channels, 3), "format rgb expects 3 channels, got ", image);
  const auto quality = c.attr<std::int64_t>("quality");
  require(quality >= 0 && quality <= 100, "quality must be in [0,100], got ", quality);
  return {PartialShape::scalar()};
}

// Any number of dimensions before the last three.
Shapes png_shape(const ShapeCtx& c) {
  const PartialShape images = c.with_rank_at_least(0, 3);
  const auto compression = c.attr<std::int64_t>("compression");
  require(compression >= -1 && compression <= 9, "compression should be in [-1,9], got ",
          compression);
  if (!images.has_rank()) return {PartialShape()};
  const std::int64_t channels = images.dim(images.rank() - 1);
  require(channels < 0 || (channels >= 1 && channels <= 4),
          "image must have 1, 2, 3, or 4 channels, got ", channels);
  return {PartialShape(images.dims().first(static_cast<std::size_t>(images.rank() - 3)))};
}

}  // namespace

extern constexpr OpDecl kEncodeJpeg{
    .name = "EncodeJpeg",
    .doc = "An image as the contents of a JPEG file.",
    .inputs = {"image: uint8"},
    .outputs = {"contents: string"},
    .attrs = {"format: {'', 'grayscale', 'rgb'} = ''", "quality: int = 95",
              "progressive: bool = false", "optimize_size: bool = false",
              "chroma_downsampling: bool = true", "density_unit: {'in', 'cm'} = 'in'",
              "x_density: int = 300", "y_density: int = 300", "xmp_metadata: string = ''"},
    .traits = kPure,
    .shape = jpeg_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEncodeJpeg));

extern constexpr OpDecl kEncodeJpegVariableQuality{
    .name = "EncodeJpegVariableQuality",
    .doc = "EncodeJpeg with the quality as an input.",
    .inputs = {"images: uint8", "quality: int32"},
    .outputs = {"contents: string"},
    .traits = kPure,
    .shape = jpeg_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEncodeJpegVariableQuality));

extern constexpr OpDecl kEncodePng{
    .name = "EncodePng",
    .doc = "Images as the contents of PNG files.",
    .inputs = {"image: T"},
    .outputs = {"contents: string"},
    .attrs = {"compression: int = -1", "T: {uint8, uint16} = DT_UINT8"},
    .traits = kPure,
    .shape = png_shape,
    .grad = no_gradient,
};
static_assert(well_formed(kEncodePng));

}  // namespace rill

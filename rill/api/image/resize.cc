#include "rill/api/image/resize.h"

#include <cmath>

#include "rill/api/array/array_parts.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/image.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/crops.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/operators.h"

namespace rill::image {
namespace {

using namespace parts;

Output as_float(const Extent& size) { return rill::parts::cast_to(size.input(), DType::f32); }
Output as_int(Output x) { return rill::parts::cast_to(x, DType::i32); }

Output size_argument(const Input& size) {
  try {
    return as_tensor(size, "size", DType::i32);
  } catch (const Error&) {
    raise(Code::kInvalidArgument, "'size' must be a 1-D int32 Tensor");
  }
}

// The largest size within `size` that has the proportions of the image.
Output proportional(Output size, const Extent& height, const Extent& width) {
  const auto share = [&](int i, const Extent& current) {
    const Output wanted = rill::parts::cast_to(rill::parts::item(size, i), DType::f32);
    return wanted / as_float(current);
  };
  const Output rows = share(0, height), columns = share(1, width);
  const Output scale = raw::Minimum(rows, columns);
  const auto scaled = [&](const Extent& current) {
    const Output exact = scale * as_float(current);
    return as_int(raw::Round(exact));
  };
  const Output new_height = scaled(height), new_width = scaled(width);
  return as_tensor(rill::parts::list_of({new_height, new_width}), "size", DType::i32);
}

// The same where everything is known.
PartialShape proportional_dims(const PartialShape& wanted, const Extent& height,
                               const Extent& width) {
  if (!wanted.is_full() || !height.is_known() || !width.is_known()) return {-1, -1};
  const auto rows = static_cast<float>(height.number()),
             columns = static_cast<float>(width.number());
  const float scale =
      std::min(static_cast<float>(wanted[0]) / rows, static_cast<float>(wanted[1]) / columns);
  return {std::lrint(scale * rows), std::lrint(scale * columns)};
}

Output resized(Output images, Output size, const ResizeImagesOptions& options) {
  const bool align = options.align_corners;
  switch (options.method) {
    case ResizeMethod::BILINEAR:
      return raw::ResizeBilinear(images, size, {.align_corners = align});
    case ResizeMethod::NEAREST_NEIGHBOR:
      return raw::ResizeNearestNeighbor(images, size, {.align_corners = align});
    case ResizeMethod::BICUBIC:
      return raw::ResizeBicubic(images, size, {.align_corners = align});
    case ResizeMethod::AREA:
      return raw::ResizeArea(images, size, {.align_corners = align});
  }
  raise(Code::kInvalidArgument,
        "Resize method is not implemented: ", static_cast<int>(options.method));
}

}  // namespace

Output resize_images(const Input& input, const Input& wanted, const ResizeImagesOptions& options,
                     std::source_location at) {
  const Block in(options.name, "resize", at);
  const Output given = as_tensor(input, "images");
  require(given.shape().has_rank(), "'images' contains no shape.");
  require(given.shape().rank() == 3 || given.shape().rank() == 4,
          "'images' must have either 3 or 4 dimensions.");
  const ImageBatch batch = as_batch(given);
  Output size = size_argument(wanted);
  require(size.shape().is_compatible({2}),
          "'size' must be a 1-D Tensor of 2 elements: new_height, new_width");
  PartialShape known = constant_shape_value(size);
  if (!known.has_rank()) known = {-1, -1};
  if (options.preserve_aspect_ratio) {
    const std::vector<Extent> dims = extents_of(batch.images, 4);
    size = proportional(size, dims[1], dims[2]);
    known = proportional_dims(known, dims[1], dims[2]);
  }
  const PartialShape& shape = batch.images.shape();
  if (known.is_full() && known[0] == shape[1] && known[1] == shape[2])
    return batch.undo(batch.images);
  const Output result = resized(batch.images, size, options);
  return batch.undo(with_shape(result, {shape[0], known[0], known[1], shape[3]}));
}

Output resize_image_with_pad(const Input& input, const Input& target_height,
                             const Input& target_width, const ResizeImageWithPadOptions& options,
                             std::source_location at) {
  const Block in("", "resize_image_with_pad", at);
  const ImageBatch batch = as_batch(as_tensor(input, "image"));
  const Extent wanted_height(target_height), wanted_width(target_width);
  Checks checks;
  checks.at_least_3d(batch.images);
  checks.greater(wanted_width, 0, "target_width must be > 0.");
  checks.greater(wanted_height, 0, "target_height must be > 0.");
  const Output images = checks.then(batch.images);
  const std::vector<Extent> dims = extents_of(images, 4);
  const Output height = as_float(dims[1]), width = as_float(dims[2]);
  const Output full_height = as_float(wanted_height), full_width = as_float(wanted_width);

  const Output columns_ratio = width / full_width, rows_ratio = height / full_height;
  const Output ratio = raw::Maximum(columns_ratio, rows_ratio);
  const Output exact_height = height / ratio, exact_width = width / ratio;
  const Output rows = as_int(raw::Floor(exact_height));
  const Output columns = as_int(raw::Floor(exact_width));
  const Output spare_rows = (full_height - exact_height) / 2;
  const Output spare_columns = (full_width - exact_width) / 2;
  const Output above = raw::Floor(spare_rows), beside = raw::Floor(spare_columns);
  const Output top = raw::Maximum(0, as_int(above));
  const Output left = raw::Maximum(0, as_int(beside));

  const Output result =
      resize_images(images, rill::parts::list_of({rows, columns}),
                    {.method = options.method, .align_corners = options.align_corners});
  if (dims[1].is_known() && dims[2].is_known() && wanted_height.is_known() &&
      wanted_width.is_known()) {  // the size that the nodes above will compute
    const auto h = static_cast<float>(dims[1].number()), w = static_cast<float>(dims[2].number());
    const float by = std::max(w / static_cast<float>(wanted_width.number()),
                              h / static_cast<float>(wanted_height.number()));
    with_shape(result, {-1, std::lrint(std::floor(h / by)), std::lrint(std::floor(w / by)), -1});
  }
  const Output padded =
      pad_to_bounding_box(result, top, left, wanted_height.input(), wanted_width.input());
  extents_of(padded, 4);
  return batch.undo(padded);
}

}  // namespace rill::image

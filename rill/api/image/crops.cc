#include "rill/api/image/crops.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/control_flow.h"
#include "rill/api/gen/array.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/math/operators.h"

namespace rill::image {
namespace {

using namespace parts;

Output stacked(const std::vector<Extent>& items) {
  std::vector<Input> inputs;
  for (const Extent& item : items) inputs.push_back(item.input());
  return stack(inputs);
}

Extent dim_of(Output x, int axis) {
  if (x.shape()[axis] >= 0) return x.shape()[axis];
  return rill::parts::item(shape(x), axis);
}

// Where the middle begins, which is `fraction` of the whole.
Extent middle_start(const Extent& size, double fraction) {
  if (size.is_known()) {
    const auto whole = static_cast<double>(size.number());
    return static_cast<std::int64_t>((whole - whole * fraction) / 2);
  }
  const Output whole = rill::parts::cast_to(size.tensor(), DType::f64);
  const Output share = rill::parts::cast_to(fraction, DType::f64);
  return rill::parts::cast_to((whole - whole * share) / 2.0, DType::i32);
}

std::string complaint(const char* what) { return std::string(what) + " must be >= 0."; }

}  // namespace

Output central_crop(const Input& input, double fraction, std::source_location at) {
  const Block in("", "central_crop", at);
  const Output image = as_tensor(input, "image");
  require(fraction > 0 && fraction <= 1, "central_fraction must be within (0, 1]");
  if (fraction == 1) return image;
  checked_image(image);
  const int rank = image.shape().rank();
  require(rank == 3 || rank == 4, "`image` should either be a Tensor with rank = 3 or rank = 4. ",
          "Had rank = ", rank < 0 ? "None" : std::to_string(rank), ".");
  const int first = rank - 3;
  const Extent height = dim_of(image, first), width = dim_of(image, first + 1);
  const Extent top = middle_start(height, fraction), left = middle_start(width, fraction);
  const Extent rows = height - top * 2, columns = width - left * 2;
  std::vector<Extent> begin{top, left, 0}, size{rows, columns, -1};
  if (first == 1) {
    begin.insert(begin.begin(), 0);
    size.insert(size.begin(), -1);
  }
  const Output from = stacked(begin);
  const Output result = raw::Slice(image, from, stacked(size));
  PartialShape known = image.shape().with_dim(first, rows.dim()).with_dim(first + 1, columns.dim());
  return with_shape(result, known);
}

Output crop_to_bounding_box(const Input& input, const Input& offset_height,
                            const Input& offset_width, const Input& target_height,
                            const Input& target_width, std::source_location at) {
  const Block in("", "crop_to_bounding_box", at);
  const ImageBatch batch = as_batch(as_tensor(input, "image"));
  const Extent top(offset_height), left(offset_width), height(target_height), width(target_width);
  Checks checks;
  checks.at_least_3d(batch.images);
  const std::vector<Extent> dims = extents_of(batch.images, 4);
  checks.at_least(left, 0, complaint("offset_width"));
  checks.at_least(top, 0, complaint("offset_height"));
  checks.greater(width, 0, "target_width must be > 0.");
  checks.greater(height, 0, "target_height must be > 0.");
  checks.at_least(dims[2], width + left, "width must be >= target + offset.");
  checks.at_least(dims[1], height + top, "height must be >= target + offset.");
  const Output images = checks.then(batch.images);
  const Output begin = stacked({0, top, left, 0});
  const Output count = rill::parts::item(shape(images), 0);
  const Output depth = rill::parts::item(shape(images), 3);
  const Output cropped = raw::Slice(images, begin, stacked({count, height, width, depth}));
  return batch.undo(with_shape(cropped, shape_of({dims[0], height, width, dims[3]})));
}

Output pad_to_bounding_box(const Input& input, const Input& offset_height,
                           const Input& offset_width, const Input& target_height,
                           const Input& target_width, std::source_location at) {
  const Block in("", "pad_to_bounding_box", at);
  const ImageBatch batch = as_batch(as_tensor(input, "image"));
  const Extent top(offset_height), left(offset_width), height(target_height), width(target_width);
  const std::vector<Extent> dims = extents_of(batch.images, 4);
  const Extent right = width - left - dims[2], bottom = height - top - dims[1];
  Checks checks;
  checks.at_least_3d(batch.images);
  checks.at_least(top, 0, "offset_height must be >= 0");
  checks.at_least(left, 0, "offset_width must be >= 0");
  checks.at_least(right, 0, "width must be <= target - offset");
  checks.at_least(bottom, 0, "height must be <= target - offset");
  const Output images = checks.then(batch.images);
  const Output paddings =
      raw::Reshape(stacked({0, 0, top, bottom, left, right, 0, 0}), rill::parts::ints({4, 2}));
  const Output padded = pad(images, paddings);
  return batch.undo(with_shape(padded, shape_of({dims[0], height, width, dims[3]})));
}

Output resize_image_with_crop_or_pad(const Input& input, const Input& target_height,
                                     const Input& target_width, std::source_location at) {
  const Block in("", "resize_image_with_crop_or_pad", at);
  const ImageBatch batch = as_batch(as_tensor(input, "image"));
  Extent height(target_height), width(target_width);
  Checks checks;
  checks.at_least_3d(batch.images);
  checks.greater(width, 0, "target_width must be > 0.");
  checks.greater(height, 0, "target_height must be > 0.");
  const Output images = checks.then(batch.images);
  if (!height.is_known()) height = checks.then(height.tensor());
  if (!width.is_known()) width = checks.then(width.tensor());
  const std::vector<Extent> dims = extents_of(images, 4);

  // How much each side is cropped and padded; one of both is nothing.
  const auto offsets = [](const Extent& wanted, const Extent& size) {
    const Extent more = wanted - size;
    const Extent crop = largest(floor_div(-more, 2), 0);
    return std::pair(crop, largest(floor_div(more, 2), 0));
  };
  const auto [crop_left, pad_left] = offsets(width, dims[2]);
  const auto [crop_top, pad_top] = offsets(height, dims[1]);
  const Extent rows = smallest(height, dims[1]), columns = smallest(width, dims[2]);
  const Output cropped = crop_to_bounding_box(images, crop_top.input(), crop_left.input(),
                                              rows.input(), columns.input());
  const Output resized = pad_to_bounding_box(cropped, pad_top.input(), pad_left.input(),
                                             height.input(), width.input());
  const std::vector<Extent> result = extents_of(resized, 4);
  Checks after;
  after.equal(result[1], height, "resized height is not correct.");
  after.equal(result[2], width, "resized width is not correct.");
  return batch.undo(after.then(resized));
}

}  // namespace rill::image

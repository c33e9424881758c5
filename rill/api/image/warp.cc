#include "rill/api/array/array_parts.h"
#include "rill/api/array/extent.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/picking.h"
#include "rill/api/array/shapes.h"
#include "rill/api/gen/array.h"
#include "rill/api/gen/math.h"
#include "rill/api/image/transforms.h"
#include "rill/api/math/casts.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/sequences.h"

namespace rill::contrib::image {
namespace {

using parts::list_of;

// Places along one dimension: the two pixels around each and its distance from the first.
struct Between {
  Output before, behind, distance;
};

Between pixels_around(Output places, const Extent& size) {
  const DType dtype = math_parts::type_of(places);
  const Output last = cast((size - 2).input(), dtype);
  const Output least = raw::Maximum(raw::Floor(places), 0);
  const Output floor = raw::Minimum(least, last);
  const Output before = cast(floor, DType::i32);
  const Output distance = raw::Minimum(raw::Maximum(places - floor, 0), 1);
  return {before, before + 1, expand_dims(distance, 2)};
}

// The values of images [batch, height, width, channels] at places [batch, n, 2], which are (y, x).
Output interpolated(Output images, Output places, const std::vector<Extent>& dims) {
  const std::vector<Output> axes = unstack(places, {.num = 2, .axis = 2});
  const Between y = pixels_around(axes[0], dims[1]), x = pixels_around(axes[1], dims[2]);
  const Extent rows = dims[0] * dims[1] * dims[2];
  const Output flat = raw::Reshape(images, list_of({rows.input(), dims[3].input()}));
  const Extent image_size = dims[1] * dims[2];
  const Output starts =
      operators::mul(range(dims[0].input()), image_size.input(), std::source_location::current());
  const Output first = raw::Reshape(starts, list_of({dims[0].input(), 1}));
  const auto pixel = [&](Output row, Output column) {
    const Output above = operators::mul(row, dims[2].input(), std::source_location::current());
    const Output at = (first + above) + column;
    return gather(flat, at);
  };
  const auto mixed = [](Output a, Output b, Output distance) {
    const Output step = distance * (b - a);
    return step + a;
  };
  const Output top_left = pixel(y.before, x.before), top_right = pixel(y.before, x.behind);
  const Output low_left = pixel(y.behind, x.before), low_right = pixel(y.behind, x.behind);
  const Output top = mixed(top_left, top_right, x.distance);
  const Output low = mixed(low_left, low_right, x.distance);
  return mixed(top, low, y.distance);
}

}  // namespace

Output dense_image_warp(const Input& image, const Input& flow, const WarpOptions& options,
                        std::source_location at) {
  const Block in(options.name, "dense_image_warp", at);
  const Output images = as_tensor(image, "image");
  const Output moves = as_tensor(flow, "flow", math_parts::type_of(images));
  const std::vector<Extent> dims = extents_of(images, 4);
  for (const int side : {1, 2})
    require(!dims[static_cast<std::size_t>(side)].is_known() ||
                dims[static_cast<std::size_t>(side)].number() >= 2,
            "Grid must be at least 2x2, got ", images.shape());
  const Output rows = range(dims[1].input()), columns = range(dims[2].input());
  const std::vector<Output> grid = meshgrid({columns, rows});
  const Output places = expand_dims(stack({grid[1], grid[0]}, {.axis = 2}), 0);
  const Output moved = cast(places, math_parts::type_of(moves)) - moves;
  const Extent count = dims[1] * dims[2];
  const Output listed = raw::Reshape(moved, list_of({dims[0].input(), count.input(), 2}));
  const Output values = interpolated(images, listed, dims);
  return raw::Reshape(values, rill::list_of(dims));
}

}  // namespace rill::contrib::image

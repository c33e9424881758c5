#include "rill/api/image/differences.h"

#include "rill/api/array/array_parts.h"
#include "rill/api/array/joining.h"
#include "rill/api/array/shapes.h"
#include "rill/api/core/slicing.h"
#include "rill/api/gen/array.h"
#include "rill/api/image/image_parts.h"
#include "rill/api/image/quality_parts.h"
#include "rill/api/math/arithmetic.h"
#include "rill/api/math/math_parts.h"
#include "rill/api/math/operators.h"
#include "rill/api/math/reduce.h"

namespace rill::image {
namespace {

// x without its first, less x without its last slice along `axis`.
Output step_along(Output x, int axis) {
  std::vector<SlicePart> later(static_cast<std::size_t>(x.shape().rank()), SliceRange{});
  std::vector<SlicePart> earlier = later;
  later[static_cast<std::size_t>(axis)] = SliceRange{.start = 1};
  earlier[static_cast<std::size_t>(axis)] = SliceRange{.stop = -1};
  const Output to = slice(x, later), from = slice(x, earlier);
  return to - from;
}

}  // namespace

Output total_variation(const Input& input, const TotalVariationOptions& options,
                       std::source_location at) {
  const Block in(options.name, "total_variation", at);
  const Output images = as_tensor(input, "images");
  const int rank = images.shape().rank();
  require(rank == 3 || rank == 4, "'images' must be either 3 or 4-dimensional.");
  const Output down = step_along(images, rank - 3), across = step_along(images, rank - 2);
  ReduceOptions each;
  if (rank == 4) each.axis = rill::parts::ints({1, 2, 3});
  const auto sum = [&](Output x) { return reduce_sum(abs(x), each); };
  const Output vertical = sum(down), horizontal = sum(across);
  return vertical + horizontal;
}

Output sobel_edges(const Input& input, std::source_location at) {
  const MadeAt place(at);
  const Output image = as_tensor(input, "image");
  const PartialShape known = image.shape();
  const Output dims = rill::shape(image);
  const Tensor both =
      Tensor::vector<float>({-1, -1, -2, 0, -1, 1, 0, -2, 0, 0, 0, 2, 1, -1, 2, 0, 1, 1})
          .reshaped({3, 3, 1, 2});
  const Output filters = as_tensor(Input(both));
  const Output channels = rill::parts::item(dims, -1);
  const Output each =
      raw::Tile(filters, rill::parts::list_of({1, 1, channels, 1}), {.name = "sobel_filters"});
  const Tensor around = Tensor::vector<std::int32_t>({0, 0, 1, 1, 1, 1, 0, 0}).reshaped({4, 2});
  const Output padded = pad(image, around, {.mode = "REFLECT"});
  const Output edges = parts::depthwise(padded, each, true);
  const Output shape = concat({dims, rill::parts::ints({2})}, 0);
  const Output result = raw::Reshape(edges, shape);
  if (!known.has_rank()) return result;
  PartialShape with_kinds = known;
  with_kinds.add_dim(2);
  return parts::with_shape(result, with_kinds);
}

std::pair<Output, Output> image_gradients(const Input& input, std::source_location at) {
  const MadeAt place(at);
  const Output image = as_tensor(input, "image");
  require(image.shape().rank() == 4,
          "image_gradients expects a 4D tensor [batch_size, h, w, d], not ", image.shape(), ".");
  const Output dims = rill::shape(image);
  const std::vector<Output> each = unstack(dims);
  const Output down = step_along(image, 1), across = step_along(image, 2);
  const auto completed = [&](Output steps, std::size_t axis) {
    std::vector<Input> border(each.begin(), each.end());
    border[axis] = 1;
    const Output none = zeros(Input(stack(border)), {.dtype = math_parts::type_of(image)});
    const Output all = concat({steps, none}, static_cast<int>(axis));
    return raw::Reshape(all, dims);
  };
  const Output dy = completed(down, 1);
  return {dy, completed(across, 2)};
}

}  // namespace rill::image
